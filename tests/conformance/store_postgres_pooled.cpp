// PostgreSQL behind a pooler that hands a connection on after each transaction: nothing of the
// ledger may outlive one, and no statement may count on having been prepared.

#include "testkit/pgbouncer.hpp"
#include "tests/conformance/postgres_place.hpp"
#include "tests/conformance/store_fixture.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

StoreCandidate pooled() {
  StoreCandidate candidate;
  candidate.name = "postgres_pooled";
  candidate.open = [](const StorePlace& place) -> Result<std::unique_ptr<Store>> {
    auto pooler = testkit::PgBouncer::shared();
    if (!pooler) return pooler.error();
    PostgresOptions options;
    options.url = (*pooler)->url();
    options.schema = schema_of(place.directory);
    options.on_step = place.on_step;
    return open_postgres_store(std::move(options), *place.clock);
  };
  candidate.persistent = true;
  candidate.needs = {"pgbouncer", testkit::PgBouncer::why_missing};
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(postgres_pooled, StoreConformance, store_candidate(pooled()), name_of);

class PostgresPooled : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there(pooled().needs)) return;
    store_ = must(pooled().open({directory_.path(), &system_clock(), {}}));
    static_cast<void>(must(store_->migrate()));
  }

  testkit::TempDir directory_{"mizan-pooled"};
  std::unique_ptr<Store> store_;
};

TEST_F(PostgresPooled, many_callers_of_every_strategy_share_its_connections) {
  if (store_ == nullptr) return;
  Ledger ledger(*store_, system_clock(), {});
  for (const char* id : {"alice", "bob"}) static_cast<void>(must(ledger.create_wallet(wallet(id))));
  static_cast<void>(receipt_in(ledger.apply(deposit("fund", "alice", 1'000))));
  std::atomic<int> applied = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        constexpr Strategy strategies[] = {
            Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic};
        CallOptions options;
        options.strategy = strategies[t % 4];
        for (int i = 0; i < 10; ++i) {
          const std::string id = "op-" + std::to_string(t) + "-" + std::to_string(i);
          const Operation operation = transfer(id, "alice", "bob", 1);
          Code code = Code::contended;
          while (code == Code::contended) code = code_of(ledger.apply(operation, options));
          applied += code == Code::applied ? 1 : 0;
        }
      });
    }
  }
  EXPECT_EQ(applied, 80);
  EXPECT_EQ(must_have(must(store_->snapshot())->find_wallet(WalletId("bob"))).balance.value(), 80);
  EXPECT_TRUE(must(verify(*store_)).violations.empty());
}

}  // namespace
}  // namespace mizan::conformance
