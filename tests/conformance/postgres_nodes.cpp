// Several processes on one PostgreSQL database, as far as the database can tell: stores of their
// own, each with connections of its own.

#include "mizan/ledger.hpp"

#include "testkit/temp_dir.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/postgres_place.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

/// A node: a store and a ledger with a strategy.
struct Node {
  std::unique_ptr<Store> store;
  std::unique_ptr<Ledger> ledger;
};

class PostgresNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there({"postgres", PostgresServer::why_missing})) return;
    for (const Strategy strategy :
         {Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic}) {
      add_node(strategy);
    }
  }

  void TearDown() override {
    if (nodes_.empty()) return;
    for (const Violation& violation : must(verify(*nodes_[0].store)).violations) {
      ADD_FAILURE() << violation.invariant << ' ' << violation.wallet << ": " << violation.detail;
    }
  }

  void add_node(Strategy strategy) {
    Node node;
    node.store = must(open_postgres(directory_.path(), system_clock()));
    static_cast<void>(must(node.store->migrate()));
    LedgerOptions options;
    options.strategy = strategy;
    node.ledger = std::make_unique<Ledger>(*node.store, system_clock(), std::move(options));
    nodes_.push_back(std::move(node));
  }

  [[nodiscard]] Ledger& ledger(std::size_t node) { return *nodes_[node].ledger; }

  [[nodiscard]] std::int64_t balance(std::string_view id) {
    return must_have(must(nodes_[0].store->snapshot())->find_wallet(WalletId(id))).balance.value();
  }

  void create_with(std::string_view id, std::int64_t amount) {
    static_cast<void>(must(ledger(0).create_wallet(wallet(id))));
    if (amount == 0) return;
    static_cast<void>(receipt_in(ledger(0).apply(deposit("fund-" + std::string(id), id, amount))));
  }

  TempDir directory_{"mizan-nodes"};
  std::vector<Node> nodes_;
};

TEST_F(PostgresNodes, of_every_strategy_never_overdraw_a_wallet_together) {
  create_with("alice", 100);
  create_with("bob", 0);
  std::atomic<int> applied = 0;
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 5; ++i) {
          const std::string id = "op-" + std::to_string(t) + "-" + std::to_string(i);
          Code code = Code::contended;
          while (code == Code::contended) {
            code = code_of(
                ledger(static_cast<std::size_t>(t) % 4).apply(transfer(id, "alice", "bob", 8)));
          }
          applied += code == Code::applied ? 1 : 0;
          refused += code == Code::insufficient_funds ? 1 : 0;
        }
      });
    }
  }
  EXPECT_EQ(applied, 12) << "100 pays for twelve times 8";
  EXPECT_EQ(refused, 28);
  EXPECT_EQ(balance("alice"), 4);
  EXPECT_EQ(balance("bob"), 96);
}

TEST_F(PostgresNodes, number_their_journal_along_a_wallet_whoever_began_first) {
  create_with("alice", 100);
  const WalletId ids[] = {WalletId("alice")};
  const OperationId first_id("op-first");
  const OperationId* const claims[] = {&first_id};
  const auto deposit_in =
      [](Transaction& transaction, const WalletState& alice, std::string_view id) {
        testkit::PlanBuilder builder({alice});
        builder.at(system_clock().wall_now()).deposit(id, "alice", 1);
        Plan plan = builder.build();
        const auto written = must(transaction.write_and_commit(plan, [] {}));
        EXPECT_TRUE(std::holds_alternative<WritesDone>(written));
        return plan.wallets.front().after.links.head;
      };
  // The first transaction has its number before the second begins, and reads again after it.
  auto first = must(nodes_[0].store->begin(soon()));
  static_cast<void>(must(first->start({testkit::test_epoch(), 1, claims, {}, LoadLock::none})));
  auto second = must(nodes_[1].store->begin(soon()));
  const auto between = must(second->load_wallets(ids, LoadLock::none)).front();
  const Sequence earlier = deposit_in(*second, *between, "op-second");
  const auto alice = must(first->load_wallets(ids, LoadLock::none)).front();
  const Sequence later = deposit_in(*first, *alice, "op-first");
  EXPECT_GT(later, earlier);
}

