#include "cli/context.hpp"

#include "cli/lease_table_per_call.hpp"
#include "cli/local_backend.hpp"
#include "cli/remote_settings.hpp"
#include "cli/report.hpp"
#include "webhook/registry.hpp"

#include <fmt/format.h>

#include <utility>

namespace mizan::cli {

Context::Context(const Wiring& wiring, const Command& root, const Streams& streams)
    : wiring_(wiring),
      root_(root),
      out_(streams.out),
      err_(streams.err),
      terminals_(streams.terminals),
      out_style_(terminals_.out && terminals_.colours),
      err_style_(terminals_.err && terminals_.colours),
      uuids_(wiring.clock, wiring.random) {}

void Context::configure(Settings settings, bool json) {
  settings_ = std::move(settings);
  began_ = clock().now();
  json_ = json;
}

bool Context::is_remote() const {
  return is_server_url(settings_.text("store"));
}

Result<RemotePlace> Context::remote_place(RemoteUse use) {
  auto place = read_remote_place(settings_, wiring_.environment, use);
  if (place) place->request_id = request_id();
  return place;
}

Result<std::unique_ptr<Backend>> Context::open_backend(Access access) {
  if (!is_remote()) return open_local_backend(*this, access);
  auto place = remote_place(RemoteUse::ledger);
  if (!place) return std::move(place).error();
  if (!wiring_.open_remote) return server_in_place_of_store(settings_.text("store"));
  return wiring_.open_remote(*place);
}

Result<std::unique_ptr<LeaseTable>> Context::open_leases() {
  if (!is_remote()) {
    const auto open = [this] { return open_store(Access::write); };
    return std::unique_ptr<LeaseTable>(std::make_unique<LeaseTablePerCall>(open, clock()));
  }
  auto place = remote_place(RemoteUse::leases);
  if (!place) return std::move(place).error();
  if (!wiring_.open_remote_leases) return server_in_place_of_store(settings_.text("store"));
  return wiring_.open_remote_leases(*place);
}

Result<OpenWebhooks> Context::open_webhooks(Access access) {
  OpenWebhooks open;
  if (!is_remote()) {
    auto store = open_store(access);
    if (!store) return std::move(store).error();
    open.store = std::move(*store);
    open.administration =
        std::make_unique<webhook::Registry>(*open.store, wiring_.clock, wiring_.random);
    return open;
  }
  auto place = remote_place(RemoteUse::ledger);
  if (!place) return std::move(place).error();
  if (!wiring_.open_remote_webhooks) return server_in_place_of_store(settings_.text("store"));
  auto administration = wiring_.open_remote_webhooks(*place);
  if (!administration) return std::move(administration).error();
  open.administration = std::move(*administration);
  return open;
}

Result<std::unique_ptr<Store>> Context::open_store(Access access) const {
  if (is_remote()) return server_in_place_of_store(settings_.text("store"));
  // Who states no deadline should hear of an owner, or of a server that is silent, soon.
  return wiring_.open_store(settings_.text("store"), access, stated_deadline());
}

std::optional<std::chrono::milliseconds> Context::stated_deadline() const {
  if (settings_.value("deadline").origin == Origin::fallback) return std::nullopt;
  return settings_.deadline();
}

Result<std::unique_ptr<LockService>> Context::open_lock(const LockGround& ground) const {
  LockGround bounded = ground;
  bounded.wait = stated_deadline();
  return wiring_.open_lock(settings_.text("lock"), bounded);
}

const std::string& Context::request_id() {
  if (request_id_.empty()) request_id_ = std::string(uuids_.next().view());
  return request_id_;
}

void Context::line(std::string_view text) {
  out_.write(fmt::format("{}\n", text));
}

void Context::note(std::string_view text) {
  out_.flush();  // What was said before is seen before, also where both go to one place.
  err_.write(fmt::format("{}\n", text));
}

int Context::fail(const Error& error) {
  return report_error(*this, error);
}

Result<OpenLedger> open_ledger(const Context& context, Access access) {
  OpenLedger open;
  auto store = context.open_store(access);
  if (!store) return std::move(store).error();
  open.store = std::move(*store);
  open.epochs = std::make_unique<CountedEpochs>(open.store->epochs());
  LedgerOptions options = context.settings().ledger_options();
  if (context.settings().text("lock") != "none:") {
    auto lock = context.open_lock({&open.store->leases(), open.epochs->table()});
    if (!lock) return std::move(lock).error();
    open.lock = std::move(*lock);
    options.lock = open.lock.get();
  }
  open.ledger = std::make_unique<Ledger>(*open.store, context.clock(), std::move(options));
  return open;
}

}  // namespace mizan::cli
