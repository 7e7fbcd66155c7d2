#include "prover/bench.hpp"

#include "prover/mutants/mutants.hpp"

#include <utility>

namespace mizan::prover {

namespace {

constexpr std::size_t repeats_max = 50;

bool asks_again(const Result<Outcome>& answer) {
  return !answer &&
         (answer.error().code == Code::contended || answer.error().code == Code::in_progress);
}

}  // namespace

Result<OpenedStore> open_store(const StorePlace& place, std::string_view mutant, StepHook on_step) {
  auto base = open_place(place, on_step);
  if (!base) return std::move(base).error();
  OpenedStore opened;
  opened.base = std::move(*base);
  opened.mutated = make_mutant_store(mutant, *opened.base, std::move(on_step));
  return opened;
}

Result<std::unique_ptr<Bench>> Bench::open(const Options& options) {
  auto opened = open_store(options.place, options.mutant);
  if (!opened) return std::move(opened).error();
  std::unique_ptr<Bench> bench(new Bench);
  bench->place_ = options.place;
  bench->opened_ = std::move(*opened);
  if (options.watch) {
    bench->watched_ = std::make_unique<WatchedStore>(bench->opened_.store(), options.watch);
  }
  if (options.other_node) {
    auto other = open_store(*options.other_node, options.mutant);
    if (!other) return std::move(other).error();
    bench->other_ = std::move(*other);
    bench->other_watched_ = std::make_unique<WatchedStore>(bench->other_.store(), options.watch);
  }
  bench->clock_ = options.clock != nullptr ? options.clock : &system_clock();
  for (std::size_t index = 0; index < options.ledgers; ++index) {
    LedgerOptions ledger;
    ledger.strategy = options.strategy;
    Store& store = options.other_node && index % 2 == 1 ? *bench->other_watched_ : bench->store();
    bench->ledgers_.push_back(std::make_unique<Ledger>(store, *bench->clock_, ledger));
  }
  return bench;
}

Status Bench::create_wallet(std::string_view id,
                            std::string_view currency,
                            MinBalance min_balance) {
  const auto created =
      ledger().create_wallet({WalletId{id}, CurrencyCode{currency}, min_balance, {}});
  if (!created) return created.error();
  floors_.emplace(WalletId{id}, min_balance);
  return {};
}

Result<Outcome> Bench::apply(const History::Request& request, std::size_t ledger_index) {
  for (std::size_t repeat = 0;; ++repeat) {
    const std::size_t call = history_.invoke(request);
    Result<Outcome> answer = ledger(ledger_index).apply(request.operation);
    history_.end(call, answer);
    if (!asks_again(answer) || repeat == repeats_max) return answer;
  }
}

Result<Outcome> Bench::apply_until(const History::Request& request,
                                   std::size_t ledger_index,
                                   Deadline deadline) {
  CallOptions options;
  options.deadline = deadline;
  const std::size_t call = history_.invoke(request);
  Result<Outcome> answer = ledger(ledger_index).apply(request.operation, options);
  history_.end(call, answer);
  return answer;
}

Result<Evidence> Bench::collect(std::vector<Reading> readings) {
  Evidence evidence;
  evidence.calls = history_.calls();
  evidence.grants = history_.grants();
  evidence.readings = std::move(readings);
  evidence.floors = floors_;
  auto image = read_image(*opened_.base, evidence.calls, clock_->wall_now());
  if (!image) return std::move(image).error();
  evidence.image = std::move(*image);
  return evidence;
}

void judge_by_verify(Run& run, std::string_view what, Store& store) {
  const auto report = verify(store);
  if (!report) return run.could_not_run(report.error());
  for (const Violation& violation : report->violations) {
    CheckResult found;
    found.invariant = violation.invariant;
    found.facts = 1;
    found.violations.push_back(std::string(what) + ": verify says: " + violation.wallet + ' ' +
                               violation.detail);
    run.add(found);
  }
}

void judge_bench(Run& run, std::string_view what, Bench& bench, std::vector<Reading> readings) {
  const auto evidence = bench.collect(std::move(readings));
  if (!evidence) return run.could_not_run(evidence.error());
  run.judge(what, *evidence);
  judge_by_verify(run, what, bench.store());
}

}  // namespace mizan::prover
