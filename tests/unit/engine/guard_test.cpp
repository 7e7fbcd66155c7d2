// The guard's own steps, over a table that a test can make fail. What a database does with them is
// in the integration tests.

#include "mizan/guard.hpp"

#include "mizan/memory.hpp"

#include "testkit/builders.hpp"
#include "testkit/fake_clock.hpp"
#include "testkit/faulty_lease_table.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mizan {
namespace {

enum class CommitFate : std::uint8_t { done, conflict, applied_unreported, lost_unreported };

/// Records and fence marks in memory; a work's statements are counted, and kept on commit only.
struct Books {
  std::map<OperationId, GuardRecord> records;
  std::map<Resource, Fence> marks;
  int statements = 0;
  int transactions = 0;
  bool reachable = true;
  Deadline last_begin_until{};
  std::deque<CommitFate> fates;  ///< Of the commits to come; then all are done.
};

class CountingSession final : public SqlSession {
 public:
  Result<std::int64_t> execute(std::string_view, std::span<const SqlValue>) override {
    ++statements;
    return std::int64_t{1};
  }

  Result<std::vector<SqlRow>> query(std::string_view, std::span<const SqlValue>) override {
    return std::vector<SqlRow>{};
  }

  int statements = 0;
};

class FakeGuardTransaction final : public GuardTransaction {
 public:
  explicit FakeGuardTransaction(Books& books) : books_(books) { ++books_.transactions; }

  Result<Admission> admit(const OperationId& id,
                          const Fingerprint& fingerprint,
                          std::span<const Fence> fences) override {
    const auto known = books_.records.find(id);
    if (known != books_.records.end()) return Admission(known->second);
    FencesStale stale;
    for (const Fence& fence : fences) {
      const auto mark = books_.marks.find(fence.resource);
      if (mark != books_.marks.end() && fence.token < mark->second.token) {
        stale.fences.push_back({fence.resource, mark->second.token});
      }
    }
    if (!stale.fences.empty()) return Admission(std::move(stale));
    id_ = id;
    record_.fingerprint = fingerprint;
    fences_.assign(fences.begin(), fences.end());
    return Admission(Admitted{});
  }

  SqlSession& sql() override { return session_; }

  Status store_result(const OperationId&, std::string_view result) override {
    record_.result = std::string(result);
    return {};
  }

  Status commit() override {
    auto fate = CommitFate::done;
    if (!books_.fates.empty()) {
      fate = books_.fates.front();
      books_.fates.pop_front();
    }
    if (fate == CommitFate::conflict) {
      return Error{Code::contended, Certainty::not_applied, Retry::now, "commit", "deadlock"};
    }
    if (fate != CommitFate::lost_unreported) {
      books_.records[id_] = record_;
      books_.statements += session_.statements;
      for (const Fence& fence : fences_) books_.marks[fence.resource] = fence;
    }
    if (fate == CommitFate::done) return {};
    return Error{Code::unknown, Certainty::unknown, Retry::after_backoff, "commit", "cut off"};
  }

 private:
  Books& books_;
  CountingSession session_;
  OperationId id_;
  GuardRecord record_;
  std::vector<Fence> fences_;
};

class FakeGuardTable final : public GuardTable {
 public:
  explicit FakeGuardTable(Books& books) : books_(books) {}

  Result<std::optional<GuardRecord>> find(const OperationId& id) override {
    if (!books_.reachable) return unavailable("find", "away");
    const auto found = books_.records.find(id);
    if (found == books_.records.end()) return std::optional<GuardRecord>();
    return std::optional(found->second);
  }

  Result<std::unique_ptr<GuardTransaction>> begin(Deadline until) override {
    books_.last_begin_until = until;
    if (!books_.reachable) return unavailable("begin", "away");
    return std::unique_ptr<GuardTransaction>(std::make_unique<FakeGuardTransaction>(books_));
  }

 private:
  Books& books_;
};

/// A memory store with a guard table.
class GuardedStore final : public Store {
 public:
  GuardedStore(const Clock& clock, GuardTable* table)
      : inner_(make_memory_store(clock)), table_(table) {}

