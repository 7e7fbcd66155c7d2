#include "base/random.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace mizan::conformance {
namespace {

/// What a wallet's history must be, as a plain list: entry number v at v − 1.
struct PlainEntry {
  std::string operation;
  std::int64_t change = 0;
  std::int64_t balance = 0;
  Timestamp at;
};

class PlainHistory {
 public:
  void add(std::string operation, std::int64_t change, Timestamp at) {
    const std::int64_t before = entries_.empty() ? 0 : entries_.back().balance;
    entries_.push_back({std::move(operation), change, before + change, at});
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  [[nodiscard]] const PlainEntry& at_version(std::uint64_t version) const {
    return entries_.at(static_cast<std::size_t>(version - 1));
  }

  [[nodiscard]] std::int64_t balance_at_version(std::uint64_t version) const {
    return version == 0 ? 0 : at_version(version).balance;
  }

  /// The number of entries at or before `time`.
  [[nodiscard]] std::uint64_t version_at(Timestamp time) const {
    return static_cast<std::uint64_t>(std::count_if(
        entries_.begin(), entries_.end(), [time](const PlainEntry& e) { return e.at <= time; }));
  }

 private:
  std::vector<PlainEntry> entries_;
};

/// Entries share timestamps in runs of 1 to 40, so that times fall between, on and inside runs.
Timestamp time_of(std::size_t entry) {
  return test_epoch() + std::chrono::milliseconds(10 * (entry / 3 + entry / 40 * 7));
}

/// Expects the store to say of one version what the list says.
void check_version(Snapshot& snapshot,
                   const WalletId& wallet,
                   const PlainHistory& plain,
                   std::uint64_t version) {
  const BalanceAt found = must_have(snapshot.balance_at_version(wallet, version));
  ASSERT_EQ(found.version, version);
  ASSERT_EQ(found.balance.value(), plain.balance_at_version(version)) << version;
  ASSERT_EQ(found.at.has_value(), version > 0);
  if (version > 0) {
    ASSERT_EQ(*found.at, plain.at_version(version).at) << version;
  }
}

void check_time(Snapshot& snapshot,
                const WalletId& wallet,
                const PlainHistory& plain,
                Timestamp time) {
  const std::uint64_t version = plain.version_at(time);
  const BalanceAt found = must_have(snapshot.balance_at_time(wallet, time));
  ASSERT_EQ(found.version, version) << to_rfc3339(time);
  ASSERT_EQ(found.balance.value(), plain.balance_at_version(version)) << to_rfc3339(time);
}

/// A page from below `before` must be what the list has there.
void check_page(Snapshot& snapshot,
                const WalletId& wallet,
                const PlainHistory& plain,
                std::uint64_t before,
                std::size_t limit) {
  EntryQuery query;
  query.wallet = wallet;
  query.before_version = before;
  query.limit = limit;
  const auto page = must(snapshot.list_entries(query));
  ASSERT_EQ(page.items.size(), std::min<std::uint64_t>(before - 1, limit)) << before;
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    const Entry& entry = page.items[i];
    ASSERT_EQ(entry.version, before - 1 - i);
    const PlainEntry& expected = plain.at_version(entry.version);
    ASSERT_EQ(entry.operation.view(), expected.operation);
    ASSERT_EQ(entry.change.value(), expected.change);
    ASSERT_EQ(entry.balance.value(), expected.balance);
    ASSERT_EQ(entry.at, expected.at);
    ASSERT_EQ(entry.wallet, wallet);
    ASSERT_EQ(entry.counterparty, WalletId("@world/EUR"));
  }
}

/// Fills wallet `w` with entries, a thousand per transaction, and answers the list.
class HistoryFiller {
 public:
  explicit HistoryFiller(Store& store) : store_(store) {}

