#include "testkit/child_process.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

// The child is this very program, told by its environment what to open and where to die. It says
// "acknowledged N" for each commit that was reported to it, and kills itself inside the N-th
// arrival at the step: the database has no chance to tidy up, as with kill -9 from outside.

namespace mizan::conformance {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// Transfers 1 from alice to bob and holds 1 of alice, in one transaction. Goes through every
/// named step.
void run_round(Store& store, int round, bool by_deltas) {
  const std::string name = std::to_string(round);
  auto transaction = must(store.begin(soon()));
  const OperationId id("op-" + name);
  const OperationId* ids[] = {&id};
  static_cast<void>(must(transaction->claim(ids)));
  static_cast<void>(must(transaction->advance_fence(fence("lock", round + 1, "child"))));
  std::vector<WalletState> states;
  for (auto& state : must(transaction->load_wallets(std::array{WalletId("alice"), WalletId("bob")},
                                                    LoadLock::update))) {
    states.push_back(state.value());
  }
  PlanBuilder builder(std::move(states));
  builder.transfer("op-" + name, "alice", "bob", 1).hold("hold-" + name, "alice", 1);
  Plan plan = builder.build();
  if (by_deltas) {
    GuardedDelta from;
    from.wallet = WalletId("alice");
    from.balance_change = MinorUnits{-1};
    from.held_change = MinorUnits{1};
    from.require_funds = true;
    GuardedDelta to;
    to.wallet = WalletId("bob");
    to.balance_change = MinorUnits{1};
    static_cast<void>(must(transaction->apply_deltas(std::array{from, to})));
    static_cast<void>(must(transaction->record(plan)));
  } else {
    static_cast<void>(must(transaction->write(plan)));
  }
  must(transaction->commit());
}

/// Opens the candidate's store with a hook that kills the process.
void be_the_child() {
  const StoreCandidate* candidate = find_candidate(environment("MIZAN_CRASH_STORE"));
  ASSERT_NE(candidate, nullptr);
  const std::string fatal_step = environment("MIZAN_CRASH_STEP");
  int arrivals_left = std::atoi(environment("MIZAN_CRASH_ARRIVAL").c_str());
  StorePlace place;
  place.directory = environment("MIZAN_CRASH_DIRECTORY");
  place.clock = &system_clock();
  place.on_step = [&](std::string_view step) {
    if (step == fatal_step && --arrivals_left == 0) std::raise(SIGKILL);
  };
  auto store = must(candidate->open(place));
  const bool by_deltas = environment("MIZAN_CRASH_WRITE") == "deltas";
  for (int round = 0; round < 6; ++round) {
    run_round(*store, round, by_deltas);
    std::cout << "acknowledged " << round << std::endl;
  }
}

// Disabled: only the crash chapter runs it, in a process of its own.
TEST(StoreCrashChild, DISABLED_runs_until_it_is_killed) {
  be_the_child();
}

struct ChildStory {
  int acknowledged = 0;
  bool killed = false;
};

ChildStory run_child(const StorePlace& place,
                     const std::string& store,
                     std::string_view step,
                     int arrival,
                     std::string_view write) {
  auto child = must(ChildProcess::start(
      {own_program(), "--gtest_filter=StoreCrashChild.*", "--gtest_also_run_disabled_tests"},
      {{"MIZAN_CRASH_STORE", store},
       {"MIZAN_CRASH_DIRECTORY", place.directory.string()},
       {"MIZAN_CRASH_STEP", std::string(step)},
       {"MIZAN_CRASH_ARRIVAL", std::to_string(arrival)},
       {"MIZAN_CRASH_WRITE", std::string(write)},
       // The child's one test is in whatever shard the parent runs.
       {"GTEST_TOTAL_SHARDS", "1"},
       {"GTEST_SHARD_INDEX", "0"}}));
  ChildStory story;
  while (auto line = must(child.read_line(soon(60)))) {
    if (line->starts_with("acknowledged ")) ++story.acknowledged;
  }
  const ChildExit end = must(child.wait(soon(60)));
  story.killed = end.signal == SIGKILL;
  return story;
}

/// What must hold whatever happened: each round is there as a whole or not at all, in order.
void expect_whole_rounds(Store& store, int acknowledged, std::string_view step) {
  auto reader = must(store.snapshot());
  const Wallet alice = must_have(reader->find_wallet(WalletId("alice")));
  const Wallet bob = must_have(reader->find_wallet(WalletId("bob")));
  const std::int64_t rounds = bob.balance.value();
  EXPECT_GE(rounds, acknowledged) << step << ": an acknowledged round is missing";
  EXPECT_LE(rounds, acknowledged + 1) << step;
  EXPECT_EQ(alice.balance.value(), 1'000 - rounds) << step;
  EXPECT_EQ(alice.held.value(), rounds) << step;
  EXPECT_EQ(alice.version, static_cast<std::uint64_t>(rounds) + 1) << step;
  EXPECT_EQ(bob.version, static_cast<std::uint64_t>(rounds)) << step;
  EXPECT_EQ(must(reader->read_journal(Sequence{0}, 100)).items.size(),
            static_cast<std::size_t>(rounds) + 1);
  EXPECT_EQ(must(reader->read_holds(std::nullopt, 100)).items.size(),
            static_cast<std::size_t>(rounds));
  for (int round = 0; round < 6; ++round) {
    const std::string name = std::to_string(round);
    EXPECT_EQ(must(reader->find_operation(OperationId("op-" + name))).has_value(), round < rounds);
    EXPECT_EQ(must(reader->find_hold(OperationId("hold-" + name))).has_value(), round < rounds);
  }
  auto transaction = must(store.begin(soon()));
  const auto mark = must(transaction->load_fence(Resource("lock")));
  EXPECT_EQ(mark ? mark->token.value() : 0, rounds) << step;
}

TEST_P(StoreConformance, a_process_killed_at_any_step_leaves_whole_operations) {
  if (!GetParam().persistent) GTEST_SKIP() << "it keeps nothing";
  for (const char* write : {"plan", "deltas"}) {
    for (const char* step : {"begun",
                             "claimed",
                             "loaded",
                             "operations_recorded",
                             "wallets_written",
                             "before_commit",
                             "after_commit"}) {
      for (const int arrival : {1, 3}) {
        open_empty();
        create_with("alice", 1'000);
        create_with("bob", 0);
        close();
        const ChildStory story = run_child(place(), GetParam().name, step, arrival, write);
        ASSERT_TRUE(story.killed) << "nobody came to the step " << step;
        EXPECT_LE(story.acknowledged, arrival - 1) << step;  // A step may be passed twice a round.
        reopen();
        expect_whole_rounds(store(), story.acknowledged, step);
        transfer("op-after", "alice", "bob", 1);
      }
    }
  }
}

}  // namespace
}  // namespace mizan::conformance
