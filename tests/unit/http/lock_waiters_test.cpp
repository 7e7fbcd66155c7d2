#include "http/lock_waiters.hpp"

#include "base/mutex.hpp"
#include "testkit/eventually.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::http {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testkit::eventually;

/// A client, who remembers what it was answered.
class Client final : public ExchangeOwner {
 public:
  void finished(std::shared_ptr<ExchangeOwner> /*self*/,
                std::shared_ptr<Exchange> exchange) noexcept override {
    const MutexLock lock(mutex_);
    answer_ = exchange->take_response();
  }

  /// 0: none yet.
  [[nodiscard]] int status() const {
    const MutexLock lock(mutex_);
    return answer_ ? answer_->status : 0;
  }

 private:
  mutable Mutex mutex_;
  std::optional<Response> answer_ MIZAN_GUARDED_BY(mutex_);
};

/// Leases in memory; acquisitions by whom it is shut for hang.
class Gate final : public LockService {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "gate"; }

  Result<AcquireOutcome> acquire(AcquireRequest request) override {
    {
      MutexLock lock(mutex_);
      const bool hangs = request.owner == shut_for_;
      hanging_ += hangs ? 1 : 0;
      while (request.owner == shut_for_) changed_.wait(lock);
      hanging_ -= hangs ? 1 : 0;
    }
    return locks_->acquire(std::move(request));
  }

  Result<bool> renew(const Resource& resource, const LockOwner& owner, milliseconds ttl) override {
    return locks_->renew(resource, owner, ttl);
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return locks_->release(resource, owner);
  }

  void shut_for(const std::string& owner) {
    const MutexLock lock(mutex_);
    shut_for_ = LockOwner(owner);
  }

  void open() {
    {
      const MutexLock lock(mutex_);
      shut_for_ = LockOwner();
    }
    changed_.notify_all();
  }

  [[nodiscard]] int hanging() const {
    const MutexLock lock(mutex_);
    return hanging_;
  }

 private:
  std::unique_ptr<LockService> locks_ = make_memory_lock(system_clock());
  mutable Mutex mutex_;
  std::condition_variable_any changed_;
  LockOwner shut_for_ MIZAN_GUARDED_BY(mutex_);
  int hanging_ MIZAN_GUARDED_BY(mutex_) = 0;
};

/// Of LockWaiters.
constexpr int threads = 8;

class LockWaitersTest : public ::testing::Test {
 protected:
  struct Asked {
    std::shared_ptr<Client> client = std::make_shared<Client>();
    std::shared_ptr<Exchange> exchange = std::make_shared<Exchange>(client);

    [[nodiscard]] int status() const { return client->status(); }

    [[nodiscard]] bool has(int wanted) const {
      return eventually([&] { return status() == wanted; });
    }
  };

  void start() { start({.service = gate_, .clock = system_clock()}); }

  void start(const LockWaiters::Options& options) {
    waiters_ = std::make_unique<LockWaiters>(options);
  }

  Asked ask(const std::string& resource,
            const std::string& owner,
            std::optional<milliseconds> wait = std::nullopt) {
    Asked asked;
    LockWish wish;
    wish.exchange = asked.exchange;
    wish.resource = Resource(resource);
    wish.owner = LockOwner(owner);
    wish.ttl = hours{1};
    wish.answer_by = system_clock().now() + hours{1};
    if (wait) wish.wait_until = system_clock().now() + *wait;
    waiters_->acquire(std::move(wish));
    return asked;
  }

  void give_back(const std::string& resource, const std::string& owner) {
    EXPECT_TRUE(*gate_.release(Resource(resource), LockOwner(owner)));
    waiters_->released(Resource(resource));
  }

  [[nodiscard]] bool await_hanging(int count) {
    return eventually([&] { return gate_.hanging() == count; });
  }