TEST_F(PostgresNodes, apply_an_id_that_all_of_them_get_once) {
  create_with("alice", 100);
  for (int round = 0; round < 10; ++round) {
    const Operation operation = withdraw("op-" + std::to_string(round), "alice", 10);
    std::atomic<int> applied = 0;
    std::atomic<int> repeated = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t node = 0; node < 4; ++node) {
        threads.emplace_back([&, node] {
          Code code = Code::contended;
          while (code == Code::contended) code = code_of(ledger(node).apply(operation));
          applied += code == Code::applied ? 1 : 0;
          repeated += code == Code::already_applied ? 1 : 0;
        });
      }
    }
    EXPECT_EQ(applied, 1) << round;
    EXPECT_EQ(repeated, 3) << round << ": the last round empties the wallet";
  }
  EXPECT_EQ(balance("alice"), 0);
}

TEST_F(PostgresNodes, with_crossing_transfers_lose_nothing_and_never_lock_each_other_for_good) {
  create_with("alice", 1'000);
  create_with("bob", 1'000);
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 15; ++i) {
          const std::string id = "op-" + std::to_string(t) + "-" + std::to_string(i);
          const bool forth = t % 2 == 0;
          Code code = Code::contended;
          while (code == Code::contended) {
            code = code_of(
                ledger(static_cast<std::size_t>(t) / 2)
                    .apply(transfer(id, forth ? "alice" : "bob", forth ? "bob" : "alice", 1)));
          }
          if (code != Code::applied) ++failed;
        }
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(balance("alice") + balance("bob"), 2'000);
  EXPECT_EQ(balance("alice"), 1'000);
}

TEST_F(PostgresNodes, see_each_others_entries_in_the_order_of_the_wallets_versions) {
  create_with("hot", 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t node = 0; node < 4; ++node) {
      threads.emplace_back([&, node] {
        for (int i = 0; i < 20; ++i) {
          const std::string id = "op-" + std::to_string(node) + "-" + std::to_string(i);
          while (code_of(ledger(node).apply(deposit(id, "hot", 1))) != Code::applied) {
          }
        }
      });
    }
  }
  const auto snapshot = must(nodes_[0].store->snapshot());
  std::uint64_t version = 0;
  for (const JournalLeg& leg : must(snapshot->read_journal(Sequence{0}, 1'000)).items) {
    EXPECT_EQ(leg.to_version, ++version) << "the journal is read in order of sequence";
  }
  EXPECT_EQ(version, 80U);
}

TEST_F(PostgresNodes, start_at_once_on_an_empty_database_and_one_of_them_migrates) {
  const TempDir fresh("mizan-fresh");
  std::atomic<int> ran = 0;
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        auto store = open_postgres(fresh.path(), system_clock());
        auto names = store ? (*store)->migrate() : store.error();
        if (!names) ++failed;
        if (names && !names->empty()) ++ran;
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(ran, 1);
}

TEST_F(PostgresNodes, draw_epochs_that_only_grow) {
  std::int64_t last = 0;
  for (std::size_t node = 0; node < 8; ++node) {
    const std::int64_t epoch = must(nodes_[node % 4].store->epochs()->next_epoch(0));
    EXPECT_GT(epoch, last);
    last = epoch;
  }
  EXPECT_EQ(must(nodes_[0].store->epochs()->next_epoch(last + 100)), last + 101);
  EXPECT_EQ(must(nodes_[1].store->epochs()->next_epoch(0)), last + 102);
  EXPECT_EQ(must(nodes_[1].store->epochs()->next_epoch(INT64_MAX - 1)), INT64_MAX);
  EXPECT_FALSE(nodes_[2].store->epochs()->next_epoch(0));
}

TEST_F(PostgresNodes, go_on_after_the_server_ended_every_session) {
  create_with("alice", 100);
  for (std::size_t node = 0; node < 4; ++node) {
    must((*PostgresServer::shared())
             ->execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                       "WHERE application_name = 'mizan'"));
    const std::string id = "op-" + std::to_string(node);
    EXPECT_EQ(code_of(ledger(node).apply(withdraw(id, "alice", 1))), Code::applied) << node;
  }
  EXPECT_EQ(balance("alice"), 96);
}

TEST_F(PostgresNodes, that_are_cut_off_at_any_moment_apply_everything_once) {
  create_with("alice", 1'000);
  std::atomic<bool> stop = false;
  std::jthread saboteur([&] {
    while (!stop) {
      static_cast<void>((*PostgresServer::shared())
                            ->execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                      "WHERE application_name = 'mizan'"));
    }
  });
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t node = 0; node < 4; ++node) {
      threads.emplace_back([&, node] {
        for (int i = 0; i < 25; ++i) {
          const std::string id = "op-" + std::to_string(node) + "-" + std::to_string(i);
          Code code = Code::unavailable;
          std::string said;
          while (code == Code::unavailable || code == Code::contended || code == Code::unknown) {
            const auto answer = ledger(node).apply(withdraw(id, "alice", 1));
            code = code_of(answer);
            said = answer ? std::string() : answer.error().where + ": " + answer.error().detail;
          }
          if (code != Code::applied && code != Code::already_applied) {
            ++wrong;
            ADD_FAILURE() << id << ": " << to_string(code) << ' ' << said;
          }
        }
      });
    }
  }
  stop = true;
  saboteur.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(balance("alice"), 900);
}

TEST_F(PostgresNodes, without_tables_say_what_to_run) {
  const TempDir fresh("mizan-fresh");
  const auto store = must(open_postgres(fresh.path(), system_clock()));
  const auto transaction = store->begin(soon());
  ASSERT_FALSE(transaction);
  EXPECT_EQ(transaction.error().code, Code::invalid_request);
  EXPECT_NE(transaction.error().detail.find("mizan init"), std::string::npos);
  const auto snapshot = store->snapshot();
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(snapshot.error().code, Code::invalid_request);
}

TEST_F(PostgresNodes, with_one_connection_wait_for_it_until_their_deadline) {
  PostgresOptions options;
  options.url = (*PostgresServer::shared())->url();
  options.schema = schema_of(directory_.path());
  options.connections_max = 1;
  const auto store = must(open_postgres_store(options, system_clock()));
  auto first = must(store->begin(soon()));
  const Instant before = system_clock().now();
  const auto second = store->begin(before + std::chrono::milliseconds(50));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::unavailable);
  EXPECT_GE(system_clock().now(), before + std::chrono::milliseconds(50));
  const auto lease = store->leases().acquire_within(
      Resource("r"), LockOwner("me"), std::chrono::seconds(10), std::chrono::milliseconds(50));
  ASSERT_FALSE(lease);
  EXPECT_EQ(lease.error().code, Code::unavailable);
  EXPECT_LT(system_clock().now() - before, std::chrono::seconds(8)) << "it has a deadline, too";
  first.reset();
  EXPECT_TRUE(store->begin(soon()));
}

