#include "http_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace mizan::integration {
namespace {

using std::chrono::milliseconds;

class HttpLocks : public ::testing::Test {
 protected:
  Reply acquire(const json& body) const { return server_.post("/v1/locks/wallet%2Falice", body); }

  Reply with_owner(const std::string& method, const json& body) const {
    return server_.send({.method = method,
                         .target = "/v1/locks/wallet%2Falice",
                         .body = body.dump(),
                         .headers = {}});
  }

  HttpServer server_;
};

TEST_F(HttpLocks, a_lock_is_granted_renewed_and_given_back_by_its_owner) {
  const Reply lease = acquire({{"ttl_ms", 60'000}});
  ASSERT_EQ(lease.status, 201) << lease.raw.body;
  EXPECT_EQ(lease.body["resource"], "wallet/alice");
  EXPECT_GT(lease.body["expires_in_ms"], 0);
  const std::string owner = lease.body["owner"];
  const Reply busy = acquire({{"ttl_ms", 1'000}});
  EXPECT_EQ(busy.status, 409);
  EXPECT_EQ(busy.code(), "lock_busy");
  EXPECT_FALSE(busy.raw.header("retry-after").empty());

  EXPECT_EQ(with_owner("PUT", {{"owner", "somebody"}, {"ttl_ms", 1'000}}).code(), "stale_fence");
  const Reply renewed = with_owner("PUT", {{"owner", owner}, {"ttl_ms", 50'000}});
  EXPECT_EQ(renewed.status, 200);
  EXPECT_EQ(renewed.body["token"], lease.body["token"]);
  EXPECT_EQ(with_owner("DELETE", {{"owner", "somebody"}}).status, 409);
  EXPECT_EQ(with_owner("DELETE", {{"owner", owner}}).status, 200);
  const Reply next = acquire({{"ttl_ms", 1'000}});
  EXPECT_EQ(next.status, 201);
  EXPECT_GT(next.body["token"], lease.body["token"]);
}

TEST_F(HttpLocks, a_waiter_gets_the_lock_when_it_is_given_back) {
  const std::string owner = acquire({{"ttl_ms", 60'000}}).body["owner"];
  std::vector<HttpClient> waiters;
  for (int i = 0; i < 20; ++i) {
    waiters.push_back(server_.connect());
    ASSERT_TRUE(waiters.back().send(testkit::to_text({.method = "POST",
                                                      .target = "/v1/locks/wallet%2Falice",
                                                      .body = R"({"ttl_ms":60000,"wait_ms":30000})",
                                                      .headers = {}})));
  }
  // Many who wait keep nobody else from being served.
  EXPECT_EQ(server_.get("/livez").status, 200);
  EXPECT_EQ(server_.get("/readyz").status, 200);
  EXPECT_EQ(server_.post("/v1/locks/other", {{"ttl_ms", 1'000}}).status, 201);
  ASSERT_EQ(with_owner("DELETE", {{"owner", owner}}).status, 200);
  // They get it one after the other, whoever is first.
  std::vector<bool> served(waiters.size(), false);
  std::size_t count = 0;
  const Deadline end = soon();
  while (count < waiters.size() && system_clock().now() < end) {
    for (std::size_t i = 0; i < waiters.size(); ++i) {
      if (served[i]) continue;
      auto answer = waiters[i].receive(soon(milliseconds{20}));
      if (!answer) continue;
      const json lease = json::parse(answer->body);
      ASSERT_EQ(answer->status, 201) << answer->body;
      served[i] = true;
      ++count;
      ASSERT_EQ(with_owner("DELETE", {{"owner", lease["owner"]}}).status, 200);
    }
  }
  EXPECT_EQ(count, waiters.size());
}

TEST_F(HttpLocks, a_waiter_is_told_when_its_time_is_over) {
  ASSERT_EQ(acquire({{"ttl_ms", 60'000}}).status, 201);
  const Instant began = system_clock().now();
  const Reply late = acquire({{"ttl_ms", 1'000}, {"wait_ms", 300}});
  EXPECT_EQ(late.code(), "lock_busy");
  EXPECT_GE(system_clock().now() - began, milliseconds{300});
}

TEST_F(HttpLocks, a_lease_outlives_the_server_that_granted_it) {
  const Reply lease = acquire({{"ttl_ms", 60'000}});
  server_.kill();
  server_.start();
  EXPECT_EQ(acquire({{"ttl_ms", 1'000}}).code(), "lock_busy");
  EXPECT_EQ(with_owner("PUT", {{"owner", lease.body["owner"]}, {"ttl_ms", 50'000}}).status, 200);
  ASSERT_EQ(server_.stop(), 0);
  server_.start();
  EXPECT_EQ(with_owner("DELETE", {{"owner", lease.body["owner"]}}).status, 200);
}

TEST_F(HttpLocks, names_of_the_ledgers_own_locks_are_refused) {
  for (const char* method : {"POST", "PUT", "DELETE"}) {
    const Reply refused = server_.send({.method = method,
                                        .target = "/v1/locks/mizan%3Awallet%2Falice",
                                        .body = json({{"ttl_ms", 60'000}, {"owner", "me"}}).dump(),
                                        .headers = {}});
    EXPECT_EQ(refused.status, 400) << method;
    EXPECT_EQ(refused.code(), "invalid_request");
    EXPECT_EQ(refused.body["errors"][0]["pointer"], "/resource") << refused.raw.body;
    EXPECT_NE(refused.raw.body.find("belongs to the ledger"), std::string::npos);
  }
}

/// A server that takes locks for itself, in the same table in which its clients have theirs.
class LockingServer : public ::testing::Test {
 protected:
  void SetUp() override { server_.make_ledger(); }

  Reply transfer(const std::string& id, const json& fence = nullptr) const {
    json body{{"id", id}, {"from", "alice"}, {"to", "bob"}, {"amount", "1"}};
    if (!fence.is_null()) body["fence"] = fence;
    return server_.post("/v1/transfers", body);
  }

  HttpServer server_{{"--lock", "store:"}};
};

TEST_F(LockingServer, is_stopped_by_no_clients_fence_or_lock) {
  const json greatest{{"resource", "wallet/alice"}, {"token", "9223372036854775807"}};
  EXPECT_EQ(transfer("t-1", greatest).status, 201);
  EXPECT_EQ(transfer("t-2").status, 201);
  ASSERT_EQ(server_.post("/v1/locks/wallet%2Fbob", {{"ttl_ms", 60'000}}).status, 201);
  const json back{{"id", "t-3"}, {"from", "bob"}, {"to", "alice"}, {"amount", "1"}};
  EXPECT_EQ(server_.post("/v1/transfers", back).status, 201);
}

TEST_F(LockingServer, refuses_a_fence_of_its_own_names_and_says_where) {
  const json theirs{{"resource", "mizan:wallet/alice"}, {"token", "9223372036854775807"}};
  const Reply refused = transfer("t-1", theirs);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "invalid_request");
  EXPECT_EQ(refused.body["errors"][0]["pointer"], "/fence/resource") << refused.raw.body;
  const json item{
      {"id", "t-2"}, {"type", "deposit"}, {"wallet", "alice"}, {"amount", "1"}, {"fence", theirs}};
  const Reply batch = server_.post("/v1/batch", {{"operations", {item}}});
  EXPECT_NE(batch.raw.body.find("belongs to the ledger"), std::string::npos) << batch.raw.body;
  EXPECT_EQ(server_.get("/v1/operations/t-2").status, 404);
  EXPECT_EQ(transfer("t-1").status, 201);
}

TEST_F(HttpLocks, a_header_that_stands_twice_is_named) {
  for (const char* name : {"Idempotency-Key", "X-Request-Id", "Authorization"}) {
    const Reply refused = server_.send({.method = "POST",
                                        .target = "/v1/locks/pay",
                                        .body = R"({"ttl_ms":1000})",
                                        .headers = {{name, "one"}, {name, "two"}}});
    EXPECT_EQ(refused.status, 400) << refused.raw.body;
    EXPECT_NE(refused.raw.body.find(std::string("the header ") + name), std::string::npos)
        << refused.raw.body;
  }
}

TEST_F(HttpLocks, malformed_requests_name_the_field) {
  EXPECT_EQ(acquire(json::object()).body["errors"][0]["pointer"], "/ttl_ms");
  EXPECT_EQ(acquire({{"ttl_ms", 1}}).body["errors"][0]["pointer"], "/ttl_ms");
  EXPECT_EQ(acquire({{"ttl_ms", "1000"}}).status, 400);
  const Reply nobody =
      server_.send({.method = "DELETE", .target = "/v1/locks/pay", .body = "", .headers = {}});
  EXPECT_EQ(nobody.status, 400);
  EXPECT_EQ(nobody.body["errors"][0]["pointer"], "/owner") << nobody.raw.body;
  EXPECT_EQ(nobody.body["errors"][0]["code"], "missing") << nobody.raw.body;
  EXPECT_EQ(acquire({{"ttl_ms", 1'000}, {"wait_ms", -1}}).status, 400);
  EXPECT_EQ(server_.post("/v1/locks/" + std::string(200, 'a'), {{"ttl_ms", 1'000}}).status, 400);
}

}  // namespace
}  // namespace mizan::integration
