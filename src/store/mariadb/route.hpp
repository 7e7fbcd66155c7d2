#pragma once

#include "base/mutex.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::mariadb {

/// Where a server listens. No host: the socket.
struct Address {
  std::string host;
  std::uint16_t port = 3306;
};

/// Which of a cluster's nodes is asked: the same one by all connections of a store, since two nodes
/// that write the same wallets are in each other's way, until it fails. Any thread may call.
class Route {
 public:
  /// At least one.
  explicit Route(std::vector<Address> nodes) noexcept : nodes_(std::move(nodes)) {}

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

  [[nodiscard]] const Address& address(std::size_t node) const noexcept { return nodes_[node]; }

  [[nodiscard]] std::size_t current() const noexcept {
    return current_.load(std::memory_order_relaxed);
  }

  /// This one failed: the next is asked from now on, unless somebody saw to that already.
  void leave(std::size_t node) noexcept;

  /// Is this the cluster of the nodes that were met before? The first one met is remembered.
  [[nodiscard]] bool belongs(std::string_view cluster) MIZAN_EXCLUDES(mutex_);

 private:
  std::vector<Address> nodes_;
  std::atomic<std::size_t> current_{0};
  Mutex mutex_;
  std::string cluster_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::mariadb
