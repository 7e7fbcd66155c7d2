#include "bench/http/http_load.hpp"
#include "bench/workloads/workloads.hpp"
#include "testkit/child_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>

namespace mizan::bench {
namespace {

constexpr auto patience = std::chrono::seconds(60);

/// `mizan serve` in a process of its own, over the store of a target that has let go of it.
class ServerProcess {
 public:
  [[nodiscard]] static Result<ServerProcess> start(const std::string& store) {
    auto process = testkit::ChildProcess::start({testkit::own_program(),
                                                 "serve",
                                                 "--listen",
                                                 "127.0.0.1:0",
                                                 "--store",
                                                 store,
                                                 "--log",
                                                 "error"});
    if (!process) return std::move(process).error();
    const auto line = process->read_line(system_clock().now() + patience);
    if (!line || !*line) return unavailable("bench http", "the server did not start");
    const std::string& text = **line;
    ServerProcess server(*std::move(process));
    const std::size_t colon = text.rfind(':');
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), server.port_);
    return server;
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  [[nodiscard]] Status stop() {
    process_.terminate();
    const auto exit = process_.wait(system_clock().now() + patience);
    if (!exit) return exit.error();
    if (exit->status == 0) return {};
    return internal_error("bench http", "the server did not end well");
  }

 private:
  explicit ServerProcess(testkit::ChildProcess process) : process_(std::move(process)) {}

  testkit::ChildProcess process_;
  std::uint16_t port_ = 0;
};

/// Writes the requests of the load.
class Requests {
 public:
  Requests(std::span<const WalletId> wallets, std::size_t batch)
      : source_(wallets, {Pairing::uniform(wallets.size()), IdOrder::time_ordered, 1}),
        wallets_(wallets),
        batch_(batch) {}

  void refresh(std::string& text) {
    body_.clear();
    if (batch_ > 1) body_ += R"({"operations":[)";
    for (std::size_t i = 0; i < batch_; ++i) {
      if (i > 0) body_ += ',';
      append_transfer(batch_ > 1 ? R"("type":"transfer",)" : "");
    }
    if (batch_ > 1) body_ += "]}";
    text.clear();
    fmt::format_to(std::back_inserter(text),
                   "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   "Content-Length: {}\r\n\r\n{}",
                   batch_ > 1 ? "/v1/batch" : "/v1/transfers",
                   body_.size(),
                   body_);
  }

 private:
  void append_transfer(std::string_view type) {
    const auto [from, to] = source_.next_wallets();
    fmt::format_to(std::back_inserter(body_),
                   R"({{{}"id":"{}","from":"{}","to":"{}","amount":"{}"}})",
                   type,
                   source_.next_id().view(),
                   wallets_[from].view(),
                   wallets_[to].view(),
                   source_.next_amount());
  }

