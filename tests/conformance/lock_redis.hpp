#pragma once

#include "mizan/memory.hpp"
#include "mizan/redis.hpp"

#include "testkit/fake_clock.hpp"
#include "testkit/redis_server.hpp"
#include "tests/conformance/lock_conformance.hpp"
#include "tests/conformance/servers.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace mizan::conformance {

/// Options for the server at this port, with keys of their own: tests share a server.
inline RedisOptions redis_at(std::uint16_t port) {
  static std::atomic<int> count = 0;
  RedisOptions options;
  options.addresses = {{"127.0.0.1", port}};
  options.prefix = "test" + std::to_string(++count);
  // A machine that is busy is not a server that hangs.
  options.connect_timeout = std::chrono::seconds{5};
  options.command_timeout = std::chrono::seconds{5};
  return options;
}

inline std::unique_ptr<LeaseTable> must_make_table(const RedisOptions& options,
                                                   EpochTable* epochs) {
  auto table = make_redis_lease_table(options, epochs);
  if (table) return std::move(*table);
  ADD_FAILURE() << table.error().where << ": " << table.error().detail;
  std::abort();
}

/// A lease table in Redis. The service's clock moves when the test says so, and the server's time
/// goes by along with it: so leases end for both, and nothing hangs on how busy the machine is.
class RedisWorld final : public LockWorld {
 public:
  explicit RedisWorld(const RedisOptions& options)
      : store_(make_memory_store(system_clock())),
        table_(must_make_table(options, store_->epochs())) {}

  LeaseTable& table() override { return *table_; }

  const Clock& clock() override { return clock_; }

  void pass(std::chrono::nanoseconds time) override {
    std::this_thread::sleep_for(time);
    clock_.advance(time);
  }

 private:
  testkit::FakeClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<LeaseTable> table_;
};

}  // namespace mizan::conformance
