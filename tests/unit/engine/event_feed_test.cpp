#include "mizan/ledger.hpp"
#include "mizan/memory.hpp"

#include "testkit/builders.hpp"
#include "testkit/eventually.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace mizan {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testkit::eventually;

class EventFeedTest : public ::testing::Test {
 protected:
  EventFeedTest() { EXPECT_TRUE(ledger_.create_wallet(testkit::wallet("alice"))); }

  void deposit(Ledger& ledger, std::string_view id) {
    EXPECT_TRUE(ledger.apply(testkit::deposit(id, "alice", 1)));
  }

  static Deadline in(milliseconds time) { return system_clock().now() + time; }

  std::unique_ptr<Store> store_ = make_memory_store(system_clock());
  Ledger ledger_{*store_, system_clock(), {}};
};

TEST_F(EventFeedTest, reads_what_there_is_without_waiting) {
  EXPECT_TRUE(ledger_.read_events({})->items.empty());
  deposit(ledger_, "op-1");
  const auto page = ledger_.wait_for_events({}, in(seconds(30)));
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 1U);
  EXPECT_TRUE(ledger_.read_events({page->next, 10})->items.empty());
  EXPECT_EQ(ledger_.read_events({EventPlace{0}, 0}).error().code, Code::invalid_request);
}

TEST_F(EventFeedTest, refuses_a_place_ahead_of_the_newest_event) {
  EXPECT_EQ(ledger_.read_events({EventPlace{1}, 10}).error().code, Code::invalid_request);
  deposit(ledger_, "op-1");
  const EventPlace newest = ledger_.read_events({})->next;
  EXPECT_TRUE(ledger_.read_events({newest, 10}));
  const EventPlace ahead{newest.value() + 1};
  EXPECT_EQ(ledger_.read_events({ahead, 10}).error().code, Code::invalid_request);
  const auto waited = ledger_.wait_for_events({ahead, 10}, in(std::chrono::hours(1)));
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, Code::invalid_request);
  EXPECT_EQ(waited.error().where, "/after");
}

TEST_F(EventFeedTest, a_commit_of_its_own_ends_the_waiting_at_once) {
  for (const Strategy strategy :
       {Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic}) {
    const EventPlace after = ledger_.read_events({EventPlace{0}, 1'000})->next;
    std::jthread writer([&] {
      std::this_thread::sleep_for(milliseconds(20));
      CallOptions options;
      options.strategy = strategy;
      EXPECT_TRUE(ledger_.apply(testkit::deposit(to_string(strategy), "alice", 1), options));
    });
    const auto page = ledger_.wait_for_events({after, 10}, in(seconds(30)));
    ASSERT_TRUE(page);
    ASSERT_EQ(page->items.size(), 1U);
    EXPECT_EQ(page->items.front().receipt.id.view(), to_string(strategy));
  }
}

TEST_F(EventFeedTest, a_commit_of_another_node_ends_it_soon) {
  Ledger other(*store_, system_clock(), {});
  std::jthread writer([&] {
    std::this_thread::sleep_for(milliseconds(20));
    deposit(other, "op-1");
  });
  const Instant began = system_clock().now();
  const auto page = ledger_.wait_for_events({}, in(seconds(30)));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->items.size(), 1U);
  EXPECT_LT(system_clock().now() - began, seconds(10));
}

TEST_F(EventFeedTest, the_waiting_ends_with_the_deadline) {
  const Instant began = system_clock().now();
  const auto page = ledger_.wait_for_events({}, in(milliseconds(60)));
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->items.empty());
  EXPECT_GE(system_clock().now() - began, milliseconds(60));
}

TEST_F(EventFeedTest, every_watcher_is_called_once) {
  std::atomic<int> calls = 0;
  for (int i = 0; i < 100; ++i) {
    ledger_.watch_events(EventPlace{0}, in(seconds(30)), [&] { ++calls; });
  }
  deposit(ledger_, "op-1");
  EXPECT_TRUE(eventually([&] { return calls == 100; }));
  deposit(ledger_, "op-2");
  ledger_.watch_events(EventPlace{0}, in(seconds(30)), [&] { ++calls; });
  EXPECT_TRUE(eventually([&] { return calls == 101; })) << "it was there already";
}

TEST_F(EventFeedTest, the_end_of_the_ledger_calls_those_that_are_left) {
  std::atomic<int> calls = 0;
  {
    Ledger other(*store_, system_clock(), {});
    other.watch_events(EventPlace{0}, in(std::chrono::hours(1)), [&] { ++calls; });
  }
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace mizan
