#include "engine/group_commit.hpp"

#include "base/far_store.hpp"
#include "base/thread.hpp"
#include "engine/direct.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

namespace mizan::engine {
namespace {

/// Off the writing thread, which gathers whom it has to wake.
void answer_at_once(Job& job) {
  if (job.done) return job.done(job);
  job.answered.store(true, std::memory_order_release);
  job.bell->ring();
}

}  // namespace

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
      watcher_([this] { watch(); }),
      writer_([this] { work(); }) {}

GroupCommit::~GroupCommit() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  writer_.join();
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  watch_wake_.notify_all();
}

bool GroupCommit::push(std::shared_ptr<Job> job) {
  bool was_idle = false;
  if (!job->requests.empty()) job->deadline = job->requests.front().deadline;
  {
    const MutexLock lock(mutex_);
    const std::size_t count = job->requests.size();
    // One job may be larger than the queue; it is taken when nothing else waits.
    const bool fits = queue_.empty() || queued_operations_ + count <= queue_max_;
    if (closing_ || !fits) return false;
    was_idle = queue_.empty();
    job->bell = &bells_[takes_ % bells_.size()];
    queued_operations_ += count;
    watch_until(job->deadline);
    queue_.push_back(std::move(job));
  }
  if (was_idle) wake_.notify_one();
  return true;
}

bool GroupCommit::run(const std::shared_ptr<Job>& job) {
  if (!begin_alone(job)) {
    if (!push(job)) return false;
    job->wait();
    return true;
  }
  process(std::span(&job, 1));
  leave(true);
  return true;
}

std::size_t GroupCommit::waiting() const {
  const MutexLock lock(mutex_);
  return queued_operations_;
}

bool GroupCommit::begin_alone(const std::shared_ptr<Job>& job) {
  // What is left of a large job is put away while its caller goes on: that is worth a hand-over.
  constexpr std::size_t operations_max = 16;
  const MutexLock lock(mutex_);
  const bool is_alone = was_alone_ && !is_busy_ && !closing_ && queue_.empty();
  if (!is_alone || !job->is_patient || job->requests.size() > operations_max) return false;
  is_busy_ = true;
  current_ = std::span(&job, 1);
  return true;
}

void GroupCommit::leave(bool was_alone) {
  bool others_wait = false;
  {
    const MutexLock lock(mutex_);
    is_busy_ = false;
    others_wait = !queue_.empty();
    was_alone_ = was_alone && !others_wait;
  }
  if (others_wait) wake_.notify_one();
}

