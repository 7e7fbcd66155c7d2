#include "prover/scenarios/crashes.hpp"

#include <utility>

namespace mizan::prover {

CrashSite::CrashSite(Run& run, Strategy strategy)
    : run_(run), strategy_(strategy), place_(run.fresh_place()) {}

bool CrashSite::start() {
  Crew::Options options;
  options.place = place_;
  options.socket = run_.fresh_path(".s");
  options.strategy = strategy_;
  options.mutant = run_.mutant();
  auto crew = Crew::start(options, history_);
  if (crew) {
    crew_ = std::move(*crew);
    return true;
  }
  run_.could_not_run(crew.error());
  return false;
}

bool CrashSite::set_up(const std::vector<std::string_view>& wallets) {
  for (const std::string_view wallet : wallets) {
    const Status created = crew_->create_wallet(wallet);
    if (created) continue;
    run_.could_not_run(created.error());
    return false;
  }
  const std::string id = "fund-" + std::string(wallets.front());
  const auto funded = crew_->apply(ask(0, testkit::deposit(id, wallets.front(), 100)));
  if (code_of_answer(funded) == Code::applied) return true;
  run_.could_not_run(internal_error("prover", "the wallet could not be funded"));
  return false;
}

bool CrashSite::kill_at(std::string_view step, const History::Request& request) {
  const auto reached = crew_->kill_at(step, request);
  note_acknowledged();
  crew_.reset();
  if (reached) return *reached;
  run_.could_not_run(reached.error());
  return false;
}

void CrashSite::kill() {
  crew_->kill();
  note_acknowledged();
  crew_.reset();
}

void CrashSite::judge(std::string_view what,
                      std::optional<WideUnits> expected_sum,
                      const std::vector<WalletId>& wallets) {
  auto opened = open_store(place_, {});
  if (!opened) return run_.could_not_run(opened.error());
  Evidence evidence;
  evidence.calls = history_.calls();
  evidence.acked_before_crash = acknowledged_;
  auto image = read_image(opened->store(), evidence.calls, system_clock().wall_now());
  if (!image) return run_.could_not_run(image.error());
  evidence.image = std::move(*image);
  for (const WalletImage& wallet : evidence.image.wallets) {
    evidence.floors.emplace(wallet.id, MinorUnits{0});
  }
  auto reading = read_group(opened->store(), wallets, expected_sum);
  if (!reading) return run_.could_not_run(reading.error());
  evidence.readings.push_back(std::move(*reading));
  run_.judge(what, evidence);
  judge_by_verify(run_, what, opened->store());
}

void CrashSite::note_acknowledged() {
  for (const Call& call : history_.calls()) {
    if (call.end == CallEnd::ok) acknowledged_.insert(call.operation.id);
  }
}

}  // namespace mizan::prover
