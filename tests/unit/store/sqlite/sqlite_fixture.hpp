#pragma once

#include "mizan/sqlite.hpp"

#include "testkit/builders.hpp"
#include "testkit/plan_builder.hpp"
#include "testkit/temp_dir.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::sqlite {

[[nodiscard]] inline std::string text_of(const Error& error) {
  return std::string(to_string(error.code)) + " at " + error.where + ": " + error.detail;
}

/// The value of a call that must succeed; ends the test otherwise.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(text_of(result.error()));
  return std::move(result).value();
}

inline void must(const Status& status) {
  if (!status) throw std::runtime_error(text_of(status.error()));
}

[[nodiscard]] inline Deadline soon() {
  return system_clock().now() + std::chrono::seconds(60);
}

/// A directory of its own with one ledger file in it.
class SqliteTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return directory_.path() / "ledger.db"; }

  [[nodiscard]] SqliteOptions options() const {
    SqliteOptions made;
    made.file = file();
    made.owner_wait = std::chrono::milliseconds(0);
    return made;
  }

  [[nodiscard]] SqliteOptions reader_options() const {
    SqliteOptions made = options();
    made.access = SqliteAccess::read_only;
    return made;
  }

  [[nodiscard]] std::unique_ptr<Store> open() {
    auto store = must(open_sqlite_store(options(), system_clock()));
    static_cast<void>(must(store->migrate()));
    return store;
  }

  static void create(Store& store, std::initializer_list<std::string_view> wallets) {
    auto transaction = must(store.begin(soon()));
    for (const std::string_view id : wallets) {
      const NewWallet made = testkit::wallet(id).unlimited();
      ASSERT_TRUE(must(transaction->insert_wallet(made, testkit::test_epoch())));
    }
    must(transaction->commit());
  }

  [[nodiscard]] static std::vector<WalletState> load(Transaction& transaction,
                                                     const std::vector<std::string_view>& ids) {
    const std::vector<WalletId> wallets(ids.begin(), ids.end());
    std::vector<WalletState> states;
    for (auto& state : must(transaction.load_wallets(wallets, LoadLock::update))) {
      states.push_back(state.value());
    }
    return states;
  }

  /// Loads the wallets, lets `fill` plan, writes and commits.
  template <class Fill>
  static void apply(Store& store, const std::vector<std::string_view>& wallets, Fill fill) {
    auto transaction = must(store.begin(soon()));
    testkit::PlanBuilder builder(load(*transaction, wallets));
    fill(builder);
    Plan plan = builder.build();
    const WriteResult written = must(transaction->write(plan));
    ASSERT_TRUE(std::holds_alternative<WritesDone>(written));
    must(transaction->commit());
  }

  static void transfer(Store& store, std::string_view id, std::int64_t amount = 1) {
    apply(store, {"alice", "bob"}, [&](testkit::PlanBuilder& plan) {
      plan.transfer(id, "alice", "bob", amount);
    });
  }

  [[nodiscard]] static std::int64_t balance(Store& store, std::string_view wallet) {
    auto snapshot = must(store.snapshot());
    return must(snapshot->find_wallet(WalletId(wallet))).value().balance.value();
  }

  [[nodiscard]] static bool is_recorded(Store& store, std::string_view id) {
    auto snapshot = must(store.snapshot());
    return must(snapshot->find_operation(OperationId(id))).has_value();
  }

 private:
  testkit::TempDir directory_;
};

}  // namespace mizan::sqlite
