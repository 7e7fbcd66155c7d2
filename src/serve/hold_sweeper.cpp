#include "serve/hold_sweeper.hpp"

#include "base/thread.hpp"

namespace mizan::serve {
namespace {

constexpr std::chrono::seconds interval{1};

}  // namespace

HoldSweeper::HoldSweeper(Ledger& ledger, const Clock& clock)
    : ledger_(ledger), clock_(clock), thread_([this] { run(); }) {}

HoldSweeper::~HoldSweeper() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void HoldSweeper::run() {
  name_this_thread("mizan-sweep");
  MutexLock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    sweep();
    lock.lock();
    if (!stopping_) wake_.wait_for(lock, interval);
  }
}

/// A failure is left to the next second: nothing depends on the sweep but the look of the tables.
void HoldSweeper::sweep() {
  auto snapshot = ledger_.snapshot();
  if (!snapshot) return;
  const auto due = (*snapshot)->sum_due_holds(clock_.wall_now());
  const bool is_any = due && !due->empty();
  snapshot->reset();
  if (is_any) static_cast<void>(ledger_.expire_holds());
}

}  // namespace mizan::serve
