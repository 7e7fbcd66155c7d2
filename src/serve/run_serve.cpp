#include "serve/run_serve.hpp"

#include "mizan/lock.hpp"

#include "base/text.hpp"
#include "cli/signals.hpp"
#include "http/allowed_hosts.hpp"
#include "http/server.hpp"
#include "json/value.hpp"
#include "serve/hold_sweeper.hpp"
#include "serve/service_manager.hpp"
#include "serve/webhooks.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan::serve {
namespace {

using cli::Access;
using cli::Context;

/// `127.0.0.1:7780`, `localhost:7780` or `[::1]:7780` into the options. Another name is not looked
/// up: it may be several addresses, and which of them is served should be said.
Status read_listen(const std::string& text, http::ServerOptions& options) {
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string::npos
                        ? std::nullopt
                        : parse_unsigned(std::string_view(text).substr(colon + 1));
  if (!port || *port > 65'535) {
    return invalid_request("/listen", "an IP address and a port are expected, as 127.0.0.1:7780");
  }
  options.address = text.substr(0, colon);
  if (options.address == "localhost") options.address = "127.0.0.1";
  if (options.address.starts_with('[') && options.address.ends_with(']')) {
    options.address = options.address.substr(1, options.address.size() - 2);
  }
  options.port = static_cast<std::uint16_t>(*port);
  return {};
}

/// `a.example, b.example`.
Result<std::vector<std::string>> read_hosts(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    std::string_view name = text.substr(0, text.find(','));
    text.remove_prefix(std::min(name.size() + 1, text.size()));
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!http::is_host_name(name)) {
      return invalid_request("/allow_host", "a host's name is expected, without a port");
    }
    names.emplace_back(name);
  }
  return names;
}

/// Is it only programs of this machine that can connect?
bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

bool asks_for_keys(const cli::Settings& settings, const http::ServerOptions& options) {
  const std::string& policy = settings.text("keys");
  return policy == "required" || (policy == "auto" && !is_loopback(options.address));
}

Result<http::ServerOptions> read_options(const cli::Settings& settings) {
  http::ServerOptions options;
  if (auto status = read_listen(settings.text("listen"), options); !status) {
    return std::move(status).error();
  }
  options.tls_certificate_file = settings.text("tls_certificate");
  options.tls_key_file = settings.text("tls_key");
  if (options.tls_certificate_file.empty() != options.tls_key_file.empty()) {
    return invalid_request("/tls_key", "a certificate and its key are given both, or neither");
  }
  auto hosts = read_hosts(settings.text("allow_host"));
  if (!hosts) return std::move(hosts).error();
  // Nothing else keeps a page of a foreign site out there (docs/decisions/0027).
  const bool is_bare = is_loopback(options.address) && !asks_for_keys(settings, options);
  if (is_bare) options.allowed_hosts = *std::move(hosts);
  options.answer_time = settings.deadline();
  options.stop_time = settings.duration("stop_time");
  return options;
}

/// The lock service of /v1/locks: the one of the settings, else the store's own leases.
Result<std::unique_ptr<LockService>> open_locks(const Context& context,
                                                const cli::LockGround& ground) {
  const std::string& url = context.settings().text("lock");
  return context.wiring().open_lock(url == "none:" ? "store:" : url, ground);
}

http::LogLevel level_of(std::string_view name) {
  if (name == "error") return http::LogLevel::error;
  if (name == "warning") return http::LogLevel::warning;
  return name == "debug" ? http::LogLevel::debug : http::LogLevel::info;
}

/// The lines are lost where nobody reads them; the ledger goes on.
void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void announce(Context& context, const std::string& address, bool is_tls) {
  const std::string url = fmt::format("{}://{}", is_tls ? "https" : "http", address);
  context.line(context.json() ? json::Object().set("listening", url).text()
                              : fmt::format("listening on {}", url));
  context.out().flush();
}

bool is_end_wanted(const cli::SignalQueue& signals) {
  while (const auto arrived = signals.take()) {
    const int number = arrived->number;
    if (number == SIGTERM || number == SIGINT || number == SIGQUIT) return true;
  }
  return false;
}

