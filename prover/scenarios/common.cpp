#include "prover/scenarios/common.hpp"

#include "prover/rendezvous.hpp"
#include "testkit/eventually.hpp"

#include <chrono>
#include <latch>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::size_t readings_max = 2'000;

}  // namespace

History::Request ask(std::size_t client, Operation operation, std::string intent) {
  History::Request request;
  request.client = client;
  request.operation = std::move(operation);
  request.intent = std::move(intent);
  return request;
}

void in_parallel(std::size_t count, const std::function<void(std::size_t index)>& work) {
  std::latch start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::jthread> threads;
  threads.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    threads.emplace_back([&start, &work, index] {
      start.arrive_and_wait();
      work(index);
    });
  }
}

Code code_of_answer(const Result<Outcome>& answer) {
  return answer ? code_of(*answer) : answer.error().code;
}

std::unique_ptr<Bench> open_bench(Run& run,
                                  Strategy strategy,
                                  std::size_t ledgers,
                                  const Clock* clock) {
  Bench::Options options;
  options.place = run.fresh_place();
  options.strategy = strategy;
  options.ledgers = ledgers;
  options.mutant = run.mutant();
  options.clock = clock;
  auto bench = Bench::open(options);
  if (bench) return std::move(*bench);
  run.could_not_run(bench.error());
  return nullptr;
}

std::unique_ptr<Bench> open_watched_bench(Run& run, Strategy strategy, PointHook watch) {
  Bench::Options options;
  options.place = run.fresh_place();
  options.strategy = strategy;
  options.ledgers = 2;
  options.mutant = run.mutant();
  options.watch = std::move(watch);
  auto bench = Bench::open(options);
  if (bench) return std::move(*bench);
  run.could_not_run(bench.error());
  return nullptr;
}

void pass_deadlock_check(SqlLink& link) {
  constexpr std::chrono::milliseconds margin{250};
  system_clock().sleep_until(system_clock().now() + link.deadlock_check_after() + margin);
}

bool await_lock_wait(SqlLink& link, const std::string& room) {
  return testkit::eventually([&] { return link.sees_lock_wait(room); }, long_patience / 2);
}

bool needs_server(Run& run, std::string_view why) {
  if (run.engine() != Engine::sqlite) return true;
  run.skip(std::string(why) + ": pass --store postgres://… or mariadb://…, or --lab");
  return false;
}

void warm(Bench& bench, std::string_view wallet) {
  for (const std::size_t ledger : {std::size_t{0}, std::size_t{1}}) {
    const std::string id = "look-" + std::string(wallet) + "-" + std::to_string(ledger);
    static_cast<void>(bench.apply(ask(0, testkit::withdraw(id, wallet, 1'000'000)), ledger));
  }
}

bool set_up(Run& run,
            Bench& bench,
            const std::vector<std::string_view>& wallets,
            std::int64_t amount) {
  for (const std::string_view wallet : wallets) {
    const Status created = bench.create_wallet(wallet, "EUR");
    if (created) continue;
    run.could_not_run(created.error());
    return false;
  }
  if (amount == 0) return true;
  const std::string id = "fund-" + std::string(wallets.front());
  const auto funded = bench.apply(ask(0, testkit::deposit(id, wallets.front(), amount)));
  if (code_of_answer(funded) == Code::applied) return true;
  run.could_not_run(
      internal_error("prover",
                     "the wallet could not be funded: " +
                         (funded ? std::string(to_string(code_of(*funded)))
                                 : funded.error().where + " " + funded.error().detail)));
  return false;
}

Reader::Reader(Store& store, std::vector<WalletId> wallets, std::optional<WideUnits> expected_sum)
    : thread_([this, &store, group = std::move(wallets), expected_sum] {
        while (!stopping_ && readings_.size() < readings_max) {
          auto reading = read_group(store, group, expected_sum);
          if (reading) readings_.push_back(std::move(*reading));
        }
      }) {}

std::vector<Reading> Reader::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
  return std::move(readings_);
}

std::string label(Strategy strategy, std::string_view rest) {
  return std::string(to_string(strategy)) + ", " + std::string(rest);
}

}  // namespace mizan::prover