  [[nodiscard]] StoreDescription describe() const override { return inner_->describe(); }

  Result<std::vector<std::string>> migrate() override { return inner_->migrate(); }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    return inner_->begin(deadline);
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override { return inner_->snapshot(); }

  Result<std::vector<Finding>> doctor() override { return inner_->doctor(); }

  Result<std::uint64_t> disk_bytes() override { return inner_->disk_bytes(); }

  LeaseTable& leases() override { return inner_->leases(); }

  GuardTable* guards() override { return table_; }

 private:
  std::unique_ptr<Store> inner_;
  GuardTable* table_;
};

class GuardTest : public ::testing::Test {
 protected:
  [[nodiscard]] Result<GuardOutcome> run(const std::string& id,
                                         const std::string& content,
                                         std::vector<Fence> fences = {}) {
    GuardRequest request;
    request.id = OperationId{id};
    request.content = content;
    request.fences = std::move(fences);
    return guard_.run(request, [this](SqlSession& sql) -> Result<std::string> {
      ++works_;
      const auto changed = sql.execute("a statement", {});
      if (!changed) return changed.error();
      return "result " + std::to_string(works_);
    });
  }

  testkit::FakeClock clock_{testkit::FakeSleep::advances};
  Books books_;
  FakeGuardTable table_{books_};
  GuardedStore store_{clock_, &table_};
  Guard guard_{store_, clock_, {}};
  int works_ = 0;
};

TEST_F(GuardTest, runs_the_work_once_and_replays_its_result) {
  const auto first = run("op-1", "pay 5");
  ASSERT_TRUE(first && std::holds_alternative<GuardApplied>(*first));
  EXPECT_EQ(std::get<GuardApplied>(*first).result, "result 1");
  const auto second = run("op-1", "pay 5");
  ASSERT_TRUE(second && std::holds_alternative<GuardReplayed>(*second));
  EXPECT_EQ(std::get<GuardReplayed>(*second).result, "result 1");
  EXPECT_EQ(works_, 1);
  EXPECT_EQ(books_.statements, 1);
}

TEST_F(GuardTest, tells_another_content_from_a_repeat) {
  ASSERT_TRUE(run("op-1", "pay 5"));
  const auto other = run("op-1", "pay 6");
  ASSERT_TRUE(other && std::holds_alternative<GuardMismatch>(*other));
  EXPECT_EQ(works_, 1);
}

TEST_F(GuardTest, a_stale_token_runs_nothing_and_a_repeat_needs_no_token) {
  ASSERT_TRUE(run("op-1", "x", {testkit::fence("door", 9)}));
  const auto stale = run("op-2", "x", {testkit::fence("door", 8)});
  ASSERT_TRUE(stale && std::holds_alternative<GuardStale>(*stale));
  ASSERT_EQ(std::get<GuardStale>(*stale).fences.size(), 1U);
  EXPECT_EQ(std::get<GuardStale>(*stale).fences[0].resource, Resource("door"));
  EXPECT_EQ(std::get<GuardStale>(*stale).fences[0].newest, FenceToken{9});
  EXPECT_EQ(works_, 1);
  const auto repeat = run("op-1", "x", {testkit::fence("door", 1)});
  EXPECT_TRUE(repeat && std::holds_alternative<GuardReplayed>(*repeat));
}

TEST_F(GuardTest, knows_no_lock_and_no_fence_of_the_ledgers_own) {
  const auto fenced = run("op-1", "x", {testkit::fence("door", 1), testkit::fence("mizan:x", 9)});
  ASSERT_FALSE(fenced);
  EXPECT_EQ(fenced.error().code, Code::invalid_request);
  EXPECT_EQ(fenced.error().where, "fences");
  GuardRequest request;
  request.id = OperationId{"op-1"};
  request.resource = Resource{"mizan:wallet/alice"};
  const auto locked = guard_.run(request, [](SqlSession&) { return std::string("done"); });
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code, Code::invalid_request);
  EXPECT_EQ(locked.error().where, "resource");
  EXPECT_EQ(works_, 0);
  EXPECT_TRUE(books_.marks.empty());
}

