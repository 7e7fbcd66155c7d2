#include "prover/scenarios/situations.hpp"

#include "prover/scenarios/common.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace mizan::prover {

namespace {

constexpr std::chrono::milliseconds ttl{200};
// Enough to pay the invoice twice: only the layers stand between the shop and that.
constexpr std::int64_t funds = 200;
constexpr std::int64_t invoice = 60;

std::string codes(Code first, Code second) {
  return std::string(to_string(first)) + " / " + std::string(to_string(second));
}

/// The wallets of one situation; each has its own, so that one ledger serves them all.
struct Places {
  std::string shop;
  std::string supplier;

  explicit Places(std::string_view situation)
      : shop("shop-" + std::string(situation)), supplier("supplier-" + std::string(situation)) {}
};

bool prepare(Stage& stage, const Places& places, std::int64_t amount = funds) {
  for (const std::string& wallet : {places.shop, places.supplier}) {
    const Status created = stage.crew().create_wallet(wallet);
    if (created) continue;
    stage.run().could_not_run(created.error());
    return false;
  }
  const auto funded =
      stage.crew().apply(ask(0, testkit::deposit("fund-" + places.shop, places.shop, amount)));
  if (code_of_answer(funded) == Code::applied) return true;
  stage.run().could_not_run(internal_error("prover", "a wallet could not be funded"));
  return false;
}

History::Request settle(Stage& stage,
                        const Worker& worker,
                        const Places& places,
                        const std::string& id,
                        const Fence& held) {
  History::Request request = ask(worker.client(),
                                 testkit::transfer(id, places.shop, places.supplier, invoice),
                                 "settle " + places.shop);
  request.held = held;
  if (stage.off() != Layer::fence) request.operation.fences.push_back(held);
  return request;
}

Effect judge_payout(Stage& stage, const Places& places, Code first, Code second) {
  Effect effect;
  effect.first = first;
  effect.second = second;
  const auto paid = stage.crew().read_balance(places.supplier);
  const auto left = stage.crew().read_balance(places.shop);
  if (!paid || !left) {
    stage.run().could_not_run(paid ? left.error() : paid.error());
    return effect;
  }
  effect.ran = true;
  effect.is_right = *paid == invoice && *left == funds - invoice;
  effect.text = effect.is_right ? "right (" + codes(first, second) + ")"
                                : "paid " + std::to_string(*paid) + " for " +
                                      std::to_string(invoice) + ", left " + std::to_string(*left);
  return effect;
}

void tell(Story* story, std::string lane, std::string text, bool is_wrong = false) {
  if (story != nullptr) story->moments.push_back({std::move(lane), std::move(text), is_wrong});
}

std::string token_text(const Fence& fence) {
  return "token " + std::to_string(fence.token.value());
}

Effect failed(Stage& stage, const Error& error) {
  stage.run().could_not_run(error);
  return {};
}

}  // namespace

std::string_view to_string(Layer layer) noexcept {
  switch (layer) {
    case Layer::none:
      return "nothing";
    case Layer::lock:
      return "lock";
    case Layer::fence:
      return "fence";
    case Layer::operation_id:
      return "operation id";
    case Layer::guard:
      return "guarded write";
  }
  return "nothing";
}

Result<std::string> Stage::lock_word() const {
  if (off_ == Layer::lock || run_.lock().kind == LockKind::none) return std::string("off");
  if (run_.lock().kind != LockKind::redis) return std::string("store");
  const auto options = run_.fresh_redis();
  if (!options) return options.error();
  return "redis:" + options->prefix;
}

bool Stage::open(std::string_view mutant) {
  Crew::Options options;
  place_ = run_.fresh_place();
  options.place = place_;
  options.socket = run_.fresh_path(".s");
  options.ledgers = 2;
  options.mutant = off_ == Layer::guard ? "guard-ignored" : std::string(mutant);
  const auto lock = lock_word();
  if (!lock) {
    run_.could_not_run(lock.error());
    return false;
  }
  options.lock = *lock;
  auto crew = Crew::start(options, history_);
  if (!crew) {
    run_.could_not_run(crew.error());
    return false;
  }
  crew_ = std::move(*crew);
  for (auto* worker : {&first_, &second_}) {
    auto hired = crew_->hire(worker == &first_ ? 1 : 2);
    if (!hired) {
      run_.could_not_run(hired.error());
      return false;
    }
    *worker = std::move(*hired);
  }
  return true;
}

Result<Evidence> Stage::close() {
  first_.reset();
  second_.reset();
  crew_->kill();
  auto opened = open_store(place_, {});
  if (!opened) return std::move(opened).error();
  Evidence evidence;
  evidence.calls = history_.calls();
  evidence.grants = history_.grants();
  auto image = read_image(opened->store(), evidence.calls, system_clock().wall_now());
  if (!image) return std::move(image).error();
  evidence.image = std::move(*image);
  for (const WalletImage& wallet : evidence.image.wallets) {
    evidence.floors.emplace(wallet.id, MinorUnits{0});
  }
  if (off_ == Layer::none) judge_by_verify(run_, "paused-holder", opened->store());
  return evidence;
}

