#include "prover/scenarios/withdrawals.hpp"

#include "prover/naive/bank.hpp"
#include "prover/scenarios/common.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <string>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::string_view wallet_name = "w";

std::string operation_name(std::size_t index) {
  return "take-" + std::to_string(index);
}

/// The receipt of a careless program: what was asked for, without versions.
Result<Outcome> naive_applied(const Operation& operation, std::int64_t amount) {
  Receipt receipt;
  receipt.id = operation.id;
  receipt.type = type_of(operation.body);
  LegReceipt leg;
  leg.from = WalletId{wallet_name};
  leg.to = world_wallet(CurrencyCode{"EUR"});
  leg.amount = MinorUnits{amount};
  leg.currency = CurrencyCode{"EUR"};
  receipt.legs.push_back(leg);
  return Outcome{Applied{std::move(receipt)}};
}

Result<Outcome> naive_refused() {
  Refusal refusal;
  refusal.code = Code::insufficient_funds;
  return Outcome{Refused{std::make_shared<const Refusal>(refusal), false}};
}

/// Both ledgers have the wallet in their cache, at its funded balance.
bool warm_caches(Run& run, Bench& bench) {
  const auto refused =
      bench.apply(ask(0, testkit::withdraw("too-much", wallet_name, 1'000'000)), 1);
  if (code_of_answer(refused) == Code::insufficient_funds) return true;
  run.could_not_run(internal_error("prover", "the second ledger could not be warmed"));
  return false;
}

}  // namespace

void withdraw_in_parallel(Run& run, Strategy strategy, const Withdrawals& task) {
  auto bench = open_bench(run, strategy, 2);
  if (bench == nullptr || !set_up(run, *bench, {wallet_name}, task.initial)) return;
  if (!warm_caches(run, *bench)) return;
  Reader reader(bench->store(), {WalletId{wallet_name}}, std::nullopt);
  std::atomic<std::size_t> applied{0};
  std::atomic<std::size_t> refused{0};
  in_parallel(task.count, [&](std::size_t index) {
    const auto operation = testkit::withdraw(operation_name(index), wallet_name, task.amount);
    const Code code = code_of_answer(bench->apply(ask(index + 1, operation), index % 2));
    if (code == Code::applied) ++applied;
    if (code == Code::insufficient_funds) ++refused;
  });
  const std::string what = label(strategy, std::to_string(task.count) + " clients");
  judge_bench(run, what, *bench, reader.stop());
  const auto affordable = static_cast<std::size_t>(task.initial / task.amount);
  const std::size_t due = std::min(affordable, task.count);
  run.expect(applied == due,
             what + ": " + std::to_string(applied) + " of " + std::to_string(task.count) +
                 " succeeded, " + std::to_string(due) + " are affordable");
  run.expect(applied + refused == task.count, what + ": an answer is neither yes nor no");
}

NaiveResult withdraw_naively(Run& run, const Withdrawals& task) {
  const auto file = run.fresh_path(".naive.db");
  naive::Bank bank(file);
  bank.create_tables();
  bank.create_wallet(wallet_name, task.initial);
  History history;
  const Operation funding =
      testkit::deposit("fund-" + std::string(wallet_name), wallet_name, task.initial);
  history.end(history.invoke(ask(0, funding)), Result<Outcome>(Outcome{Applied{}}));
  std::barrier everybody_has_read(static_cast<std::ptrdiff_t>(task.count));
  std::atomic<std::size_t> succeeded{0};
  in_parallel(task.count, [&](std::size_t index) {
    naive::Bank mine(file);
    const Operation operation = testkit::withdraw(operation_name(index), wallet_name, task.amount);
    const std::size_t call = history.invoke(ask(index + 1, operation));
    const bool done = mine.withdraw(operation.id.view(), wallet_name, task.amount, [&] {
      everybody_has_read.arrive_and_wait();
    });
    if (done) ++succeeded;
    history.end(call, done ? naive_applied(operation, task.amount) : naive_refused());
  });
  Evidence evidence;
  evidence.calls = history.calls();
  // The funding's receipt is of no interest here; its entry is.
  evidence.calls.front().receipt.reset();
  evidence.image = bank.image(system_clock().wall_now());
  NaiveResult result;
  result.succeeded = succeeded;
  result.balance = bank.read_balance(wallet_name);
  for (const CheckResult& checked : check_all(evidence)) {
    result.violated = result.violated || !checked.violations.empty();
  }
  if (run.is_mutant()) run.judge("naive", evidence);
  return result;
}

}  // namespace mizan::prover
