#include "tests/conformance/lock_redis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <vector>

// What a Redis lock keeps when Redis loses its data: tokens never go back, and a holder from
// before the loss is older than every later one.

namespace mizan::conformance {
namespace {

using testkit::RedisSentinelGroup;
using testkit::RedisServer;

constexpr milliseconds lease_ttl{500};

/// Several clients with connections of their own acquire, hold and release one resource all the
/// time. Each grant is compared with all that were answered before it was asked for.
class Clients {
 public:
  Clients(const RedisOptions& options, EpochTable* epochs) {
    for (int client = 0; client < 4; ++client) {
      auto lock = make_redis_lock(options, epochs, system_clock());
      if (!lock) std::abort();
      locks_.push_back(std::move(*lock));
    }
    for (auto& lock : locks_) {
      threads_.emplace_back([this, &lock](const std::stop_token& stop) { run(*lock, stop); });
    }
  }

  ~Clients() { stop(); }

  void stop() { threads_.clear(); }

  [[nodiscard]] int grants() const { return grants_; }

  [[nodiscard]] int wrong() const { return wrong_; }

  [[nodiscard]] std::int64_t greatest() const { return greatest_; }

  /// Waits for grants that were asked for after now.
  [[nodiscard]] bool go_on() {
    const int before = grants_;
    return eventually([&] { return grants_ > before + 12; });
  }

 private:
  void run(LockService& lock, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      AcquireRequest request;
      request.resource = resource;
      request.ttl = lease_ttl;
      request.wait_until = system_clock().now() + lease_ttl;
      const std::int64_t before = greatest_;
      auto outcome = lock.acquire(std::move(request));
      if (!outcome || !std::holds_alternative<Lease>(*outcome)) continue;
      const std::int64_t token = std::get<Lease>(*outcome).token().value();
      if (token <= before) ++wrong_;
      std::int64_t known = greatest_;
      while (known < token && !greatest_.compare_exchange_weak(known, token)) {
      }
      ++grants_;
    }
  }

  std::atomic<int> grants_ = 0;
  std::atomic<int> wrong_ = 0;
  std::atomic<std::int64_t> greatest_ = 0;
  std::vector<std::unique_ptr<LockService>> locks_;
  std::vector<std::jthread> threads_;
};

class RedisLosses : public ::testing::Test {
 protected:
  void start(testkit::RedisServerOptions options = {}) {
    auto server = RedisServer::start(std::move(options));
    if (!server) return skip_or_fail_redis(server.error());
    server_ = std::move(*server);
    options_ = redis_at(server_->port());
  }

  std::unique_ptr<LeaseTable> table() { return must_make_table(options_, store_->epochs()); }

  static std::int64_t take(LeaseTable& table,
                           const LockOwner& owner,
                           milliseconds ttl = lease_ttl) {
    const auto answer = table.acquire(resource, owner, ttl);
    EXPECT_TRUE(answer) << answer.error().where << ": " << answer.error().detail;
    if (!answer || !std::holds_alternative<LeaseGranted>(*answer)) return 0;
    return std::get<LeaseGranted>(*answer).token.value();
  }

  std::string must_ask(const std::vector<std::string>& words) {
    auto answer = server_->ask(words);
    EXPECT_TRUE(answer) << answer.error().detail;
    return answer ? *answer : std::string();
  }

  /// Nothing was lost, or the tokens went on above all that were granted, whatever `disturb` does.
  void disturb_clients(int times, const std::function<void()>& disturb) {
    Clients clients(options_, store_->epochs());
    ASSERT_TRUE(clients.go_on());
    for (int time = 0; time < times; ++time) {
      disturb();
      ASSERT_TRUE(clients.go_on()) << "they go on after disturbance " << time;
    }
    clients.stop();
    EXPECT_EQ(clients.wrong(), 0) << "of " << clients.grants();
  }

