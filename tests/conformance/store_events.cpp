#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

/// Follows the events, a page at a time.
class Reader {
 public:
  explicit Reader(Store& store, std::size_t limit = 1'000) : store_(store), limit_(limit) {}

  /// Reads on until there is nothing more; answers the ids that are new.
  std::vector<std::string> read_on() {
    std::vector<std::string> news;
    for (bool has_more = true; has_more;) {
      const EventPage page = must(store_.events()->read(place_, limit_));
      EXPECT_LE(page.items.size(), limit_);
      EXPECT_GE(page.next, place_);
      for (const Event& event : page.items) {
        EXPECT_GT(event.place, place_) << "places grow";
        place_ = event.place;
        news.push_back(event.receipt.id.str());
        events_.push_back(event);
      }
      EXPECT_GE(page.next, place_);
      place_ = page.next;
      has_more = page.has_more;
    }
    return news;
  }

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }

  [[nodiscard]] EventPlace place() const { return place_; }

 private:
  Store& store_;
  std::size_t limit_;
  EventPlace place_;
  std::vector<Event> events_;
};

using Ids = std::vector<std::string>;

/// Along each wallet the versions follow each other without a gap.
void expect_order_of_wallets(const std::vector<Event>& events) {
  std::map<WalletId, std::uint64_t> versions;
  for (const Event& event : events) {
    for (const LegReceipt& leg : event.receipt.legs) {
      if (leg.from_version) {
        EXPECT_EQ(*leg.from_version, ++versions[leg.from]) << leg.from.view();
      }
      if (leg.to_version) {
        EXPECT_EQ(*leg.to_version, ++versions[leg.to]) << leg.to.view();
      }
    }
  }
}

TEST_P(StoreConformance, events_are_the_applied_operations_in_commit_order) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    // Ids and times are no order: the later one is smaller.
    plan.at(at_second(50)).transfer("op-z", {{"alice", "bob", 5}, {"bob", "alice", 1}});
    plan.withdraw("op-a", "bob", 2).hold("op-hold", "alice", 5);
  });
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.refusal("op-refused", Code::insufficient_funds);
    plan.at(at_second(50)).transfer("op-m", {{"alice", "bob", 1}, {"bob", "alice", 1}});
  });
  const Ids all{"fund-alice", "op-z", "op-a", "op-hold", "op-m"};
  for (const std::size_t limit : {1U, 2U, 4U, 5U, 6U, 1'000U}) {
    Reader reader(store(), limit);
    EXPECT_EQ(reader.read_on(), all) << limit;
    EXPECT_EQ(reader.read_on(), Ids()) << limit;
    EXPECT_EQ(must(store().events()->newest()), reader.place()) << "nobody is woken for nothing";
    expect_order_of_wallets(reader.events());
  }
}

TEST_P(StoreConformance, an_event_is_the_receipt_as_it_was_when_it_was_applied) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.at(at_second(9)).transfer("op-1", "alice", "bob", 30);
    plan.last().metadata = must(Metadata::make({{"k", "v"}}));
    plan.hold("hold-1", "alice", 10);
  });
  Reader before(store());
  static_cast<void>(before.read_on());
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.at(at_second(10)).reverse("op-2", "op-1", {{"bob", "alice", 30}});
  });
  Reader after(store());
  static_cast<void>(after.read_on());
  ASSERT_EQ(before.events().size(), 3U);
  ASSERT_EQ(after.events().size(), 4U);
  auto reader = snapshot();
  for (std::size_t i = 0; i < before.events().size(); ++i) {
    const Receipt& event = before.events()[i].receipt;
    RecordedOperation stored = recorded(*reader, event.id.view());
    stored.receipt.reversed_by = nullptr;
    RecordedOperation told = stored;
    told.receipt = event;
    EXPECT_EQ(text_of(told), text_of(stored));
    told.receipt = after.events()[i].receipt;
    EXPECT_EQ(text_of(told), text_of(stored)) << "a reversal changes no event";
    EXPECT_EQ(before.events()[i].place, after.events()[i].place);
  }
  const auto& reversal = after.events().back().receipt;
  ASSERT_TRUE(reversal.reverses);
  EXPECT_EQ(reversal.reverses->str(), "op-1");
}