  TransferSource source_;
  std::span<const WalletId> wallets_;
  std::size_t batch_;
  std::string body_;
};

/// One figure: how many connections send what, and what it is compared with.
struct Step {
  std::size_t connections = 1;
  std::size_t batch = 1;
};

Limits limits_of(const Run& run) {
  Limits limits;
  limits.transfers_max = run.sizes.callers_transfers;
  limits.seconds_max = run.sizes.callers_seconds;
  limits.warm_up_seconds = run.sizes.warm_up_seconds;
  return limits;
}

Result<LoadResult> ask_livez(const Run& run, std::uint16_t port, std::size_t connections) {
  HttpLoad load;
  load.port = port;
  load.connections = connections;
  load.limits = limits_of(run);
  load.limits.seconds_max /= 2;
  load.status = 200;
  load.refresh = [](std::string& text) { text = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"; };
  return run_http(load);
}

/// The same transfers without HTTP, by one caller of the library on a ledger of its own.
Result<double> in_process(const Run& run, const Step& step) {
  auto target = run.make_target(run.sizes.wallets);
  if (!target) return std::move(target).error();
  TransferSource source((*target)->wallets(),
                        {Pairing::uniform(run.sizes.wallets), IdOrder::time_ordered, 1});
  auto result =
      step.batch > 1
          ? run_batches((*target)->ledger(), source, step.batch, limits_of(run))
          : run_callers(
                (*target)->ledger(),
                (*target)->wallets(),
                {.callers = 1,
                 .limits = limits_of(run),
                 .source = {Pairing::uniform(run.sizes.wallets), IdOrder::time_ordered, 1}});
  if (!result) return std::move(result).error();
  return result->per_second();
}

std::string name_of(const Step& step) {
  const std::string connections = fmt::format("{} {}",
                                              group_digits(step.connections),
                                              step.connections == 1 ? "connection" : "connections");
  if (step.batch == 1) return connections;
  return fmt::format("{}, batch {}", connections, group_digits(step.batch));
}

/// Loads the server with the step; `alive` is the rate of /livez beside it.
struct Loaded {
  LoadResult result;
  double alive = 0;
};

Result<Loaded> load_server(const Run& run, Target& target, const Step& step) {
  auto url = target.leave();
  if (!url) return std::move(url).error();
  auto server = ServerProcess::start(*url);
  if (!server) return std::move(server).error();
  Loaded loaded;
  const auto before = ask_livez(run, server->port(), step.connections);
  if (!before) return before.error();
  Requests requests(target.wallets(), step.batch);
  HttpLoad load;
  load.port = server->port();
  load.connections = step.connections;
  load.limits = limits_of(run);
  load.transfers_per_request = step.batch;
  load.refresh = [&requests](std::string& text) { requests.refresh(text); };
  load.status = step.batch > 1 ? 200 : 201;
  auto result = run_http(load);
  if (!result) return std::move(result).error();
  const auto after = ask_livez(run, server->port(), step.connections);
  if (!after) return after.error();
  if (auto stopped = server->stop(); !stopped) return std::move(stopped).error();
  loaded.result = std::move(*result);
  loaded.alive = (before->per_second() + after->per_second()) / 2;
  return loaded;
}

Result<Cell> measure(const Run& run, const Step& step) {
  run.report.progress("in process");
  const bool has_twin = step.connections == 1 || step.batch > 1;
  Result<double> twin = has_twin ? in_process(run, step) : Result<double>(0.0);
  if (!twin) return std::move(twin).error();
  auto target = run.make_target(run.sizes.wallets);
  if (!target) return std::move(target).error();
  run.report.progress(name_of(step));
  auto loaded = load_server(run, **target, step);
  if (!loaded) return std::move(loaded).error();
  run.report.progress("verifying");
  if (auto verified = (*target)->verify(loaded->result.applied); !verified) {
    return std::move(verified).error();
  }
  Cell cell = run.make_cell(**target);
  cell.workload = step.batch > 1 ? "http:batch" : "http";
  cell.step = name_of(step);
  cell.strategy = Strategy::batched;
  cell.batch = step.batch;
  cell.callers = step.connections;
  set_result(cell, loaded->result);
  cell.baseline =
      has_twin ? Comparison{"the same in process", *twin} : Comparison{"/livez", loaded->alive};
  cell.note = fmt::format("/livez {}/s", group_digits(static_cast<std::uint64_t>(loaded->alive)));
  return cell;
}

}  // namespace

Status run_http(const Run& run) {
  if (run.options.store != StoreKind::sqlite) {
    return invalid_request("bench http", "the server is measured over a file: --store sqlite:");
  }
  run.report.begin(fmt::format("http: client and server on this machine, {} wallets, {}",
                               group_digits(run.sizes.wallets),
                               to_string(run.options.store)));
  for (const Step& step : {Step{1, 1}, Step{64, 1}, Step{256, 1}, Step{1, 1'000}, Step{4, 1'000}}) {
    auto cell = measure(run, step);
    if (!cell) return std::move(cell).error();
    run.report.add(std::move(*cell));
  }
  return {};
}

}  // namespace mizan::bench
