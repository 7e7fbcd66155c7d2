#include "store/sql/history.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace mizan::sqlite {
namespace {

using testkit::PlanBuilder;

/// Seeded with a constant, so that a failure can be run again.
using Numbers = std::mt19937_64;

class SqliteTransactions : public SqliteTest {
 protected:
  SqliteTransactions() : store_(open()) { create(*store_, {"alice", "bob", "carol"}); }

  void reopen() {
    store_.reset();
    store_ = open();
  }

  /// True where the store says that the id is recorded; agrees with a snapshot's look-up.
  [[nodiscard]] bool is_claimed(std::string_view text) {
    const OperationId id(text);
    const OperationId* ids[] = {&id};
    return !must(must(store_->begin(soon()))->claim(ids)).empty();
  }

  [[nodiscard]] WriteResult write_once(std::string_view id) {
    auto transaction = must(store_->begin(soon()));
    PlanBuilder builder(load(*transaction, {"alice", "bob"}));
    builder.transfer(id, "alice", "bob", 1);
    Plan plan = builder.build();
    return must(transaction->write(plan));
  }

  std::unique_ptr<Store> store_;
};

/// Of every kind, out of order, and few enough to come again.
std::string random_id(Numbers& numbers) {
  const std::uint64_t kind = numbers() % 4;
  if (kind == 0) return "op-" + std::to_string(numbers() % 20);
  if (kind == 1) return "~" + std::to_string(numbers() % 20);
  std::string uuid = "0193b1f4-7a3c-7def-8123-456789abcdef";
  uuid[0] = "08f"[numbers() % 3];
  uuid[35] = "0123456789abcdef"[numbers() % 16];
  if (kind == 2) uuid[1] = 'F';  // Not canonical: kept as text, and another id.
  return uuid;
}

TEST_F(SqliteTransactions, a_claim_knows_every_id_whatever_their_order) {
  Numbers numbers(1);
  std::set<std::string> recorded;
  for (int i = 0; i < 300; ++i) {
    const std::string id = random_id(numbers);
    ASSERT_EQ(is_claimed(id), recorded.contains(id)) << id;
    if (!recorded.contains(id) && numbers() % 2 == 0) {
      transfer(*store_, id);
      recorded.insert(id);
    } else if (!recorded.contains(id)) {
      // Rolled back: the mark may be higher now, but the id is not recorded.
      ASSERT_TRUE(std::holds_alternative<WritesDone>(write_once(id)));
    }
    if (i % 50 == 25) reopen();
  }
  for (const std::string& id : recorded) EXPECT_TRUE(is_claimed(id)) << id;
}

TEST_F(SqliteTransactions, an_id_that_another_program_recorded_is_found_at_the_second_attempt) {
  transfer(*store_, "op-1");
  {
    // Nobody should; the unique index is the net.
    auto other = must(Connection::open(file(), OpenMode::read_write, nullptr));
    ASSERT_EQ(sqlite3_exec(other->handle(),
                           "INSERT INTO journal (operation_id, fingerprint, type, at) "
                           "VALUES ('op-9', zeroblob(16), 6, 0)",
                           nullptr,
                           nullptr,
                           nullptr),
              SQLITE_OK);
  }
  EXPECT_FALSE(is_claimed("op-9"));
  EXPECT_FALSE(std::holds_alternative<WritesDone>(write_once("op-9")));
  EXPECT_TRUE(is_claimed("op-9"));
}

TEST_F(SqliteTransactions, the_receipt_names_the_id_as_it_was_sent) {
  for (const std::string id :
       {"op-1", "0193b1f4-7a3c-7def-8123-456789abcdef", "0193B1F4-7A3C-7DEF-8123-456789ABCDEF"}) {
    transfer(*store_, id);
    const auto recorded = must(must(store_->snapshot())->find_operation(OperationId(id)));
    ASSERT_TRUE(recorded) << id;
    EXPECT_EQ(recorded->receipt.id.view(), id);
  }
  const auto entries =
      must(must(store_->snapshot())->list_entries({WalletId("alice"), {}, {}, {}, 10}));
  ASSERT_EQ(entries.items.size(), 3U);
  EXPECT_EQ(entries.items[1].operation.view(), "0193b1f4-7a3c-7def-8123-456789abcdef");
}

TEST_F(SqliteTransactions, a_repeated_id_is_named_in_a_batch) {
  transfer(*store_, "op-2");
  auto transaction = must(store_->begin(soon()));
  PlanBuilder builder(load(*transaction, {"alice", "bob"}));
  builder.transfer("op-1", "alice", "bob", 1).transfer("op-2", "alice", "bob", 1);
  Plan plan = builder.build();
  const WriteResult written = must(transaction->write(plan));
  ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
  EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-2"));
}

TEST_F(SqliteTransactions, an_id_twice_in_one_batch_is_named) {
  auto transaction = must(store_->begin(soon()));
  PlanBuilder builder(load(*transaction, {"alice", "bob"}));
  builder.transfer("op-1", "alice", "bob", 1).transfer("op-2", "alice", "bob", 1);
  builder.transfer("op-2", "alice", "bob", 1);
  Plan plan = builder.build();
  const WriteResult written = must(transaction->write(plan));
  ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
  EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-2"));
}

TEST_F(SqliteTransactions, every_stale_wallet_of_a_batch_is_named) {
  std::vector<WalletState> old;
  {
    auto transaction = must(store_->begin(soon()));
    old = load(*transaction, {"alice", "bob", "carol"});
  }
  transfer(*store_, "op-1");
  auto transaction = must(store_->begin(soon()));
  PlanBuilder builder(old);
  builder.transfer("op-2", "carol", "alice", 1).transfer("op-3", "carol", "bob", 1);
  Plan plan = builder.build();
  const WriteResult written = must(transaction->write(plan));
  ASSERT_TRUE(std::holds_alternative<WriteStale>(written));
  const auto& stale = std::get<WriteStale>(written).wallets;
  EXPECT_EQ(std::set<WalletNumber>(stale.begin(), stale.end()),
            (std::set<WalletNumber>{old[0].number, old[1].number}));
}

TEST_F(SqliteTransactions, entries_that_do_not_continue_what_is_stored_are_an_alarm) {
  for (int fault = 0; fault < 3; ++fault) {
    auto transaction = must(store_->begin(soon()));
    PlanBuilder builder(load(*transaction, {"alice", "bob"}));
    if (fault == 0) builder.change("alice").after.balance = MinorUnits{1};
    if (fault == 1) builder.change("alice").after.version = 1;
    if (fault == 2) builder.change("alice").after.links.head = Sequence{1};
    builder.transfer("op-1", "alice", "bob", 1);
    Plan plan = builder.build();
    const auto written = transaction->write(plan);
    ASSERT_FALSE(written) << fault;
    EXPECT_EQ(written.error().code, Code::internal);
  }
  EXPECT_FALSE(is_recorded(*store_, "op-1"));
}

/// Compares every entry, and the balance at every version and time, with what the test counted.
void expect_history(Store& store, std::string_view wallet, const std::vector<std::int64_t>& after) {
  auto snapshot = must(store.snapshot());
  std::optional<std::uint64_t> before;
  std::uint64_t expected = after.size();
  do {
    auto page = must(snapshot->list_entries({WalletId(wallet), before, {}, {}, 1'000}));
    for (const Entry& entry : page.items) {
      ASSERT_EQ(entry.version, expected);
      ASSERT_EQ(entry.balance.value(), after[expected - 1]);
      --expected;
    }
    before = page.next;
  } while (before);
  EXPECT_EQ(expected, 0U);
  for (std::uint64_t version = 1; version <= after.size(); version += 1 + version / 50) {
    const auto at = must(snapshot->balance_at_version(WalletId(wallet), version)).value();
    ASSERT_EQ(at.version, version);
    ASSERT_EQ(at.balance.value(), after[version - 1]);
    const auto same = must(snapshot->balance_at_time(WalletId(wallet), at.at.value())).value();
    ASSERT_GE(same.version, version);
    ASSERT_EQ(same.at, at.at);
  }
}

/// Plans `size` transfers into and out of alice; adds her balance after each to `after`.
void move_money(PlanBuilder& plan, int batch, int size, std::vector<std::int64_t>& after) {
  plan.at(testkit::at_second(batch));
  for (int i = 0; i < size; ++i) {
    const std::string id = "op-" + std::to_string(batch) + "-" + std::to_string(i);
    const bool in = i % 3 != 0;
    plan.transfer(id, in ? "bob" : "alice", in ? "alice" : "carol", i + 1);
    after.push_back((after.empty() ? 0 : after.back()) + (in ? i + 1 : -(i + 1)));
  }
}

TEST_F(SqliteTransactions, a_hot_wallet_has_its_whole_history_through_batches_of_every_size) {
  std::vector<std::int64_t> after;
  int batch = 0;
  for (const int size : {1, 15, 1, 239, 8'000, 17, 256, 1}) {
    apply(*store_, {"alice", "bob", "carol"}, [&](PlanBuilder& plan) {
      move_money(plan, batch, size, after);
    });
    if (++batch % 3 == 0) reopen();
  }
  expect_history(*store_, "alice", after);
}

/// Compares where the links of alice's entries lead with the rule.
void expect_links(Store& store, std::size_t count) {
  std::map<Sequence, std::uint64_t> versions{{Sequence{}, 0}};
  const auto snapshot = must(store.snapshot());
  for (const JournalLeg& leg : must(snapshot->read_journal(Sequence{0}, 10'000)).items) {
    const std::uint64_t version = leg.to_version;
    versions[leg.sequence] = version;
    ASSERT_EQ(versions.at(leg.to_links.head), version - 1);
    ASSERT_EQ(versions.at(leg.to_links.block), sql::jump_version(version)) << version;
  }
  EXPECT_EQ(versions.size(), count + 1);
}

TEST_F(SqliteTransactions, every_stored_jump_lands_where_it_should) {
  for (const int size : {300, 1, 4'000, 30, 500}) {
    const auto fill = [size](PlanBuilder& plan) {
      for (int i = 0; i < size; ++i) {
        plan.deposit(std::to_string(size) + "-" + std::to_string(i), "alice", 1);
      }
    };
    apply(*store_, {"alice", "bob"}, fill);
  }
  expect_links(*store_, 4'831);
}

TEST_F(SqliteTransactions, a_wallet_written_one_by_one_has_its_whole_history) {
  std::vector<std::int64_t> after;
  for (int i = 1; i <= 600; ++i) {
    apply(*store_, {"alice", "bob"}, [&](PlanBuilder& plan) {
      plan.at(testkit::at_second(i / 7)).transfer("op-" + std::to_string(i), "bob", "alice", 1);
    });
    after.push_back(i);
  }
  expect_history(*store_, "alice", after);
}

TEST_F(SqliteTransactions, the_world_is_exact_beyond_64_bits) {
  constexpr std::int64_t most = INT64_MAX;
  apply(*store_, {"alice", "bob", "carol"}, [&](PlanBuilder& plan) {
    plan.deposit("op-1", "alice", most).deposit("op-2", "bob", most).deposit("op-3", "carol", 1);
  });
  const auto world = must(must(store_->snapshot())->find_world(CurrencyCode("EUR"))).value();
  EXPECT_EQ(to_string(world.balance), "-18446744073709551615");
}

TEST_F(SqliteTransactions, the_world_may_owe_money_too) {
  apply(*store_, {"alice", "bob"}, [&](PlanBuilder& plan) {
    plan.withdraw("op-1", "alice", INT64_MAX).withdraw("op-2", "bob", 5);
  });
  const auto world = must(must(store_->snapshot())->find_world(CurrencyCode("EUR"))).value();
  EXPECT_EQ(to_string(world.balance), "9223372036854775812");
}

TEST_F(SqliteTransactions, a_transaction_that_waits_longer_than_its_deadline_is_unavailable) {
  const auto held = must(store_->begin(soon()));
  const auto waited = store_->begin(system_clock().now() + std::chrono::milliseconds(5));
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, Code::unavailable);
  EXPECT_EQ(waited.error().certainty, Certainty::not_applied);
}

TEST_F(SqliteTransactions, a_lock_held_by_another_program_is_contended_not_a_refusal) {
  auto other = must(Connection::open(file(), OpenMode::read_write, nullptr));
  must(other->statement(sqlite_sql::begin_write).run());
  const auto begun = store_->begin(system_clock().now() + std::chrono::milliseconds(20));
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, Code::contended) << text_of(begun.error());
  must(other->statement(sqlite_sql::rollback).run());
  EXPECT_TRUE(store_->begin(soon()));
}

}  // namespace
}  // namespace mizan::sqlite
