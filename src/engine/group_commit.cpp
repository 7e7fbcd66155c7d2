#include "engine/group_commit.hpp"

#include "base/assert.hpp"
#include "base/far_store.hpp"
#include "base/thread.hpp"
#include "domain/named_wallets.hpp"
#include "engine/direct.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace mizan::engine {
namespace {

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

/// Larger ones want nearly all wallets.
constexpr std::size_t beside_job_max = 64;

/// A batch that goes beside another costs a transaction of its own: it is to be worth it.
std::size_t enough_beside(std::size_t operations) {
  return std::max<std::size_t>(1, operations / 2);
}

}  // namespace

class GroupCommit::BatchTurn final : public Turn {
 public:
  BatchTurn(GroupCommit& all, Batch& batch) : all_(all), batch_(batch) {}

  void give() override {
    const MutexLock lock(all_.mutex_);
    batch_.away = true;
    if (all_.looks_saved_ > 0) --all_.looks_saved_;
    all_.give_turn();
  }

  void take_back() override {
    MutexLock lock(all_.mutex_);
    ++all_.returning_;
    while (all_.is_turn_taken_) all_.turn_.wait(lock);
    --all_.returning_;
    all_.hold_turn();
    batch_.away = false;
  }

  void await_alone() override {
    MutexLock lock(all_.mutex_);
    if (all_.operations_away() == 0) return;
    ++all_.returning_;
    all_.give_turn();
    while (all_.is_turn_taken_ || all_.operations_away() > 0) all_.turn_.wait(lock);
    --all_.returning_;
    all_.hold_turn();
  }

 private:
  GroupCommit& all_;
  Batch& batch_;
};

void Job::wait() noexcept {
  for (auto seen = bell->rings(); !answered.load(std::memory_order_acquire); seen = bell->rings()) {
    bell->wait(seen);
  }
}

Result<Outcome> Job::take_answer(std::size_t index) {
  if (!late.empty()) return std::move(late[index]);
  return *std::move(requests[index].result);
}

GroupCommit::GroupCommit(const Context& context, const LedgerOptions& options)
    : context_(context),
      queue_max_(options.queue_max),
      batch_max_(options.batch_operations_max),
      cached_wallets_max_(options.cached_wallets_max),
      is_far_(dynamic_cast<const FarStore*>(&context.store) != nullptr),
      watcher_([this] { watch(); }) {
  const std::size_t count = is_far_ ? workers_.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    workers_[i] = std::jthread([this, &batch = batches_[i]] { work(batch); });
  }
}

GroupCommit::~GroupCommit() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::jthread& worker : workers_) {
    if (worker.joinable()) worker.join();
  }
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  watch_wake_.notify_all();
}

bool GroupCommit::push(std::shared_ptr<Job> job) {
  bool wakes = false;
  bool is_gathered = false;
  MIZAN_ASSERT(!job->requests.empty());  // Nobody would be woken for it.
  job->deadline = job->requests.front().deadline;
  {
    const MutexLock lock(mutex_);
    const std::size_t count = job->requests.size();
    // One job may be larger than the queue; it is taken when nothing else waits.
    const bool fits = queue_.empty() || queued_operations_ + count <= queue_max_;
    if (closing_ || !fits) return false;
    job->bell = &next_bell();
    queued_operations_ += count;
    watch_until(job->deadline);
    queue_.push_back(std::move(job));
    wakes = is_gathering_ ? queued_operations_ >= gathering_.enough() : is_worker_wanted();
    is_gathered = is_gathering_;
  }
  if (wakes) (is_gathered ? gathered_ : wake_).notify_one();
  return true;
}

bool GroupCommit::run(const std::shared_ptr<Job>& job) {
  if (Batch* batch = begin_alone(job)) {
    process(*batch, std::span(&job, 1));
    leave(true);
    return true;
  }
  if (!push(job)) return false;
  job->wait();
  return true;
}

std::size_t GroupCommit::waiting() const {
  const MutexLock lock(mutex_);
  return queued_operations_;
}

GroupCommit::Batch* GroupCommit::begin_alone(const std::shared_ptr<Job>& job) {
  // What is left of a large job is put away while its caller goes on: that is worth a hand-over.
  constexpr std::size_t operations_max = 16;
  const MutexLock lock(mutex_);
  const bool is_idle = may_take() && operations_away() == 0 && queue_.empty();
  if (!was_alone_ || !is_idle || closing_) return nullptr;
  if (!job->is_patient || job->requests.size() > operations_max) return nullptr;
  begin(alone_, std::span(&job, 1));
  return &alone_;
}

void GroupCommit::leave(bool was_alone) {
  const MutexLock lock(mutex_);
  was_alone_ = was_alone && queue_.empty() && operations_away() == 0;
}

void GroupCommit::work(Batch& batch) {
  name_this_thread("mizan-commit");
  while (true) {
    const Jobs jobs = take(batch);
    if (jobs.empty()) return;  // Closing, and everything that was accepted is answered.
    process(batch, jobs);
    leave(jobs.size() == 1);
  }
}

