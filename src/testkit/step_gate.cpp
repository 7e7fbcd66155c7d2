#include "testkit/step_gate.hpp"

#include <chrono>

namespace mizan::testkit {

StepHook StepGate::hook() {
  return [this](std::string_view step) { arrive(step); };
}

void StepGate::close(std::string_view step) {
  const std::lock_guard lock(mutex_);
  closed_ = std::string(step);
}

bool StepGate::wait_until_reached(Deadline deadline) {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(5), [this] { return occupied_; })) {
    if (system_clock().now() >= deadline) return false;
  }
  return true;
}

void StepGate::open() {
  const std::lock_guard lock(mutex_);
  closed_.reset();
  changed_.notify_all();
}

std::size_t StepGate::count(std::string_view step) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(step);
  return found == counts_.end() ? 0 : found->second;
}

void StepGate::arrive(std::string_view step) {
  std::unique_lock lock(mutex_);
  ++counts_[std::string(step)];
  if (closed_ != step) return;
  occupied_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this, step] { return closed_ != step; });
  occupied_ = false;
}

}  // namespace mizan::testkit
