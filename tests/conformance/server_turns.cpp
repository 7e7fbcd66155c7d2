// What one node writes at once to a database of many writers: batches beside each other, of wallets
// that none of the others names.

#include "mizan/ledger.hpp"

#include "testkit/eventually.hpp"
#include "tests/conformance/server_events.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::conformance {
namespace {

using testkit::eventually;

/// Answers as they come in, by operation id.
class Answers {
 public:
  CompletionHandler of(const std::string& id) {
    return [this, id](const Result<Outcome>& result) {
      const std::lock_guard lock(mutex_);
      codes_[id] = code_of(result);
    };
  }

  [[nodiscard]] std::optional<Code> find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = codes_.find(id);
    return found == codes_.end() ? std::nullopt : std::optional(found->second);
  }

  [[nodiscard]] bool await(const std::string& id, std::chrono::milliseconds patience) {
    return eventually([&] { return find(id).has_value(); }, patience);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Code> codes_;
};

constexpr std::chrono::milliseconds long_enough{20'000};

void expect_books_in_order(Store& store) {
  for (const Violation& violation : must(verify(store)).violations) {
    ADD_FAILURE() << violation.invariant << ' ' << violation.wallet << ": " << violation.detail;
  }
}

/// A node whose next batch cannot be written, because another writer has locked the wallet "held".
class Round {
 public:
  Round(Store& store, Store& other, int number)
      : ledger_(store, system_clock(), {}), other_(other) {
    const std::string suffix = "-" + std::to_string(number);
    for (const char* name : {"held", "a", "b", "c", "free", "spare"}) {
      names_[name] = name + suffix;
      static_cast<void>(must(ledger_.create_wallet(wallet(names_[name]))));
    }
    std::vector<Operation> all;
    for (const auto& [name, id] : names_) all.push_back(deposit("fund-" + id, id, 10));
    for (const auto& answer : ledger_.apply_batch(all)) EXPECT_EQ(code_of(answer), Code::applied);
  }

  /// Until the end of `holder`.
  [[nodiscard]] std::unique_ptr<Transaction> hold() {
    auto holder = must(other_.begin(system_clock().now() + std::chrono::minutes(1)));
    const std::vector<WalletId> held = {WalletId(names_["held"])};
    EXPECT_TRUE(holder->load_wallets(held, LoadLock::update));
    return holder;
  }

  void submit(const std::string& id, const std::string& from, const std::string& to) {
    ledger_.submit(
        transfer(id + "-" + names_[from], names_[from], names_[to], 1), {}, answers_.of(id));
  }

  void submit_and_await_its_start(const std::string& id,
                                  const std::string& from,
                                  const std::string& to) {
    submit(id, from, to);
    EXPECT_TRUE(eventually([this] { return ledger_.counters().operations_waiting == 0; }));
  }

  [[nodiscard]] Ledger& ledger() { return ledger_; }

  [[nodiscard]] Answers& answers() { return answers_; }

  [[nodiscard]] const std::string& name(const std::string& name) { return names_[name]; }

 private:
  std::map<std::string, std::string> names_;
  Answers answers_;
  Ledger ledger_;  // Ends before what its answers need.
  Store& other_;
};

// Once a second a batch is to be alone, so a round may come to that moment: the next one does not.
constexpr int rounds_max = 20;

TEST_P(ServerTurns, a_batch_that_waits_for_its_wallet_holds_up_no_other_one) {
  const auto store = open();
  const auto other = open();
  bool went_beside = false;
  for (int i = 0; i < rounds_max && !went_beside; ++i) {
    Round round(*store, *other, i);
    auto holder = round.hold();
    round.submit_and_await_its_start("stuck", "held", "a");
    round.submit("beside", "free", "spare");
    went_beside = round.answers().await("beside", std::chrono::milliseconds(500));
    EXPECT_EQ(round.answers().find("stuck"), std::nullopt);
    holder.reset();
    EXPECT_TRUE(round.answers().await("stuck", long_enough));
    EXPECT_TRUE(round.answers().await("beside", long_enough));
    EXPECT_EQ(round.answers().find("stuck"), Code::applied);
    EXPECT_EQ(round.answers().find("beside"), Code::applied);
  }
  EXPECT_TRUE(went_beside);
  expect_books_in_order(*store);
}

TEST_P(ServerTurns, operations_on_one_wallet_keep_their_order) {
  const auto store = open();
  const auto other = open();
  bool went_beside = false;
  for (int i = 0; i < rounds_max && !went_beside; ++i) {
    Round round(*store, *other, i);
    auto holder = round.hold();
    round.submit_and_await_its_start("stuck", "held", "a");
    round.submit("second", "a", "b");  // Waits for a,
    round.submit("third", "b", "c");   // and this one for its turn on b.
    round.submit("beside", "free", "spare");
    went_beside = round.answers().await("beside", std::chrono::milliseconds(500));
    EXPECT_EQ(round.answers().find("second"), std::nullopt);
    EXPECT_EQ(round.answers().find("third"), std::nullopt);
    holder.reset();
    for (const char* id : {"stuck", "second", "third", "beside"}) {
      ASSERT_TRUE(round.answers().await(id, long_enough)) << id;
    }
  }
  EXPECT_TRUE(went_beside);
  expect_books_in_order(*store);
}

TEST_P(ServerTurns, many_callers_of_few_wallets_lose_nothing) {
  constexpr int callers = 24;
  constexpr int transfers = 25;
  constexpr int wallets = 8;
  const auto store = open();
  const auto other = open();
  Ledger ours(*store, system_clock(), {});
  LedgerOptions options;
  options.strategy = Strategy::atomic;
  Ledger theirs(*other, system_clock(), std::move(options));
  for (int i = 0; i < wallets; ++i) {
    const std::string id = "w-" + std::to_string(i);
    static_cast<void>(must(ours.create_wallet(wallet(id))));
    static_cast<void>(receipt_in(ours.apply(deposit("fund-" + id, id, 100))));
  }
  std::atomic<int> applied = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < callers; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < transfers; ++i) {
          const std::string id = "t-" + std::to_string(t) + "-" + std::to_string(i);
          const std::string from = "w-" + std::to_string((t + i) % wallets);
          const std::string to = "w-" + std::to_string((t + 3 * i + 1) % wallets);
          if (from == to) continue;
          Ledger& node = t % 8 == 0 ? theirs : ours;
          Code code = Code::contended;
          while (code == Code::contended) code = code_of(node.apply(transfer(id, from, to, 1)));
          EXPECT_TRUE(code == Code::applied || code == Code::insufficient_funds);
          applied += code == Code::applied ? 1 : 0;
        }
      });
    }
  }
  EXPECT_GT(applied, 0);
  expect_books_in_order(*store);
}

}  // namespace
}  // namespace mizan::conformance