GroupCommit::Jobs GroupCommit::take(Batch& batch) {
  MutexLock lock(mutex_);
  Jobs jobs;
  while (true) {
    if (may_take() && operations_away() == 0) {
      gather(lock);
      jobs = take_in_order();
      wake_at_ = 1;
    } else if (may_take()) {
      jobs = take_beside();
    }
    if (!jobs.empty()) break;
    if (closing_ && queue_.empty()) return jobs;
    wake_.wait(lock);
  }
  begin(batch, jobs);  // The vector keeps its memory when it is moved out.
  queued_operations_ -= batch.operations;
  change_bell();
  return jobs;
}

void GroupCommit::begin(Batch& batch, std::span<const std::shared_ptr<Job>> jobs) {
  batch.jobs = jobs;
  batch.began = context_.clock.now();
  for (const auto& job : jobs) {
    batch.operations += job->requests.size();
    batch.deadline = std::min(batch.deadline, job->deadline);
  }
  hold_turn();
}

/// The turn is held meanwhile.
void GroupCommit::gather(MutexLock& lock) {
  if (!are_all_after_the_same()) return;
  if (!gathering_.begin(queued_operations_, context_.clock.now())) return;
  is_gathering_ = true;
  hold_turn();
  // Once: whoever wakes it brings the last of them, and to go on early does no harm.
  gathered_.wait_for(lock, context_.clock.wait_slice(gathering_.until()));
  is_gathering_ = false;
  is_turn_taken_ = false;
  gathering_.end(queued_operations_);
}

/// So it seemed when it was last looked at, and it is not yet to be looked at again.
bool GroupCommit::are_all_after_the_same() const {
  return in_vain_ > 0 && looks_saved_ > 0;
}

/// Where it seems that there is more than one batch can take beside another, half of it.
std::size_t GroupCommit::share() const {
  constexpr std::size_t share_min = 16;
  if (!is_far_ || are_all_after_the_same()) return batch_max_;
  const std::size_t operations = queued_operations_ + operations_away();
  return std::min(std::max(share_min, (operations + 1) / 2), batch_max_);
}

/// Of those who come one after the other, and so are mostly answered together.
Bell& GroupCommit::next_bell() {
  constexpr std::size_t callers_max = 16;
  if (bell_callers_ == callers_max) change_bell();
  ++bell_callers_;
  return bells_[bell_ % bells_.size()];
}

void GroupCommit::change_bell() {
  ++bell_;
  bell_callers_ = 0;
}