TEST_F(PostgresNodes, wait_for_a_row_no_longer_than_their_deadline) {
  create_with("alice", 100);
  auto holder = must(nodes_[0].store->begin(soon()));
  const std::vector<WalletId> alice = {WalletId("alice")};
  ASSERT_TRUE(holder->load_wallets(alice, LoadLock::update));
  const Instant before = system_clock().now();
  auto waiter = must(nodes_[1].store->begin(before + std::chrono::milliseconds(200)));
  const auto states = waiter->load_wallets(alice, LoadLock::update);
  ASSERT_FALSE(states);
  EXPECT_EQ(states.error().code, Code::contended) << states.error().detail;
  EXPECT_EQ(states.error().certainty, Certainty::not_applied);
  EXPECT_LT(system_clock().now() - before, std::chrono::seconds(20));
}

TEST_F(PostgresNodes, without_prepared_statements_do_the_same) {
  create_with("alice", 100);
  PostgresOptions options;
  options.url = (*PostgresServer::shared())->url();
  options.schema = schema_of(directory_.path());
  options.prepared_statements = false;
  const auto store = must(open_postgres_store(options, system_clock()));
  Ledger plain(*store, system_clock(), {});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(code_of(plain.apply(withdraw("op-" + std::to_string(i), "alice", 1))), Code::applied);
  }
  EXPECT_EQ(balance("alice"), 97);
}

}  // namespace
}  // namespace mizan::conformance