TEST_P(StoreConformance, a_place_is_never_left_out_and_never_given_twice) {
  create_with("alice", 1'000);
  Reader reader(store(), 2);
  Ids seen;
  for (int i = 0; i < 20; ++i) {
    apply({"alice"}, [&](PlanBuilder& plan) {
      for (int k = 0; k <= i % 4; ++k) {
        plan.withdraw("op-" + std::to_string(i) + "-" + std::to_string(k), "alice", 1);
      }
    });
    {
      auto abandoned = begin();  // May use up numbers; the gap must not matter.
      PlanBuilder builder(load(*abandoned, {"alice"}));
      builder.withdraw("op-lost-" + std::to_string(i), "alice", 1);
      Plan plan = builder.build();
      static_cast<void>(must(abandoned->write(plan)));
    }
    if (i % 3 != 0) continue;
    for (std::string& id : reader.read_on()) seen.push_back(std::move(id));
  }
  for (std::string& id : reader.read_on()) seen.push_back(std::move(id));
  Reader late(store());
  EXPECT_EQ(seen, late.read_on());
  EXPECT_EQ(seen.size(), 51U);
  expect_order_of_wallets(late.events());
  EXPECT_TRUE(must(store().events()->read(EventPlace{INT64_MAX}, 10)).items.empty());
}

TEST_P(StoreConformance, events_of_a_ledger_without_operations_are_none) {
  EXPECT_EQ(must(store().events()->newest()), EventPlace{0});
  const EventPage page = must(store().events()->read(EventPlace{0}, 10));
  EXPECT_TRUE(page.items.empty());
  EXPECT_EQ(page.next, EventPlace{0});
  EXPECT_FALSE(page.has_more);
  EXPECT_FALSE(store().events()->read(EventPlace{0}, 0));
  EXPECT_FALSE(store().events()->read(EventPlace{0}, 1'001));
}

TEST_P(StoreConformance, a_reader_between_two_commits_skips_nobody) {
  create_with("alice", 100);
  // In a table of two rows a server may find it cheaper to lock both than to look one up.
  for (int i = 0; i < 50; ++i) create({wallet("other-" + std::to_string(i))});
  create_with("bob", 100);
  Reader reader(store());
  static_cast<void>(reader.read_on());
  auto early = begin();
  PlanBuilder of_early(load(*early, {"alice"}, LoadLock::none));
  of_early.withdraw("op-early", "alice", 1);
  Plan early_plan = of_early.build();
  static_cast<void>(must(early->write(early_plan)));
  auto late = store().begin(soon(1));
  if (!late) GTEST_SKIP() << "it has one writer at a time";
  PlanBuilder of_late(load(**late, {"bob"}, LoadLock::none));
  of_late.withdraw("op-late", "bob", 1);
  Plan late_plan = of_late.build();
  static_cast<void>(must((*late)->write(late_plan)));
  EXPECT_EQ(reader.read_on(), Ids());
  must((*late)->commit());
  EXPECT_EQ(reader.read_on(), Ids{"op-late"}) << "nobody waits for a transaction under way";
  EXPECT_EQ(reader.read_on(), Ids());
  must(early->commit());
  EXPECT_EQ(reader.read_on(), Ids{"op-early"});
  EXPECT_EQ(reader.read_on(), Ids());
}

/// One withdrawal of 1, retried until it is done.
void withdraw_one(Store& store, const std::string& id, std::string_view wallet) {
  const Deadline deadline = soon(60);
  while (system_clock().now() < deadline) {
    auto transaction = store.begin(deadline);
    if (!transaction) continue;
    auto states = (*transaction)->load_wallets(std::array{WalletId(wallet)}, LoadLock::none);
    if (!states || !states->at(0)) continue;
    PlanBuilder builder({*states->at(0)});
    builder.withdraw(id, wallet, 1);
    Plan plan = builder.build();
    auto written = (*transaction)->write(plan);
    if (!written || !std::holds_alternative<WritesDone>(*written)) continue;
    if ((*transaction)->commit()) return;
  }
  ADD_FAILURE() << id << " was not applied";
}

TEST_P(StoreConformance, readers_beside_writers_all_see_the_same_events_once) {
  constexpr int writers = 4;
  constexpr int each = 40;
  for (int w = 0; w < writers; ++w) create_with("wallet-" + std::to_string(w), 1'000);
  create_with("hot", 1'000);
  std::atomic<int> running = writers;
  std::vector<Reader> readers;
  for (const std::size_t limit : {1U, 7U, 1'000U}) readers.emplace_back(store(), limit);
  {
    std::vector<std::jthread> threads;
    for (int w = 0; w < writers; ++w) {
      threads.emplace_back([&, w] {
        for (int i = 0; i < each; ++i) {
          const std::string id = std::to_string(w) + "-" + std::to_string(i);
          const std::string own = "wallet-" + std::to_string(w);
          withdraw_one(store(), id, i % 2 == 0 ? std::string_view(own) : "hot");
        }
        --running;
      });
    }
    for (Reader& reader : readers) {
      threads.emplace_back([&] {
        while (running > 0) static_cast<void>(reader.read_on());
      });
    }
  }
  Reader afterwards(store());
  static_cast<void>(afterwards.read_on());
  EXPECT_EQ(afterwards.events().size(), static_cast<std::size_t>(writers * each + writers + 1));
  expect_order_of_wallets(afterwards.events());
  for (Reader& reader : readers) {
    static_cast<void>(reader.read_on());
    ASSERT_EQ(reader.events().size(), afterwards.events().size());
    for (std::size_t i = 0; i < reader.events().size(); ++i) {
      ASSERT_EQ(reader.events()[i].place, afterwards.events()[i].place);
      ASSERT_EQ(reader.events()[i].receipt.id, afterwards.events()[i].receipt.id);
    }
  }
}

TEST_P(StoreConformance, a_reader_goes_on_where_it_stood_after_a_restart) {
  if (!GetParam().persistent) GTEST_SKIP() << "it keeps nothing";
  create_with("alice", 100);
  Reader reader(store());
  static_cast<void>(reader.read_on());
  apply({"alice"}, [](PlanBuilder& plan) { plan.withdraw("op-1", "alice", 1); });
  reopen();
  apply({"alice"}, [](PlanBuilder& plan) { plan.withdraw("op-2", "alice", 1); });
  const EventPage page = must(store().events()->read(reader.place(), 10));
  ASSERT_EQ(page.items.size(), 2U);
  EXPECT_EQ(page.items[0].receipt.id.str(), "op-1");
  EXPECT_EQ(page.items[1].receipt.id.str(), "op-2");
}

}  // namespace
}  // namespace mizan::conformance