  PlainHistory fill(std::string_view wallet, std::size_t count) {
    PlainHistory plain;
    SeededRandom random(count);
    while (plain.size() < count) {
      auto transaction = must(store_.begin(soon()));
      auto states = must(transaction->load_wallets(std::array{WalletId(wallet)}, LoadLock::update));
      PlanBuilder builder({states.at(0).value()});
      for (std::size_t i = 0; i < 1'000 && plain.size() < count; ++i) {
        const std::string id = std::string(wallet) + "-" + std::to_string(plain.size());
        const auto amount = static_cast<std::int64_t>(random.below(1'000)) + 1;
        const bool credit = random.below(2) == 0;
        builder.at(time_of(plain.size()));
        if (credit) builder.deposit(id, wallet, amount);
        if (!credit) builder.withdraw(id, wallet, amount);
        plain.add(id, credit ? amount : -amount, time_of(plain.size()));
      }
      Plan plan = builder.build();
      const auto written = must(transaction->write(plan));
      if (!std::holds_alternative<WritesDone>(written)) {
        stop_test("refused", std::source_location::current());
      }
      must(transaction->commit());
    }
    return plain;
  }

 private:
  Store& store_;
};

TEST_P(StoreConformance, the_past_of_wallets_of_every_size_is_what_a_plain_list_says) {
  for (const std::size_t count :
       {1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 255U, 256U, 257U, 4'095U, 4'096U, 4'097U}) {
    const std::string id = "w" + std::to_string(count);
    const WalletId wallet_id(id);
    create({wallet(id).unlimited()});
    const PlainHistory plain = HistoryFiller(store()).fill(id, count);
    auto reader = snapshot();
    const std::uint64_t stride = count < 300 ? 1 : 61;
    for (std::uint64_t version = 0; version <= count; version += stride) {
      ASSERT_NO_FATAL_FAILURE(check_version(*reader, wallet_id, plain, version)) << count;
      ASSERT_NO_FATAL_FAILURE(check_page(*reader, wallet_id, plain, version + 1, 20)) << count;
      if (version == 0) continue;
      for (const int offset : {-1, 0, 1}) {
        const Timestamp time = plain.at_version(version).at + std::chrono::microseconds(offset);
        ASSERT_NO_FATAL_FAILURE(check_time(*reader, wallet_id, plain, time)) << count;
      }
    }
    ASSERT_NO_FATAL_FAILURE(check_version(*reader, wallet_id, plain, count));
    ASSERT_NO_FATAL_FAILURE(check_page(*reader, wallet_id, plain, count + 1, 1'000));
    EXPECT_FALSE(must(reader->balance_at_version(wallet_id, count + 1)));
  }
}

TEST_P(StoreConformance, the_past_of_a_wallet_with_70000_entries_is_what_a_plain_list_says) {
  constexpr std::size_t count = 70'000;
  create({wallet("hot").unlimited()});
  const PlainHistory plain = HistoryFiller(store()).fill("hot", count);
  if (GetParam().persistent) reopen();
  auto reader = snapshot();
  const WalletId hot("hot");
  std::vector<std::uint64_t> versions = {0, 1, count - 1, count};
  for (const std::uint64_t power : {16U, 256U, 4'096U, 65'536U}) {
    for (const std::uint64_t multiple : {power, power * 2, power * 15, count / power * power}) {
      for (const std::uint64_t version : {multiple - 1, multiple, multiple + 1}) {
        if (version <= count) versions.push_back(version);
      }
    }
  }
  SeededRandom random(70'000);
  for (int i = 0; i < 100; ++i) versions.push_back(random.below(count + 1));
  for (const std::uint64_t version : versions) {
    ASSERT_NO_FATAL_FAILURE(check_version(*reader, hot, plain, version));
    ASSERT_NO_FATAL_FAILURE(check_page(*reader, hot, plain, version + 1, 40));
    if (version == 0) continue;
    for (const int offset : {-1, 0, 1}) {
      const Timestamp time = plain.at_version(version).at + std::chrono::microseconds(offset);
      ASSERT_NO_FATAL_FAILURE(check_time(*reader, hot, plain, time));
    }
  }
}

TEST_P(StoreConformance, a_statement_is_read_page_by_page_newest_first) {
  create({wallet("alice").unlimited()});
  const PlainHistory plain = HistoryFiller(store()).fill("alice", 107);
  for (const std::size_t limit : {1U, 10U, 53U, 54U, 107U, 200U}) {
    auto reader = snapshot();
    std::vector<std::uint64_t> versions;
    EntryQuery query;
    query.wallet = WalletId("alice");
    query.limit = limit;
    do {
      const auto page = must(reader->list_entries(query));
      ASSERT_LE(page.items.size(), limit);
      for (const Entry& entry : page.items) versions.push_back(entry.version);
      query.before_version = page.next;
    } while (query.before_version);
    ASSERT_EQ(versions.size(), 107U) << limit;
    for (std::size_t i = 0; i < versions.size(); ++i) ASSERT_EQ(versions[i], 107 - i);
  }
}

TEST_P(StoreConformance, a_statement_does_not_move_under_its_reader_while_others_write) {
  create({wallet("alice").unlimited()});
  const PlainHistory plain = HistoryFiller(store()).fill("alice", 20);
  EntryQuery query;
  query.wallet = WalletId("alice");
  query.limit = 7;
  std::vector<std::uint64_t> versions;
  do {
    const auto page = must(snapshot()->list_entries(query));
    for (const Entry& entry : page.items) versions.push_back(entry.version);
    query.before_version = page.next;
    apply({"alice"}, [&](PlanBuilder& plan) {
      plan.at(time_of(1'000)).deposit("new-" + std::to_string(versions.size()), "alice", 1);
    });
  } while (query.before_version);
  ASSERT_EQ(versions.size(), 20U);
  for (std::size_t i = 0; i < versions.size(); ++i) EXPECT_EQ(versions[i], 20 - i);
}

TEST_P(StoreConformance, a_statement_between_two_times_has_what_lies_between_them) {
  create({wallet("alice").unlimited()});
  const std::size_t count = 150;
  const PlainHistory plain = HistoryFiller(store()).fill("alice", count);
  auto reader = snapshot();
  const auto tick = std::chrono::microseconds(1);
  const std::vector<Timestamp> times = {test_epoch() - tick,
                                        test_epoch(),
                                        test_epoch() + tick,
                                        time_of(39),
                                        time_of(40),
                                        time_of(41),
                                        time_of(80) - tick,
                                        time_of(80),
                                        time_of(count - 1) - tick,
                                        time_of(count - 1),
                                        time_of(count - 1) + tick};
  for (const Timestamp from : times) {
    for (const Timestamp to : times) {
      std::vector<std::uint64_t> expected;
      for (std::uint64_t version = count; version > 0; --version) {
        const Timestamp at = plain.at_version(version).at;
        if (at >= from && at < to) expected.push_back(version);
      }
      EntryQuery query;
      query.wallet = WalletId("alice");
      query.from = from;
      query.to = to;
      query.limit = 11;
      std::vector<std::uint64_t> found;
      do {
        const auto page = must(reader->list_entries(query));
        for (const Entry& entry : page.items) found.push_back(entry.version);
        query.before_version = page.next;
      } while (query.before_version);
      ASSERT_EQ(found, expected) << to_rfc3339(from) << " – " << to_rfc3339(to);
    }
  }
}

TEST_P(StoreConformance, an_entry_says_what_its_leg_did_to_the_wallet) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.at(at_second(8)).transfer("op-1", {{"alice", "bob", 30}, {"bob", "alice", 10}});
    plan.last().metadata = must(Metadata::make({{"note", "☂ '\""}}));
  });
  EntryQuery query;
  query.wallet = WalletId("bob");
  auto reader = snapshot();
  const auto page = must(reader->list_entries(query));
  ASSERT_EQ(page.items.size(), 2U);
  EXPECT_FALSE(page.next);
  const Entry& newest = page.items[0];
  EXPECT_EQ(newest.version, 2U);
  EXPECT_EQ(newest.change, MinorUnits{-10});
  EXPECT_EQ(newest.balance, MinorUnits{20});
  EXPECT_EQ(newest.counterparty, WalletId("alice"));
  EXPECT_EQ(newest.operation, OperationId("op-1"));
  EXPECT_EQ(newest.type, OperationType::transfer);
  EXPECT_EQ(newest.at, at_second(8));
  EXPECT_EQ(newest.metadata, must(Metadata::make({{"note", "☂ '\""}})));
  EXPECT_EQ(page.items[1].change, MinorUnits{30});
  EXPECT_GT(newest.sequence, page.items[1].sequence);
}

TEST_P(StoreConformance, an_unknown_wallet_has_no_past) {
  create_with("alice", 100);
  auto reader = snapshot();
  EntryQuery query;
  query.wallet = WalletId("nobody");
  const auto page = must(reader->list_entries(query));
  EXPECT_TRUE(page.items.empty());
  EXPECT_FALSE(page.next);
  EXPECT_FALSE(must(reader->balance_at_time(WalletId("nobody"), at_second(5))));
  EXPECT_FALSE(must(reader->balance_at_version(WalletId("nobody"), 0)));
}

TEST_P(StoreConformance, a_wallet_before_its_first_entry_has_nothing) {
  create({wallet("alice")});
  {
    auto reader = snapshot();
    const BalanceAt empty = must_have(reader->balance_at_time(WalletId("alice"), at_second(5)));
    EXPECT_EQ(empty.balance, MinorUnits{0});
    EXPECT_EQ(empty.version, 0U);
    EXPECT_FALSE(empty.at);
  }
  apply({"alice"}, [](PlanBuilder& plan) { plan.at(at_second(10)).deposit("op-1", "alice", 7); });
  auto reader = snapshot();
  const BalanceAt before = must_have(reader->balance_at_time(WalletId("alice"), at_second(9)));
  EXPECT_EQ(before.version, 0U);
  EXPECT_FALSE(before.at);
  const BalanceAt on = must_have(reader->balance_at_time(WalletId("alice"), at_second(10)));
  EXPECT_EQ(on.balance, MinorUnits{7});
  EXPECT_EQ(on.version, 1U);
  EXPECT_EQ(on.at, at_second(10));
}

TEST_P(StoreConformance, two_wallets_of_one_leg_each_have_their_own_past) {
  create({wallet("alice").unlimited(), wallet("bob").unlimited()});
  std::int64_t moved = 0;
  for (int round = 0; round < 5; ++round) {
    apply({"alice", "bob"}, [&](PlanBuilder& plan) {
      for (int i = 0; i < 30; ++i) {
        const std::string id = "op-" + std::to_string(round) + "-" + std::to_string(i);
        plan.transfer(id, "alice", "bob", 2);
        if (i % 3 == 0) plan.transfer(id + "-back", "bob", "alice", 1);
      }
    });
    moved += 30 * 2 - 10;
  }
  auto reader = snapshot();
  for (std::uint64_t version = 1; version <= 200; ++version) {
    const auto alice = must_have(reader->balance_at_version(WalletId("alice"), version));
    const auto bob = must_have(reader->balance_at_version(WalletId("bob"), version));
    ASSERT_EQ(alice.balance.value(), -bob.balance.value()) << version;
  }
  EXPECT_EQ(balance("bob"), moved);
}

}  // namespace
}  // namespace mizan::conformance