TEST_F(GuardTest, an_error_of_the_work_is_passed_on_and_nothing_is_kept) {
  GuardRequest request;
  request.id = OperationId{"op-1"};
  const auto failed = guard_.run(request, [](SqlSession& sql) -> Result<std::string> {
    static_cast<void>(sql.execute("a statement", {}));
    return invalid_request("work", "no");
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().where, "work");
  EXPECT_TRUE(books_.records.empty());
  EXPECT_EQ(books_.statements, 0);
}

TEST_F(GuardTest, what_the_work_throws_is_an_error_and_nothing_is_kept) {
  GuardRequest request;
  request.id = OperationId{"op-1"};
  const auto thrown = guard_.run(request, [](SqlSession& sql) -> Result<std::string> {
    static_cast<void>(sql.execute("a statement", {}));
    throw std::runtime_error("no such customer");
  });
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().code, Code::internal);
  EXPECT_EQ(thrown.error().certainty, Certainty::not_applied);
  EXPECT_EQ(thrown.error().retry, Retry::never);
  EXPECT_NE(thrown.error().detail.find("no such customer"), std::string::npos);
  const auto odd = guard_.run(request, [](SqlSession&) -> Result<std::string> { throw 7; });
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().code, Code::internal);
  EXPECT_TRUE(books_.records.empty());
  EXPECT_EQ(books_.statements, 0);
}

TEST_F(GuardTest, waits_for_the_writers_turn_no_longer_than_the_lease_lasts) {
  const auto lock = make_memory_lock(clock_);
  GuardOptions options;
  options.lock = lock.get();
  Guard guard(store_, clock_, options);
  GuardRequest request;
  request.id = OperationId{"op-1"};
  request.resource = Resource{"door"};
  request.ttl = std::chrono::seconds(2);
  const Instant asked_at = clock_.now();
  ASSERT_TRUE(
      guard.run(request, [](SqlSession&) -> Result<std::string> { return std::string("x"); }));
  EXPECT_GT(books_.last_begin_until, asked_at);
  EXPECT_LE(books_.last_begin_until, asked_at + request.ttl - options.commit_margin);
  request.id = OperationId{"op-2"};
  request.deadline = asked_at + std::chrono::seconds(1);
  ASSERT_TRUE(
      guard.run(request, [](SqlSession&) -> Result<std::string> { return std::string("x"); }));
  EXPECT_EQ(books_.last_begin_until, request.deadline);
}

TEST_F(GuardTest, a_result_that_is_too_large_keeps_nothing) {
  GuardRequest request;
  request.id = OperationId{"op-1"};
  const auto large = guard_.run(
      request, [](SqlSession&) -> Result<std::string> { return std::string(64 * 1024 + 1, 'x'); });
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Code::invalid_request);
  EXPECT_TRUE(books_.records.empty());
  EXPECT_TRUE(guard_.run(
      request, [](SqlSession&) -> Result<std::string> { return std::string(64 * 1024, 'x'); }));
}

TEST_F(GuardTest, a_conflict_is_repeated_whole_and_kept_once) {
  books_.fates = {CommitFate::conflict, CommitFate::conflict};
  const auto result = run("op-1", "x");
  ASSERT_TRUE(result && std::holds_alternative<GuardApplied>(*result));
  EXPECT_EQ(works_, 3);
  EXPECT_EQ(books_.statements, 1);
}

TEST_F(GuardTest, conflicts_without_end_are_contended) {
  books_.fates.assign(100, CommitFate::conflict);
  const auto result = run("op-1", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::contended);
  EXPECT_EQ(works_, 10);
  EXPECT_TRUE(books_.records.empty());
}

TEST_F(GuardTest, an_unknown_commit_is_found_out_about_by_its_id) {
  books_.fates = {CommitFate::applied_unreported};
  const auto applied = run("op-1", "x");
  ASSERT_TRUE(applied && std::holds_alternative<GuardApplied>(*applied));
  EXPECT_EQ(std::get<GuardApplied>(*applied).result, "result 1");
  EXPECT_EQ(works_, 1);
  books_.fates = {CommitFate::lost_unreported};
  const auto again = run("op-2", "x");
  ASSERT_TRUE(again && std::holds_alternative<GuardApplied>(*again));
  EXPECT_EQ(works_, 3);
  EXPECT_EQ(books_.statements, 2);
}

