// Events of a database that many processes write to, as far as the database can tell: nodes are
// stores of their own, and where one dies it is a process of its own.

#include "tests/conformance/server_events.hpp"

#include "mizan/ledger.hpp"

#include "testkit/child_process.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

std::map<std::string, EventServer>& servers() {
  static std::map<std::string, EventServer> all;
  return all;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

struct Told {
  EventPlace place;
  std::vector<Event> events;

  /// Reads on, a page at a time; answers how many there were.
  std::size_t read_on(Store& store, std::size_t limit) {
    std::size_t count = 0;
    for (bool has_more = true; has_more;) {
      EventPage page = must(store.events()->read(place, limit));
      count += page.items.size();
      for (Event& event : page.items) events.push_back(std::move(event));
      place = page.next;
      has_more = page.has_more;
    }
    return count;
  }

  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const Event& event : events) all.push_back(event.receipt.id.str());
    return all;
  }
};

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

void fund(Ledger& ledger, const std::string& id, std::int64_t amount) {
  static_cast<void>(must(ledger.create_wallet(wallet(id))));
  static_cast<void>(receipt_in(ledger.apply(deposit("fund-" + id, id, amount))));
}

void apply_until_done(Ledger& ledger, const Operation& operation) {
  for (int i = 0; i < 1'000; ++i) {
    const Code code = code_of(ledger.apply(operation));
    if (code == Code::applied || code == Code::already_applied) return;
    ASSERT_TRUE(code == Code::contended) << static_cast<int>(code);
  }
  ADD_FAILURE() << operation.id.view() << " lost every race";
}

// Disabled: only the test below runs it, in a process of its own.
TEST(EventReaderChild, DISABLED_reads_events_until_it_is_killed) {
  const auto server = servers().find(environment("MIZAN_EVENTS_SERVER"));
  ASSERT_NE(server, servers().end());
  auto store = must(server->second.open(environment("MIZAN_EVENTS_DIRECTORY")));
  Told told;
  std::cout << "reading" << std::endl;
  for (;;) static_cast<void>(told.read_on(*store, 7));
}

}  // namespace

void register_event_server(const EventServer& server) {
  servers()[server.name] = server;
}

void ServerEvents::SetUp() {
  if (!is_there(GetParam().needs)) return;
  static_cast<void>(must(open()->migrate()));
}

std::unique_ptr<Store> ServerEvents::open() {
  return must(GetParam().open(directory_.path()));
}

TEST_P(ServerEvents, of_many_nodes_are_told_to_each_reader_once_and_in_order) {
  constexpr int nodes = 4;
  constexpr int each = 60;
  std::vector<std::unique_ptr<Store>> stores;
  std::vector<std::unique_ptr<Ledger>> ledgers;
  for (int i = 0; i < nodes; ++i) {
    stores.push_back(open());
    LedgerOptions options;
    options.strategy = static_cast<Strategy>(i);
    ledgers.push_back(std::make_unique<Ledger>(*stores.back(), system_clock(), options));
  }
  for (const char* id : {"a", "b", "c", "d", "hot"}) fund(*ledgers[0], id, 10'000);
  std::atomic<int> running = nodes;
  std::vector<Told> readers(3);
  {
    std::vector<std::jthread> threads;
    for (int node = 0; node < nodes; ++node) {
      threads.emplace_back([&, node] {
        const std::string own(1, static_cast<char>('a' + node));
        for (int i = 0; i < each; ++i) {
          const std::string id = own + "-" + std::to_string(i);
          apply_until_done(*ledgers[static_cast<std::size_t>(node)],
                           transfer(id, i % 3 == 0 ? "hot" : own, i % 3 == 0 ? own : "hot", 1));
        }
        --running;
      });
    }
    for (std::size_t reader = 0; reader < readers.size(); ++reader) {
      threads.emplace_back([&, reader] {
        while (running > 0) {
          static_cast<void>(readers[reader].read_on(*stores[reader], 1 + reader * 10));
        }
      });
    }
  }
  Told afterwards;
  static_cast<void>(afterwards.read_on(*stores[0], 1'000));
  EXPECT_EQ(afterwards.events.size(), 5U + nodes * each);
  expect_order_of_wallets(afterwards.events);
  for (std::size_t reader = 0; reader < readers.size(); ++reader) {
    static_cast<void>(readers[reader].read_on(*stores[3], 1'000));
    EXPECT_EQ(readers[reader].ids(), afterwards.ids()) << reader;
  }
}

TEST_P(ServerEvents, survive_readers_that_are_killed_while_they_give_places) {
  auto store = open();
  Ledger ledger(*store, system_clock(), {});
  fund(ledger, "alice", 100'000);
  Told told;
  for (int round = 0; round < 5; ++round) {
    auto child = must(ChildProcess::start(
        {own_program(), "--gtest_filter=EventReaderChild.*", "--gtest_also_run_disabled_tests"},
        {{"MIZAN_EVENTS_SERVER", GetParam().name},
         {"MIZAN_EVENTS_DIRECTORY", directory_.path().string()},
         {"GTEST_TOTAL_SHARDS", "1"},
         {"GTEST_SHARD_INDEX", "0"}}));
    bool is_reading = false;
    for (int i = 0; i < 60 || !is_reading; ++i) {
      const std::string id = std::to_string(round) + "-" + std::to_string(i);
      apply_until_done(ledger, withdraw(id, "alice", 1));
      auto line = child.read_line(system_clock().now());
      is_reading = is_reading || (line && line->has_value() && **line == "reading");
      if (i % 16 == round) static_cast<void>(told.read_on(*store, 5));
    }
    child.kill();
  }
  static_cast<void>(told.read_on(*store, 5));
  Told afterwards;
  static_cast<void>(afterwards.read_on(*store, 1'000));
  EXPECT_EQ(told.ids(), afterwards.ids());
  expect_order_of_wallets(afterwards.events);
  const auto wallet = must_have(must(store->snapshot())->find_wallet(WalletId("alice")));
  EXPECT_EQ(afterwards.events.size(), wallet.version);
}

TEST_P(ServerEvents, of_a_ledger_from_before_there_were_events_are_all_there) {
  auto store = open();
  std::vector<std::string> ids;
  {
    Ledger ledger(*store, system_clock(), {});
    fund(ledger, "alice", 1'000);
    fund(ledger, "bob", 1'000);
    std::vector<Operation> batch;
    for (int i = 0; i < 50; ++i) {
      batch.push_back(transfer("op-" + std::to_string(i), "alice", "bob", 1));
    }
    for (const auto& result : ledger.apply_batch(batch)) static_cast<void>(receipt_in(result));
  }
  store.reset();
  must(GetParam().forget_events(directory_.path()));
  store = open();
  EXPECT_FALSE(store->snapshot()) << "the tables are missing";
  EXPECT_EQ(must(store->migrate()).front().substr(4), "_events");
  Told told;
  EXPECT_EQ(told.read_on(*store, 7), 52U);
  expect_order_of_wallets(told.events);
  Ledger ledger(*store, system_clock(), {});
  static_cast<void>(receipt_in(ledger.apply(withdraw("op-after", "alice", 1))));
  EXPECT_EQ(told.read_on(*store, 7), 1U);
  EXPECT_EQ(told.ids().back(), "op-after");
}

}  // namespace mizan::conformance
