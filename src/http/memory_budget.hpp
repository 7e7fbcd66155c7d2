#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace mizan::http {

/// Bytes that may be held for all clients at once. Any thread.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t most) noexcept : most_(most) {}

  [[nodiscard]] bool is_spent() const noexcept {
    return held_.load(std::memory_order_relaxed) >= most_;
  }

 private:
  friend class MemoryShare;

  std::atomic<std::size_t> held_{0};
  std::size_t most_;
};

/// What is held of a budget for one client; given back at its end. What everybody has is not
/// counted: up to 64 KiB. One thread at a time.
class MemoryShare {
 public:
  static constexpr std::size_t free = std::size_t{64} * 1024;

  MemoryShare() noexcept = default;

  MemoryShare(MemoryShare&& other) noexcept
      : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}

  MemoryShare& operator=(MemoryShare&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

  ~MemoryShare() {
    if (budget_) budget_->held_ -= bytes_;
  }

  /// So much is held from now on, of that budget and, until the end, of no other.
  void hold(const std::shared_ptr<MemoryBudget>& budget, std::size_t size) noexcept {
    const std::size_t bytes = size > free ? size - free : 0;
    if (bytes == bytes_) return;
    budget_ = budget;
    budget_->held_ += bytes - std::exchange(bytes_, bytes);  // Modulo 2^64 where it is less.
  }

 private:
  std::shared_ptr<MemoryBudget> budget_;  // An answer may outlive the server.
  std::size_t bytes_ = 0;
};

}  // namespace mizan::http