/// Blocks until somebody wants the program to end. Meanwhile the service manager hears that the
/// server is alive, as long as it is.
void wait_for_end(const cli::SignalQueue& signals,
                  const ServiceManager& manager,
                  http::Server& server) {
  const auto interval = manager.watchdog();
  while (!is_end_wanted(signals)) {
    pollfd watched{signals.descriptor(), POLLIN, 0};
    const int ready = poll(&watched, 1, interval ? static_cast<int>(interval->count()) : -1);
    if (ready == 0 && server.is_alive(*interval)) manager.tell("WATCHDOG=1");
  }
}

/// Where the server listens, and what its settings ask of it.
struct ServePlan {
  http::ServerOptions options;
  bool needs_keys = false;
  bool is_tls = false;
};

Result<ServePlan> read_plan(const Context& context, Store& store) {
  auto options = read_options(context.settings());
  if (!options) return std::move(options).error();
  ServePlan plan;
  plan.needs_keys = asks_for_keys(context.settings(), *options);
  if (plan.needs_keys && store.keys() == nullptr) {
    return invalid_request("/keys", "this store keeps no keys; --keys off goes on without");
  }
  plan.is_tls = !options->tls_certificate_file.empty();
  plan.options = *std::move(options);
  return plan;
}

/// What the server needs beside the ledger.
struct Parts {
  LockService& locks;
  http::Log& log;
  bool needs_keys = false;
};

http::Served make_served(const Context& context, const cli::OpenLedger& open, const Parts& parts) {
  const LedgerOptions ledger = context.settings().ledger_options();
  const bool has_lock = open.lock != nullptr;
  return {.ledger = *open.ledger,
          .store = *open.store,
          .locks = parts.locks,
          .required_lock =
              has_lock && ledger.lock_outage == LockOutage::fail ? open.lock.get() : nullptr,
          .epochs_drawn = [&epochs = *open.epochs] { return epochs.drawn(); },
          .clock = context.clock(),
          .random = context.wiring().random,
          .log = parts.log,
          .asks_for_keys = parts.needs_keys,
          .submits = ledger.strategy == Strategy::batched && !has_lock};
}

/// Serves until a signal ends it.
int serve(Context& context, const cli::OpenLedger& open, const cli::SignalQueue& signals) {
  auto plan = read_plan(context, *open.store);
  if (!plan) return context.fail(plan.error());
  auto locks = open_locks(context, {&open.store->leases(), open.epochs->table()});
  if (!locks) return context.fail(locks.error());
  // One that is away may come back; a URL that cannot be right is no client's fault later.
  const auto looked = (*locks)->doctor();
  if (!looked && looked.error().code == Code::invalid_request) return context.fail(looked.error());
  http::Log log(level_of(context.settings().text("log")), context.clock(), write_to_stderr);
  const http::Served served = make_served(context, open, {**locks, log, plan->needs_keys});
  auto server = http::Server::start(served, std::move(plan->options));
  if (!server) return context.fail(server.error());
  const HoldSweeper sweeper(*open.ledger, context.clock());
  auto webhooks = Webhooks::start(context, open);
  if (!webhooks) return context.fail(webhooks.error());
  announce(context, (*server)->address(), plan->is_tls);
  log.line(http::LogLevel::info, "listening", json::Object().set("address", (*server)->address()));
  const ServiceManager manager(context.wiring().environment);
  manager.tell("READY=1\nSTATUS=listening on " + (*server)->address());
  wait_for_end(signals, manager, **server);
  manager.tell("STOPPING=1");
  log.line(http::LogLevel::info, "stopping");
  (*server)->stop();
  webhooks->reset();
  log.line(http::LogLevel::info, "stopped");
  return 0;
}

}  // namespace

int run_serve(Context& context) {
  if (auto options = read_options(context.settings()); !options) {
    return context.fail(options.error());
  }
  if (Status valid = Webhooks::check(context.settings()); !valid)
    return context.fail(valid.error());
  const cli::SignalQueue signals;  // Before the threads, which inherit the blocking.
  auto open = cli::open_ledger(context, Access::create);
  if (!open) return context.fail(open.error());
  if (auto migrated = open->store->migrate(); !migrated) return context.fail(migrated.error());
  return serve(context, *open, signals);
}

}  // namespace mizan::serve