  std::unique_ptr<Store> store_ = make_memory_store(system_clock());
  std::unique_ptr<RedisServer> server_;
  RedisOptions options_;
};

TEST_F(RedisLosses, tokens_go_on_after_flushall) {
  start();
  if (!server_) return;
  disturb_clients(5, [this] { must_ask({"FLUSHALL"}); });
}

TEST_F(RedisLosses, tokens_go_on_after_a_restart_without_persistence) {
  start();
  if (!server_) return;
  disturb_clients(3, [this] {
    server_->kill();
    ASSERT_TRUE(server_->start_again());
  });
}

TEST_F(RedisLosses, tokens_go_on_after_a_restart_from_the_append_only_file) {
  start({.append_only = true});
  if (!server_) return;
  disturb_clients(3, [this] {
    server_->kill();
    ASSERT_TRUE(server_->start_again());
  });
}

TEST_F(RedisLosses, tokens_go_on_after_an_older_snapshot_was_restored) {
  start();
  if (!server_) return;
  const auto dump = server_->directory() / "dump.rdb";
  const auto kept = server_->directory() / "kept.rdb";
  const auto before = table();
  take(*before, LockOwner{"first"}, milliseconds{50});
  must_ask({"SAVE"});
  std::filesystem::copy_file(dump, kept);
  disturb_clients(3, [&] {
    server_->kill();
    std::filesystem::copy_file(kept, dump, std::filesystem::copy_options::overwrite_existing);
    ASSERT_TRUE(server_->start_again());
  });
}

TEST_F(RedisLosses, tokens_go_on_after_the_scripts_were_flushed) {
  start();
  if (!server_) return;
  disturb_clients(5, [this] { must_ask({"SCRIPT", "FLUSH"}); });
  const auto one = table();
  const auto first = take(*one, LockOwner{"a"});
  must_ask({"SCRIPT", "FLUSH"});
  EXPECT_TRUE(*one->renew(resource, LockOwner{"a"}, lease_ttl));
  EXPECT_TRUE(*one->release(resource, LockOwner{"a"}));
  EXPECT_EQ(take(*one, LockOwner{"b"}), first + 1) << "no epoch is spent on it";
}

TEST_F(RedisLosses, a_counter_that_went_back_in_place_is_noticed_by_who_saw_it) {
  start();
  if (!server_) return;
  const auto one = table();
  take(*one, LockOwner{"a"});
  EXPECT_TRUE(*one->release(resource, LockOwner{"a"}));
  must_ask({"SAVE"});
  const auto seen = take(*one, LockOwner{"b"});
  EXPECT_TRUE(*one->release(resource, LockOwner{"b"}));
  // The same server, the same replication id, and older data.
  must_ask({"DEBUG", "RELOAD", "NOSAVE"});
  EXPECT_GT(take(*one, LockOwner{"c"}), seen + 1) << "a new epoch, not the next of the old one";
}

TEST_F(RedisLosses, tokens_go_on_after_a_failover) {
  auto group = RedisSentinelGroup::start(std::chrono::seconds{1});
  if (!group) return skip_or_fail_redis(group.error());
  ASSERT_TRUE((*group)->await_replica());
  options_ = redis_at((*group)->sentinel().port());
  options_.topology = RedisTopology::sentinel;
  options_.sentinel_master = "mizan";
  Clients clients(options_, store_->epochs());
  ASSERT_TRUE(clients.go_on());
  (*group)->first().kill();
  ASSERT_TRUE(clients.go_on()) << "with the replica as the master";
  EXPECT_EQ(*(*group)->master_port(), (*group)->second().port());
  clients.stop();
  EXPECT_EQ(clients.wrong(), 0) << "of " << clients.grants();
}

TEST_F(RedisLosses, a_replica_that_missed_writes_and_became_master_grants_no_old_token) {
  start({.settings = {{"repl-diskless-sync-delay", "0"}}});
  if (!server_) return;
  auto replica = RedisServer::start(
      {.settings = {{"replicaof", "127.0.0.1 " + std::to_string(server_->port())}}});
  ASSERT_TRUE(replica);
  const auto one = table();
  take(*one, LockOwner{"a"});
  EXPECT_TRUE(*one->release(resource, LockOwner{"a"}));
  // The counter is there with the lease, and the release comes after it.
  ASSERT_TRUE(eventually([&] {
    const auto counters = (*replica)->ask({"KEYS", "*:counter"});
    const auto keys = (*replica)->ask({"DBSIZE"});
    return counters && !counters->empty() && keys && *keys == *server_->ask({"DBSIZE"});
  }));
  ASSERT_TRUE((*replica)->ask({"REPLICAOF", "127.0.0.1", "1"})) << "cut off, with what it has";
  const auto unseen = take(*one, LockOwner{"b"});

  ASSERT_TRUE((*replica)->ask({"REPLICAOF", "NO", "ONE"}));
  RedisOptions promoted = options_;
  promoted.addresses = {{"127.0.0.1", (*replica)->port()}};
  const auto other = must_make_table(promoted, store_->epochs());
  EXPECT_GT(take(*other, LockOwner{"c"}), unseen) << "which this table never saw";
}

TEST_F(RedisLosses, a_holder_from_before_the_loss_is_told_and_fenced) {
  start();
  if (!server_) return;
  auto lock = make_redis_lock(options_, store_->epochs(), system_clock());
  ASSERT_TRUE(lock);
  Notices notices;
  AcquireRequest request;
  request.resource = resource;
  request.ttl = lease_ttl;
  notices.listen(request);
  auto outcome = (*lock)->acquire(std::move(request));
  ASSERT_TRUE(outcome && std::holds_alternative<Lease>(*outcome));
  Lease old = std::get<Lease>(std::move(*outcome));

  must_ask({"FLUSHALL"});
  const auto later = table();
  const auto token = take(*later, LockOwner{"later"});
  EXPECT_GT(token, old.token().value());
  EXPECT_TRUE(eventually([&] { return notices.lost == 1; }));
  EXPECT_EQ(notices.reason, LeaseLoss::taken);
  EXPECT_EQ(old.release(), Release::not_held);
  EXPECT_TRUE(*later->renew(resource, LockOwner{"later"}, lease_ttl)) << "untouched";

  auto transaction = store_->begin(system_clock().now() + std::chrono::seconds{5});
  ASSERT_TRUE(transaction);
  const auto newer =
      (*transaction)->advance_fence({resource, FenceToken{token}, LockOwner{"later"}});
  ASSERT_TRUE(newer && std::holds_alternative<FenceAccepted>(*newer));
  const auto stale = (*transaction)->advance_fence(old.fence());
  ASSERT_TRUE(stale);
  EXPECT_TRUE(std::holds_alternative<FenceStale>(*stale));
}

TEST_F(RedisLosses, a_lease_is_not_renewed_over_a_change_of_incarnation) {
  start({.append_only = true});
  if (!server_) return;
  const auto one = table();
  const LockOwner me{"me"};
  const auto before = take(*one, me, milliseconds{20'000});
  server_->kill();
  ASSERT_TRUE(server_->start_again());
  // The first call finds its connection closed: only a new one is opened for a new call.
  EXPECT_FALSE(*one->renew(resource, me, milliseconds{20'000})) << "there may have been a gap";
  EXPECT_EQ(*one->extend(resource, me, milliseconds{20'000}), Renewal::server_incarnation);
  const auto other = one->acquire(resource, stranger, lease_ttl);
  ASSERT_TRUE(other && std::holds_alternative<LeaseHeld>(*other)) << "it was kept, all the same";
  EXPECT_GT(take(*one, me), before) << "its owner starts again, with a new token";
}

TEST_F(RedisLosses, a_renewal_that_is_refused_says_why) {
  start();
  if (!server_) return;
  const auto one = table();
  const LockOwner me{"me"};
  EXPECT_EQ(*one->extend(resource, me, lease_ttl), Renewal::expired) << "it was never granted";
  static_cast<void>(take(*one, me, milliseconds{20'000}));
  EXPECT_EQ(*one->extend(resource, me, milliseconds{20'000}), Renewal::extended);
  EXPECT_EQ(*one->extend(resource, stranger, lease_ttl), Renewal::taken);
  // The counter alone is lost, and begun anew by another resource of the same bucket.
  must_ask({"HINCRBY", *server_->ask({"KEYS", "*:counter"}), "epoch", "1"});
  EXPECT_EQ(*one->extend(resource, me, lease_ttl), Renewal::epoch_changed);
  must_ask({"DEL", *server_->ask({"KEYS", "*:lease:*"})});
  EXPECT_EQ(*one->extend(resource, me, lease_ttl), Renewal::expired);
}

/// A database that is slow: while it draws an epoch, Redis loses its data, another client goes on
/// with a later epoch, and Redis loses its data again.
class SlowEpochs final : public EpochTable {
 public:
  SlowEpochs(EpochTable& base, std::function<void()> meanwhile)
      : base_(base), meanwhile_(std::move(meanwhile)) {}

  Result<std::int64_t> next_epoch(std::int64_t above) override {
    auto epoch = base_.next_epoch(above);
    if (auto now = std::exchange(meanwhile_, nullptr)) now();
    return epoch;
  }

 private:
  EpochTable& base_;
  std::function<void()> meanwhile_;
};

TEST_F(RedisLosses, an_epoch_that_comes_too_late_is_not_installed) {
  start();
  if (!server_) return;
  std::int64_t later = 0;
  SlowEpochs slow(*store_->epochs(), [&] {
    must_ask({"FLUSHALL"});
    later = take(*table(), LockOwner{"quick"}, milliseconds{50});
    must_ask({"FLUSHALL"});
  });
  const auto late = must_make_table(options_, &slow);
  const auto token = take(*late, LockOwner{"slow"});
  EXPECT_GT(later, 0);
  EXPECT_GT(token, later);
}

TEST_F(RedisLosses, a_sequence_at_its_end_starts_a_new_epoch) {
  start();
  if (!server_) return;
  const auto one = table();
  const auto first = take(*one, LockOwner{"a"});
  EXPECT_TRUE(*one->release(resource, LockOwner{"a"}));
  const std::string counter = must_ask({"KEYS", "*:counter"});
  constexpr std::int64_t last = (std::int64_t{1} << 30U) - 1;
  must_ask({"HSET", counter, "sequence", std::to_string(last - 1)});
  const auto greatest = take(*one, LockOwner{"b"});
  EXPECT_EQ(greatest % (last + 1), last);
  EXPECT_EQ(greatest / (last + 1), first / (last + 1)) << "of the same epoch";
  EXPECT_EQ(take(*one, LockOwner{"b"}), greatest) << "a repetition needs none";
  EXPECT_TRUE(*one->release(resource, LockOwner{"b"}));
  EXPECT_GT(take(*one, LockOwner{"c"}), greatest);
}

TEST_F(RedisLosses, without_a_database_tokens_grow_while_redis_remembers) {
  start();
  if (!server_) return;
  const auto one = must_make_table(options_, nullptr);
  const auto other = must_make_table(options_, nullptr);
  const auto first = take(*one, LockOwner{"a"});
  EXPECT_TRUE(*one->release(resource, LockOwner{"a"}));
  EXPECT_GT(take(*other, LockOwner{"b"}), first);
  must_ask({"FLUSHALL"});
  EXPECT_GT(take(*one, LockOwner{"c"}), first + 1) << "within one process also after a loss";
}

TEST_F(RedisLosses, a_database_that_fails_grants_nothing) {
  class NoEpochs final : public EpochTable {
    Result<std::int64_t> next_epoch(std::int64_t /*above*/) override {
      return unavailable("test", "no database");
    }
  };

  start();
  if (!server_) return;
  NoEpochs epochs;
  const auto one = must_make_table(options_, &epochs);
  const auto answer = one->acquire(resource, stranger, lease_ttl);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::unavailable);
  EXPECT_EQ(must_ask({"KEYS", "*:lease:*"}), "") << "no lease without a token";
}

}  // namespace
}  // namespace mizan::conformance
