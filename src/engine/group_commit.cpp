#include "engine/group_commit.hpp"

#include "base/thread.hpp"
#include "engine/direct.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace mizan::engine {

void Job::wait() noexcept {
  for (auto seen = bell->rings(); !answered.load(std::memory_order_acquire); seen = bell->rings()) {
    bell->wait(seen);
  }
}

GroupCommit::GroupCommit(const Context& context, const LedgerOptions& options)
    : context_(context),
      queue_max_(options.queue_max),
      batch_max_(options.batch_operations_max),
      cached_wallets_max_(options.cached_wallets_max),
      writer_([this] { run(); }) {}

GroupCommit::~GroupCommit() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
}

bool GroupCommit::push(std::shared_ptr<Job> job) {
  bool was_idle = false;
  {
    const MutexLock lock(mutex_);
    const std::size_t count = job->requests.size();
    // One job may be larger than the queue; it is taken when nothing else waits.
    const bool fits = queue_.empty() || queued_operations_ + count <= queue_max_;
    if (closing_ || !fits) return false;
    was_idle = queue_.empty();
    job->bell = &bells_[takes_ % bells_.size()];
    queued_operations_ += count;
    queue_.push_back(std::move(job));
  }
  if (was_idle) wake_.notify_one();
  return true;
}

std::vector<std::shared_ptr<Job>> GroupCommit::take() {
  std::vector<std::shared_ptr<Job>> jobs;
  MutexLock lock(mutex_);
  while (queue_.empty() && !closing_) wake_.wait(lock);
  std::size_t operations = 0;
  while (!queue_.empty()) {
    const std::size_t count = queue_.front()->requests.size();
    if (!jobs.empty() && operations + count > batch_max_) break;
    operations += count;
    jobs.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  queued_operations_ -= operations;
  ++takes_;
  return jobs;
}

void GroupCommit::run() {
  name_this_thread("mizan-commit");
  while (true) {
    const auto jobs = take();
    if (jobs.empty()) return;  // Closing, and everything that was accepted is answered.
    process(jobs);
  }
}

void GroupCommit::process(std::span<const std::shared_ptr<Job>> jobs) {
  if (cache_.size() > cached_wallets_max_) cache_.clear();
  std::vector<Request*> requests;
  for (const auto& job : jobs) {
    if (job->dry_run) continue;
    for (Request& request : job->requests) requests.push_back(&request);
  }
  // All requests of a job have one deadline, so a job is late as a whole. Once it is answered its
  // requests belong to the caller again.
  std::unordered_set<const Job*> answered;
  AttemptOptions options;
  options.on_late = [this, &jobs, &answered](std::span<Request* const> late) {
    const std::unordered_set<const Request*> those(late.begin(), late.end());
    for (const auto& job : jobs) {
      if (answered.contains(job.get()) || !those.contains(job->requests.data())) continue;
      answered.insert(job.get());
      answer(*job);
    }
    ring_bells();
  };
  std::unique_ptr<Decider> remains;
  options.remains = &remains;
  run_to_answer(context_, cache_, requests, options);
  for (const auto& job : jobs) {
    if (answered.contains(job.get())) continue;
    if (job->dry_run) decide_only(*job);
    answer(*job);
  }
  ring_bells();
}

void GroupCommit::answer(Job& job) {
  if (job.done) return job.done(job);
  job.answered.store(true, std::memory_order_release);
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

}  // namespace mizan::engine