Effect paused_holder_settles(Stage& stage, bool same_id, Story* story) {
  const Places places(same_id ? "same" : "other");
  if (!prepare(stage, places)) return {};
  const Resource resource{"wallet:" + places.shop};
  const auto first_lease = stage.first().acquire(resource, ttl);
  if (!first_lease) return failed(stage, first_lease.error());
  tell(story, "P1", "takes the lock: " + token_text(*first_lease));
  tell(story, "P1", "reads: the shop has " + std::to_string(funds));
  if (const Status paused = stage.first().pause(); !paused) return failed(stage, paused.error());
  tell(story, "P1", "SIGSTOP: the whole process stands still, its renewal too");
  const auto second_lease = stage.second().acquire(resource, ttl);
  if (!second_lease) return failed(stage, second_lease.error());
  tell(story, "lock", "the time to live is over");
  tell(story, "P2", "takes the lock: " + token_text(*second_lease));
  const std::string id = "settle-" + places.shop;
  const auto second =
      stage.second().apply(settle(stage, stage.second(), places, id, *second_lease));
  const Code second_code = code_of_answer(second);
  tell(story, "P2", "pays " + std::to_string(invoice) + " as " + id);
  tell(
      story, "ledger", std::string(to_string(second_code)) + " under " + token_text(*second_lease));
  const bool first_has_own_id = !same_id || stage.off() == Layer::operation_id;
  const std::string first_id = first_has_own_id ? id + "-by-P1" : id;
  // The request is in the pipe when the process wakes up: it acts on what it believed before.
  const Status sent =
      stage.first().send_apply(settle(stage, stage.first(), places, first_id, *first_lease));
  if (!sent) return failed(stage, sent.error());
  stage.first().resume();
  tell(story, "P1", "SIGCONT: it believes that it holds the lock");
  tell(story,
       "P1",
       "pays " + std::to_string(invoice) + " as " + first_id + " with " +
           (stage.off() == Layer::fence ? std::string("no token") : token_text(*first_lease)));
  const Code first_code = code_of_answer(stage.first().finish_apply());
  const Effect effect = judge_payout(stage, places, first_code, second_code);
  tell(story, "ledger", std::string(to_string(first_code)), !effect.is_right);
  return effect;
}

Effect two_at_once(Stage& stage) {
  const Places places("two");
  if (!prepare(stage, places, 100)) return {};
  // A refused request leaves the balance of 100 in the second worker's cache, as a read would.
  static_cast<void>(stage.second().apply(
      ask(2, testkit::withdraw("look-" + places.shop, places.shop, 1'000'000)), 1));
  const Resource resource{"wallet:" + places.shop};
  const bool serial = stage.off() != Layer::lock;
  const auto request = [&](const Worker& worker, const Fence& held) {
    const std::string id = "take-" + std::to_string(worker.client()) + places.shop;
    History::Request asked = ask(worker.client(), testkit::withdraw(id, places.shop, 80));
    asked.held = held;
    if (stage.off() != Layer::fence) asked.operation.fences.push_back(held);
    return asked;
  };
  std::vector<Code> answers;
  for (Worker* worker : {&stage.first(), &stage.second()}) {
    const auto lease = worker->acquire(resource, ttl);
    if (!lease) return failed(stage, lease.error());
    const Status sent = worker->send_apply(request(*worker, *lease), worker->client() - 1);
    if (!sent) return failed(stage, sent.error());
    if (!serial) continue;
    answers.push_back(code_of_answer(worker->finish_apply()));
    static_cast<void>(worker->release());
  }
  if (!serial) {
    answers.push_back(code_of_answer(stage.first().finish_apply()));
    answers.push_back(code_of_answer(stage.second().finish_apply()));
  }
  Effect effect;
  effect.first = answers.at(0);
  effect.second = answers.at(1);
  const auto left = stage.crew().read_balance(places.shop);
  if (!left) return failed(stage, left.error());
  const bool one = (effect.first == Code::applied) != (effect.second == Code::applied);
  effect.ran = true;
  effect.is_right = one && *left == 20;
  effect.text = effect.is_right ? "right (" + codes(effect.first, effect.second) + ")"
                                : "two withdrawals of 80 from 100, left " + std::to_string(*left);
  return effect;
}

Effect late_duplicate(Stage& stage) {
  const Places places("late");
  if (!prepare(stage, places)) return {};
  const Resource resource{"wallet:" + places.shop};
  const std::string id = "settle-" + places.shop;
  std::vector<Code> answers;
  for (Worker* worker : {&stage.first(), &stage.second()}) {
    const auto lease = worker->acquire(resource, ttl);
    if (!lease) return failed(stage, lease.error());
    const bool own_id = stage.off() == Layer::operation_id && worker == &stage.second();
    const std::string its_id = own_id ? id + "-again" : id;
    answers.push_back(
        code_of_answer(worker->apply(settle(stage, *worker, places, its_id, *lease))));
    static_cast<void>(worker->release());
  }
  return judge_payout(stage, places, answers.at(0), answers.at(1));
}

}  // namespace mizan::prover
