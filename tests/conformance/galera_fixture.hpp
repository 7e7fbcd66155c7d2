#pragma once

#include "mizan/ledger.hpp"

#include "testkit/galera_cluster.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/galera_place.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::conformance {

using testkit::GaleraCluster;

/// Ledgers on one database of a cluster: of every strategy, the first at the first node and so on.
/// At the end every promise is kept, as every node sees it.
class GaleraLedgers : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there({"galera", GaleraCluster::why_missing})) return;
    cluster_ = must(GaleraCluster::shared());
    std::size_t node = 0;
    for (const Strategy strategy :
         {Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic}) {
      add_ledger(cluster_->url(node++ % GaleraCluster::size), strategy);
    }
  }

  void TearDown() override {
    ledgers_.clear();
    if (cluster_ == nullptr) return;
    must(cluster_->heal());
    for (std::size_t node = 0; node < GaleraCluster::size; ++node) {
      const auto store = open(node);
      for (const Violation& violation : must(verify(*store)).violations) {
        ADD_FAILURE() << violation.invariant << ' ' << violation.wallet << ": " << violation.detail;
      }
    }
  }

  /// A ledger with a store of its own, as another process would have it.
  void add_ledger(const std::string& url, Strategy strategy) {
    Member member;
    member.store = must(open_galera(url, directory_.path(), system_clock()));
    static_cast<void>(must(member.store->migrate()));
    LedgerOptions options;
    options.strategy = strategy;
    options.optimistic_attempts_max = 100;
    member.ledger = std::make_unique<Ledger>(*member.store, system_clock(), std::move(options));
    ledgers_.push_back(std::move(member));
  }

  [[nodiscard]] GaleraCluster& cluster() { return *cluster_; }

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_.path(); }

  [[nodiscard]] Ledger& ledger(std::size_t index) { return *ledgers_[index].ledger; }

  [[nodiscard]] Store& store(std::size_t index) { return *ledgers_[index].store; }

  [[nodiscard]] std::unique_ptr<Store> open(std::size_t node) {
    return must(open_galera(cluster_->url(node), directory_.path(), system_clock()));
  }

  [[nodiscard]] Wallet wallet_at(std::size_t node, std::string_view id) {
    return must_have(must(open(node)->snapshot())->find_wallet(WalletId(id)));
  }

  [[nodiscard]] std::int64_t balance(std::string_view id, std::size_t node = 0) {
    return wallet_at(node, id).balance.value();
  }

  void create_with(std::string_view id, std::int64_t amount) {
    static_cast<void>(must(ledger(0).create_wallet(wallet(id))));
    if (amount == 0) return;
    static_cast<void>(receipt_in(ledger(0).apply(deposit("fund-" + std::string(id), id, amount))));
  }

  /// Until there is an answer that repeating does not change.
  Code apply_until_answered(std::size_t index, const Operation& operation) {
    Code code = Code::contended;
    while (code == Code::contended || code == Code::unavailable || code == Code::unknown ||
           code == Code::in_progress) {
      code = code_of(ledger(index).apply(operation));
    }
    return code;
  }

 private:
  struct Member {
    std::unique_ptr<Store> store;
    std::unique_ptr<Ledger> ledger;
  };

  testkit::TempDir directory_{"mizan-galera-ledgers"};
  GaleraCluster* cluster_ = nullptr;
  std::vector<Member> ledgers_;
};

}  // namespace mizan::conformance