  /// Everybody who asks the lock service hangs, and one more stands behind them. False where that
  /// place was taken already.
  [[nodiscard]] bool fill_threads() {
    static int number = 0;
    for (int hanging = 1; hanging <= threads; ++hanging) {
      ask("o" + std::to_string(++number), "other");
      EXPECT_TRUE(await_hanging(hanging));
    }
    return ask("o" + std::to_string(++number), "other").status() == 0;
  }

  [[nodiscard]] bool await_waiting(std::size_t count) {
    return eventually([&] { return waiters_->waiting() == count; });
  }

  Gate gate_;
  std::unique_ptr<LockWaiters> waiters_;
};

TEST_F(LockWaitersTest, those_who_wait_get_it_one_after_the_other) {
  start();
  ASSERT_TRUE(ask("r", "first").has(201));
  const Asked second = ask("r", "second", hours{1});
  ASSERT_TRUE(await_waiting(1));
  const Asked third = ask("r", "third", hours{1});
  ASSERT_TRUE(await_waiting(2));
  EXPECT_TRUE(ask("r", "hurried").has(409));
  give_back("r", "first");
  EXPECT_TRUE(second.has(201));
  EXPECT_EQ(third.status(), 0);
  give_back("r", "second");
  EXPECT_TRUE(third.has(201));
}

/// The attempt of a line is refused, because too much waits for a thread: the line goes on.
TEST_F(LockWaitersTest, an_attempt_that_finds_no_room_does_not_stop_its_line) {
  LockWaiters::Options options{.service = gate_, .clock = system_clock(), .waiting_max = 1};
  options.poll_min = options.poll_max = milliseconds{300};
  start(options);
  ASSERT_TRUE(ask("r", "holder").has(201));
  const Asked refused = ask("r", "refused", hours{1});
  ASSERT_TRUE(await_waiting(1));
  gate_.shut_for("other");
  // Where the line's own attempt was there first, it has room.
  while (!fill_threads()) {
    gate_.open();
    ASSERT_TRUE(await_hanging(0));
    gate_.shut_for("other");
  }
  EXPECT_TRUE(refused.has(503));
  gate_.open();
  ASSERT_TRUE(await_hanging(0));
  give_back("r", "holder");
  EXPECT_TRUE(ask("r", "last", hours{1}).has(201));
}

TEST_F(LockWaitersTest, a_client_that_has_closed_its_side_is_told_and_holds_nothing) {
  start();
  gate_.shut_for("gone");
  const Asked gone = ask("r", "gone");
  ASSERT_TRUE(await_hanging(1));
  gone.exchange->abandon();
  gate_.open();
  EXPECT_TRUE(gone.has(409)) << "it may still read";
  EXPECT_TRUE(ask("r", "next").has(201));
  EXPECT_EQ(waiters_->granted(), 1U);
}

TEST_F(LockWaitersTest, one_that_waits_and_closes_its_side_leaves_the_line) {
  start();
  ASSERT_TRUE(ask("r", "holder").has(201));
  const Asked next = ask("r", "next", hours{1});
  ASSERT_TRUE(await_waiting(1));
  const Asked gone = ask("r", "gone", hours{1});  // Behind somebody: it is not asked for.
  ASSERT_TRUE(await_waiting(2));
  gone.exchange->abandon();
  EXPECT_TRUE(gone.has(409));
  give_back("r", "holder");
  EXPECT_TRUE(next.has(201));
}

TEST_F(LockWaitersTest, whose_turn_comes_too_late_is_told_without_asking) {
  start();
  gate_.shut_for("other");
  ASSERT_TRUE(fill_threads());
  const Asked late;
  LockWish wish;
  wish.exchange = late.exchange;
  wish.resource = Resource{"r"};
  wish.owner = LockOwner{"late"};
  wish.ttl = hours{1};
  wish.answer_by = system_clock().now();
  waiters_->acquire(std::move(wish));
  gate_.open();
  EXPECT_TRUE(late.has(503));
  EXPECT_TRUE(ask("r", "next").has(201)) << "nothing was granted";
}

}  // namespace
}  // namespace mizan::http
