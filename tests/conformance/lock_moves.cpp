#include "mizan/ledger.hpp"
#include "mizan/sqlite.hpp"
#include "mizan/store_lock.hpp"

#include "testkit/builders.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/lock_redis.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A ledger may take its locks here today and there tomorrow: no wallet that was ever locked is out
// of reach for that, and its marks only grow.

namespace mizan::conformance {
namespace {

using testkit::RedisServer;

class LockMoves : public ::testing::Test {
 protected:
  void SetUp() override {
    for (auto* server : {&one_, &other_}) {
      auto started = RedisServer::start({});
      if (!started) return skip_or_fail_redis(started.error());
      *server = std::move(*started);
    }
    options_of_one_ = redis_at(one_->port());
    options_of_other_ = redis_at(other_->port());
    SqliteOptions file;
    file.file = directory_.path() / "ledger.db";
    store_ = must(open_sqlite_store(std::move(file), system_clock()));
    static_cast<void>(must(store_->migrate()));
    Ledger ledger(*store_, system_clock(), {});
    for (const char* id : {"alice", "bob"}) {
      ASSERT_TRUE(ledger.create_wallet(testkit::wallet(id)));
      expect_applied(ledger, testkit::deposit(std::string("seed-") + id, id, 1'000));
    }
  }

  void expect_applied(Ledger& ledger, const Operation& operation) {
    const auto result = ledger.apply(operation);
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(to_string(code_of(*result)), to_string(Code::applied)) << operation.id.str();
  }

  std::unique_ptr<LockService> open(std::string_view lock) {
    if (lock == "memory") return make_memory_lock(system_clock());
    if (lock == "store") return make_store_lock(*store_, system_clock());
    auto made = make_redis_lock(
        lock == "one" ? options_of_one_ : options_of_other_, store_->epochs(), system_clock());
    return made ? std::move(*made) : nullptr;
  }

  std::int64_t mark_of(std::string_view resource) {
    auto transaction = store_->begin(system_clock().now() + std::chrono::seconds(5));
    if (!transaction) return -1;
    auto mark = (*transaction)->load_fence(Resource{resource});
    return mark && *mark ? (*mark)->token.value() : -1;
  }

  /// As a new process would: with a lock service of its own.
  void move_money_under(std::string_view name, LockScope scope, int times) {
    const auto lock = open(name);
    ASSERT_NE(lock, nullptr) << name;
    LedgerOptions options;
    options.lock = lock.get();
    options.lock_scope = scope;
    Ledger ledger(*store_, system_clock(), options);
    for (int i = 0; i < times; ++i) {
      const std::int64_t before = mark_of("mizan:wallet/alice");
      SCOPED_TRACE(name);
      expect_applied(ledger,
                     testkit::transfer("op-" + std::to_string(++operations_), "alice", "bob", 1));
      EXPECT_GT(mark_of("mizan:wallet/alice"), before) << name;
    }
  }

  std::unique_ptr<RedisServer> one_;
  std::unique_ptr<RedisServer> other_;
  RedisOptions options_of_one_;
  RedisOptions options_of_other_;
  testkit::TempDir directory_{"mizan-moves"};
  std::unique_ptr<Store> store_;
  int operations_ = 0;
};

TEST_F(LockMoves, every_move_between_locks_leaves_the_wallets_usable) {
  if (IsSkipped()) return;
  constexpr std::string_view moves[] = {"memory",
                                        "one",
                                        "store",
                                        "one",
                                        "other",
                                        "one",
                                        "memory",
                                        "other",
                                        "memory",
                                        "store",
                                        "other",
                                        "one"};
  for (const std::string_view lock : moves) move_money_under(lock, LockScope::source, 3);
  for (const std::string_view lock : moves) move_money_under(lock, LockScope::both, 2);
}

/// A token that no lock service grants is no reason to use up all tokens that there are.
TEST_F(LockMoves, a_mark_that_nobody_granted_is_not_climbed) {
  if (IsSkipped()) return;
  move_money_under("one", LockScope::source, 1);
  {
    auto transaction = must(store_->begin(system_clock().now() + std::chrono::seconds(5)));
    static_cast<void>(must(
        transaction->advance_fence({Resource{"mizan:wallet/alice"}, FenceToken{INT64_MAX}, {}})));
    must(transaction->commit());
  }
  const auto lock = open("one");
  LedgerOptions options;
  options.lock = lock.get();
  Ledger ledger(*store_, system_clock(), options);
  const auto result = ledger.apply(testkit::withdraw("late", "alice", 1));
  ASSERT_TRUE(result) << result.error().detail;
  EXPECT_EQ(code_of(*result), Code::stale_fence);
  expect_applied(ledger, testkit::withdraw("of-bob", "bob", 1));
  EXPECT_LT(mark_of("mizan:wallet/bob"), std::int64_t{1} << 53U);
}

}  // namespace
}  // namespace mizan::conformance