TEST_F(GuardTest, a_failure_after_an_unknown_commit_does_not_claim_that_nothing_was_kept) {
  books_.fates.assign(1, CommitFate::lost_unreported);
  books_.fates.resize(100, CommitFate::conflict);
  const auto result = run("op-1", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unknown);
  EXPECT_EQ(result.error().certainty, Certainty::unknown);
}

TEST_F(GuardTest, an_error_for_good_after_an_unknown_commit_is_no_proof_either) {
  books_.fates = {CommitFate::lost_unreported};
  GuardRequest request;
  request.id = OperationId{"op-1"};
  int works = 0;
  const auto result = guard_.run(request, [&works](SqlSession&) -> Result<std::string> {
    if (++works == 1) return std::string("done");
    return invalid_request("work", "the table is gone");
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(works, 2);
  EXPECT_EQ(result.error().code, Code::unknown);
  EXPECT_EQ(result.error().certainty, Certainty::unknown);
  EXPECT_NE(result.error().detail.find("the table is gone"), std::string::npos);
}

TEST_F(GuardTest, refuses_an_id_that_is_none_and_a_store_without_sql) {
  EXPECT_EQ(run("", "x").error().code, Code::invalid_request);
  EXPECT_EQ(run("a b", "x").error().code, Code::invalid_request);
  EXPECT_EQ(works_, 0);
  const auto plain = make_memory_store(clock_);
  Guard guard(*plain, clock_, {});
  GuardRequest request;
  request.id = OperationId{"op-1"};
  const auto result =
      guard.run(request, [](SqlSession&) -> Result<std::string> { return std::string("x"); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::invalid_request);
}

TEST_F(GuardTest, goes_on_at_once_without_a_lock_that_is_away_where_that_is_the_policy) {
  for (const auto fault : {testkit::LeaseFault::fail, testkit::LeaseFault::doubt}) {
    testkit::FaultyLeaseTable leases(store_.leases());
    leases.inject_always(testkit::LeaseCall::acquire, fault);
    const auto lock = make_lock_service("away", leases, clock_);
    Guard guard(store_, clock_, {.lock = lock.get(), .lock_outage = LockOutage::proceed});
    GuardRequest request;
    request.id = OperationId{fault == testkit::LeaseFault::fail ? "op-1" : "op-2"};
    request.resource = Resource{"door"};
    const Instant before = clock_.now();
    const auto result =
        guard.run(request, [](SqlSession&) -> Result<std::string> { return std::string("x"); });
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_TRUE(std::holds_alternative<GuardApplied>(*result));
    EXPECT_LT(clock_.now() - before, std::chrono::seconds(1)) << "it has time to do it";
  }
}

TEST_F(GuardTest, did_nothing_where_it_is_not_known_whether_the_lock_was_granted) {
  testkit::FaultyLeaseTable leases(store_.leases());
  leases.inject_always(testkit::LeaseCall::acquire, testkit::LeaseFault::doubt);
  const auto lock = make_lock_service("away", leases, system_clock());
  Guard guard(store_, system_clock(), {.lock = lock.get()});
  GuardRequest request;
  request.id = OperationId{"op-1"};
  request.resource = Resource{"door"};
  request.deadline = system_clock().now() + std::chrono::milliseconds(200);
  const auto result =
      guard.run(request, [](SqlSession&) -> Result<std::string> { return std::string("x"); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unavailable);
  EXPECT_EQ(result.error().certainty, Certainty::not_applied);
}

TEST_F(GuardTest, a_database_that_is_away_is_unavailable) {
  books_.reachable = false;
  EXPECT_EQ(run("op-1", "x").error().code, Code::unavailable);
  EXPECT_EQ(works_, 0);
}

}  // namespace
}  // namespace mizan