std::vector<std::shared_ptr<Job>> GroupCommit::take() {
  std::vector<std::shared_ptr<Job>> jobs;
  MutexLock lock(mutex_);
  while (is_busy_ || (queue_.empty() && !closing_)) wake_.wait(lock);
  std::size_t operations = 0;
  current_deadline_ = Deadline::max();
  while (!queue_.empty()) {
    const std::size_t count = queue_.front()->requests.size();
    if (!jobs.empty() && operations + count > batch_max_) break;
    operations += count;
    current_deadline_ = std::min(current_deadline_, queue_.front()->deadline);
    jobs.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  queued_operations_ -= operations;
  ++takes_;
  current_ = jobs;  // The vector keeps its memory when it is moved out.
  is_busy_ = !jobs.empty();
  return jobs;
}

void GroupCommit::work() {
  name_this_thread("mizan-commit");
  while (true) {
    const auto jobs = take();
    if (jobs.empty()) return;  // Closing, and everything that was accepted is answered.
    process(jobs);
    leave(jobs.size() == 1);
  }
}

void GroupCommit::process(std::span<const std::shared_ptr<Job>> jobs) {
  if (cache_.size() > cached_wallets_max_) cache_.clear();
  std::vector<Request*> requests;
  for (const auto& job : jobs) {
    if (job->dry_run) continue;
    for (Request& request : job->requests) requests.push_back(&request);
  }
  AttemptOptions options;
  options.on_late = [this, jobs](std::span<Request* const> late) { answer_late(jobs, late); };
  options.on_commit = [this](CommitStep step) { note_commit(step); };
  std::unique_ptr<Decider> remains;
  options.remains = &remains;
  settle(requests, options);
  for (const auto& job : jobs) {
    if (job->dry_run && !job->settled) decide_only(*job);
  }
  {
    const MutexLock lock(mutex_);
    current_ = {};
    abandoned_.clear();
  }
  // From here on nobody else settles any of them.
  for (const auto& job : jobs) {
    if (!job->settled) answer(*job);
  }
  ring_bells();
}

/// At least once a second the database is asked first, so that holds end soon after they are due.
void GroupCommit::settle(std::span<Request* const> requests, AttemptOptions options) {
  if (requests.empty()) return;
  constexpr auto unasked_for = std::chrono::seconds(1);
  constexpr auto asked_for = std::chrono::milliseconds(100);
  const Instant now = context_.clock.now();
  bool was_too_early = false;
  if (is_far_ && now >= unasked_from_ && now < unasked_until_) {
    options.was_too_early = &was_too_early;
  } else {
    unasked_until_ = now + unasked_for;
  }
  run_to_answer(context_, cache_, requests, options);
  // Where ids are repeated, or others write the same wallets, it is not the only time.
  if (was_too_early) unasked_from_ = now + asked_for;
}

/// All requests of a job have one deadline, so a job is late as a whole. Once it is answered its
/// requests belong to the caller again.
void GroupCommit::answer_late(std::span<const std::shared_ptr<Job>> jobs,
                              std::span<Request* const> late) {
  const std::unordered_set<const Request*> those(late.begin(), late.end());
  Jobs settled;
  {
    const MutexLock lock(mutex_);
    for (const auto& job : jobs) {
      if (job->settled || !those.contains(job->requests.data())) continue;
      job->settled = true;
      settled.push_back(job);
    }
  }
  for (const auto& job : settled) answer(*job);
  ring_bells();
}

void GroupCommit::answer(Job& job) {
  if (job.done) return job.done(job);
  job.answered.store(true, std::memory_order_release);
  if (job.bell == nullptr) return;
  if (std::find(owed_.begin(), owed_.end(), job.bell) == owed_.end()) owed_.push_back(job.bell);
}

void GroupCommit::ring_bells() noexcept {
  for (Bell* bell : owed_) bell->ring();
  owed_.clear();
}

void GroupCommit::decide_only(Job& job) {
  std::vector<Request*> requests;
  for (Request& request : job.requests) requests.push_back(&request);
  dry_run(context_, requests, Atomicity::independent);
}

void GroupCommit::note_commit(CommitStep step) {
  const MutexLock lock(mutex_);
  committing_ = step == CommitStep::begins;
  if (committing_) {
    watch_until(current_deadline_);
    return;
  }
  if (abandoned_.empty()) return;
  for (const auto& job : current_) {
    if (!job->settled) continue;
    for (Request& request : job->requests) request.gone = true;
  }
}

/// The watcher looks again at this time, or before.
void GroupCommit::watch_until(Deadline deadline) {
  if (deadline >= watch_until_) return;
  watch_until_ = deadline;
  watch_wake_.notify_one();
}

void GroupCommit::watch() {
  name_this_thread("mizan-late");
  MutexLock lock(mutex_);
  while (!closed_) {
    if (watch_until_ == Deadline::max()) {
      watch_wake_.wait(lock);
      continue;
    }
    const auto slice = context_.clock.wait_slice(watch_until_);
    if (slice > std::chrono::nanoseconds::zero()) {
      watch_wake_.wait_for(lock, slice);
      continue;
    }
    const Jobs late = settle_late(context_.clock.now());
    lock.unlock();
    for (const auto& job : late) answer_at_once(*job);
    lock.lock();
  }
}

/// Takes those whose deadline has passed, with their answers, and says when to look again.
GroupCommit::Jobs GroupCommit::settle_late(Instant now) {
  Jobs late;
  watch_until_ = Deadline::max();
  settle_queued(now, late);
  if (committing_) settle_committing(now, late);
  return late;
}

/// None of them was started: they leave the queue.
void GroupCommit::settle_queued(Instant now, Jobs& late) {
  const auto is_late = [now](const std::shared_ptr<Job>& job) { return job->deadline <= now; };
  const auto first = std::stable_partition(
      queue_.begin(), queue_.end(), [&](const auto& job) { return !is_late(job); });
  for (auto job = queue_.begin(); job != first; ++job) {
    watch_until_ = std::min(watch_until_, (*job)->deadline);
  }
  if (first == queue_.end()) return;
  WorkUnderWay others = abandoned_;
  const auto add = [&others](const std::shared_ptr<Job>& job) {
    if (job->settled || job->dry_run) return;
    for (const Request& request : job->requests) others.add(request);
  };
  std::for_each(current_.begin(), current_.end(), add);
  std::for_each(queue_.begin(), first, add);
  for (auto place = first; place != queue_.end(); ++place) {
    Job& job = **place;
    job.settled = true;
    queued_operations_ -= job.requests.size();
    for (const Request& request : job.requests) {
      job.late.emplace_back(others.answer_late(request, "queue"));
    }
    late.push_back(std::move(*place));
  }
  queue_.erase(first, queue_.end());
}

/// Their commit is under way, and what is being committed is not looked at meanwhile.
void GroupCommit::settle_committing(Instant now, Jobs& late) {
  for (const auto& job : current_) {
    if (job->settled) continue;
    if (job->deadline > now) {
      watch_until_ = std::min(watch_until_, job->deadline);
      continue;
    }
    job->settled = true;
    for (const Request& request : job->requests) {
      abandoned_.add(request);
      const bool refused =
          request.result && *request.result && std::holds_alternative<Refused>(**request.result);
      const bool may_be_applied = !job->dry_run && (!refused || request.may_be_applied);
      job->late.emplace_back(may_be_applied ? commit_unknown(request.commit_failure)
                                            : out_of_time("commit"));
    }
    late.push_back(job);
  }
}

}  // namespace mizan::engine
