// Who answers a job, and when its deadline comes before its turn or during its COMMIT.

#include "base/thread.hpp"
#include "engine/group_commit.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace mizan::engine {
namespace {

/// Of one job, or notes whom to wake for it.
void answer(Job& job, std::vector<Bell*>& owed) {
  if (job.done) return job.done(job);
  job.answered.store(true, std::memory_order_release);
  if (job.bell == nullptr) return;
  if (std::find(owed.begin(), owed.end(), job.bell) == owed.end()) owed.push_back(job.bell);
}

}  // namespace

void answer(std::span<const std::shared_ptr<Job>> jobs) {
  std::vector<Bell*> owed;
  for (const auto& job : jobs) answer(*job, owed);
  for (Bell* bell : owed) bell->ring();
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
  answer(settled);
}

void GroupCommit::note_commit(Batch& batch, CommitStep step) {
  const MutexLock lock(mutex_);
  batch.committing = step == CommitStep::begins;
  if (batch.committing) return watch_until(batch.deadline);
  if (batch.abandoned.empty()) return;
  for (const auto& job : batch.jobs) {
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
    answer(late);
    lock.lock();
  }
}

/// Takes those whose deadline has passed, with their answers, and says when to look again.
GroupCommit::Jobs GroupCommit::settle_late(Instant now) {
  Jobs late;
  watch_until_ = Deadline::max();
  settle_queued(now, late);
  for (Batch* batch : {&alone_, &batches_[0], &batches_[1]}) {
    if (batch->committing) settle_committing(*batch, now, late);
  }
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
  WorkUnderWay others;
  const auto add = [&others](const std::shared_ptr<Job>& job) {
    if (job->settled || job->dry_run) return;
    for (const Request& request : job->requests) others.add(request);
  };
  for (const Batch* batch : {&alone_, &batches_[0], &batches_[1]}) {
    others.add(batch->abandoned);
    std::for_each(batch->jobs.begin(), batch->jobs.end(), add);
  }
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
void GroupCommit::settle_committing(Batch& batch, Instant now, Jobs& late) {
  for (const auto& job : batch.jobs) {
    if (job->settled) continue;
    if (job->deadline > now) {
      watch_until_ = std::min(watch_until_, job->deadline);
      continue;
    }
    job->settled = true;
    for (const Request& request : job->requests) {
      batch.abandoned.add(request);
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
