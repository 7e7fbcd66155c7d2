#include "prover/progress.hpp"

namespace mizan::prover {

Progress::Progress(const Console& console, std::size_t steps, bool quiet)
    : console_(console), steps_(steps), quiet_(quiet) {}

Progress::~Progress() {
  const MutexLock lock(mutex_);
  wipe();
}

void Progress::begins(const std::string& store, std::string_view step) {
  const MutexLock lock(mutex_);
  doing_[store] = std::string(step);
  draw();
}

void Progress::ended(const std::string& store, std::string_view text) {
  const MutexLock lock(mutex_);
  doing_.erase(store);
  ++done_;
  wipe();
  if (!quiet_) console_.out(text);
  draw();
}

void Progress::draw() {
  if (!console_.progress || doing_.empty()) return;
  std::string line = "\r\x1b[K" + std::to_string(done_) + "/" + std::to_string(steps_);
  for (const auto& [store, step] : doing_) line += "  " + store + ": " + step;
  console_.err(line);
  drawn_ = true;
}

void Progress::wipe() {
  if (drawn_) console_.err("\r\x1b[K");
  drawn_ = false;
}

}  // namespace mizan::prover