GroupCommit::Jobs GroupCommit::take_in_order() {
  Jobs jobs;
  const std::size_t share = this->share();
  std::size_t operations = 0;
  while (!queue_.empty()) {
    const std::size_t count = queue_.front()->requests.size();
    operations += count;
    const std::size_t most = count > beside_job_max ? batch_max_ : share;
    if (!jobs.empty() && operations > most) break;
    jobs.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return jobs;
}

/// What is free while another batch is being written, where it is enough to be worth it. Where all
/// want the same wallets it is not even looked for, most of the time.
GroupCommit::Jobs GroupCommit::take_beside() {
  constexpr std::size_t looks_saved_max = 63;
  wake_at_ = nobody;
  if (looks_saved_ > 0 || !may_write_unasked(context_.clock.now())) return {};
  const std::size_t enough = enough_beside(operations_away());
  if (queued_operations_ < enough) {
    wake_at_ = enough;
    return {};
  }
  const auto places = find_free();
  std::size_t operations = 0;
  for (const std::size_t place : places) operations += queue_[place]->requests.size();
  if (operations < enough) {
    in_vain_ = std::min(2 * in_vain_ + 1, looks_saved_max);
    looks_saved_ = in_vain_;
    return {};
  }
  in_vain_ = 0;
  Jobs jobs;
  jobs.reserve(places.size());
  for (const std::size_t place : places) jobs.push_back(std::move(queue_[place]));
  queue_.erase(std::remove(queue_.begin(), queue_.end(), nullptr), queue_.end());
  return jobs;
}

/// The places in the queue of what names no wallet that is away or that somebody waits for who was
/// passed over. It ends where that is not to be seen from the names alone.
std::vector<std::size_t> GroupCommit::find_free() {
  ++looks_;
  const std::size_t share = this->share();
  std::vector<std::size_t> places;
  std::size_t operations = 0;
  for (std::size_t place = 0; place < queue_.size(); ++place) {
    const Job& job = *queue_[place];
    operations += job.requests.size();
    if (job.dry_run || job.requests.size() > beside_job_max || operations > share) break;
    const auto is_plain = [](const Request& one) { return moves_money_only(*one.operation); };
    if (!std::all_of(job.requests.begin(), job.requests.end(), is_plain)) break;
    if (is_free(job)) places.push_back(place);
  }
  return places;
}

bool GroupCommit::is_free(const Job& job) {
  const std::uint64_t look = looks_;
  bool is_free = true;
  std::vector<CachedWallet*> wallets;
  for (const Request& request : job.requests) {
    domain::visit_named_wallets(*request.operation, [&](const WalletId& id) {
      CachedWallet* wallet = cache_.find(id);
      is_free = is_free && wallet != nullptr && !wallet->is_away && wallet->passed_over != look;
      if (wallet != nullptr) wallets.push_back(wallet);
    });
  }
  if (is_free) return true;
  for (CachedWallet* wallet : wallets) wallet->passed_over = look;
  return false;
}

void GroupCommit::process(Batch& batch, std::span<const std::shared_ptr<Job>> jobs) {
  std::vector<Request*> requests;
  for (const auto& job : jobs) {
    if (job->dry_run) continue;
    for (Request& request : job->requests) requests.push_back(&request);
  }
  std::unique_ptr<Decider> remains;
  AttemptOptions options;
  options.on_late = [this, jobs](std::span<Request* const> late) { answer_late(jobs, late); };
  options.on_commit = [this, &batch](CommitStep step) { note_commit(batch, step); };
  options.remains = &remains;
  settle(batch, requests, options);
  for (const auto& job : jobs) {
    if (job->dry_run && !job->settled) decide_only(*job);
  }
  {
    const MutexLock lock(mutex_);
    const Instant now = context_.clock.now();
    const std::size_t everybody = queued_operations_ + batch.operations;
    const bool is_back = is_back_soon(batch, jobs);
    gathering_.expect(everybody, now - batch.began, now);
    batch = {};
    give_turn();
    if (wake_at_ == 1 && is_back) wake_at_ = everybody;
  }
  // From here on nobody else settles any of them.
  Jobs rest;
  rest.reserve(jobs.size());
  for (const auto& job : jobs) {
    if (!job->settled) rest.push_back(job);
  }
  answer(rest);
}

/// Where the batch's thread has answered before its callers are all there again: nobody else is to
/// wake for the first of them. A callback may take its time.
bool GroupCommit::is_back_soon(const Batch& batch,
                               std::span<const std::shared_ptr<Job>> jobs) const {
  const auto is_waited_for = [](const std::shared_ptr<Job>& job) { return !job->done; };
  return are_all_after_the_same() && &batch != &alone_ &&
         std::all_of(jobs.begin(), jobs.end(), is_waited_for);
}

/// At least once a second the database is asked first, so that holds end soon after they are due.
void GroupCommit::settle(Batch& batch, std::span<Request* const> requests, AttemptOptions options) {
  if (requests.empty()) return;
  constexpr auto unasked_for = std::chrono::seconds(1);
  static constexpr auto asked_for = std::chrono::milliseconds(100);
  bool is_beside = false;
  {
    const MutexLock lock(mutex_);
    is_beside = operations_away() > 0;
  }
  const Instant now = context_.clock.now();
  options.unasked = is_beside || may_write_unasked(now);
  if (!options.unasked) unasked_until_ = now + unasked_for;
  BatchTurn turn(*this, batch);
  if (is_far_) options.turn = &turn;
  // Where ids are repeated it is not the only time.
  options.on_too_early = [this] { unasked_from_ = context_.clock.now() + asked_for; };
  if (!is_beside && cache_.size() > cached_wallets_max_) cache_.clear();
  run_to_answer(context_, cache_, requests, options);
}

bool GroupCommit::may_write_unasked(Instant now) const noexcept {
  return is_far_ && now >= unasked_from_ && now < unasked_until_;
}

bool GroupCommit::may_take() const {
  return !is_turn_taken_ && returning_ == 0;
}

std::size_t GroupCommit::operations_away() const {
  std::size_t operations = 0;
  for (const Batch* batch : {&alone_, &batches_[0], &batches_[1]}) {
    if (batch->away) operations += batch->operations;
  }
  return operations;
}

void GroupCommit::hold_turn() {
  is_turn_taken_ = true;
  wake_at_ = nobody;
}

/// Whoever returns from a COMMIT comes first.
void GroupCommit::give_turn() {
  is_turn_taken_ = false;
  if (returning_ > 0) return turn_.notify_all();
  wake_at_ = looks_saved_ > 0 && operations_away() > 0 ? nobody : enough_beside(operations_away());
  if (closing_) {
    wake_.notify_all();
  } else if (is_worker_wanted()) {
    wake_.notify_one();
  }
}

bool GroupCommit::is_worker_wanted() {
  if (queued_operations_ < wake_at_) return false;
  wake_at_ = nobody;  // Once is enough.
  return true;
}

void GroupCommit::decide_only(Job& job) {
  std::vector<Request*> requests;
  for (Request& request : job.requests) requests.push_back(&request);
  dry_run(context_, requests, Atomicity::independent);
}

}  // namespace mizan::engine
