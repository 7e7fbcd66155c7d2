#include "cli_program.hpp"
#include "exposition.hpp"
#include "http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

// Each number of /metrics moves when its thing happens, and the text is what Prometheus reads.

namespace mizan::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

json transfer(const std::string& amount) {
  return {{"from", "alice"}, {"to", "bob"}, {"amount", amount}};
}

Exposition metrics_of(const HttpServer& server) {
  const Reply reply = server.get("/metrics");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.raw.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  Exposition metrics = read_exposition(reply.raw.body);
  EXPECT_THAT(metrics.problems, IsEmpty());
  return metrics;
}

TEST(Exposition, a_text_that_breaks_a_rule_is_found_out) {
  const auto problems = [](const std::string& text) { return read_exposition(text).problems; };
  const std::string head = "# HELP mizan_a_total h\n# TYPE mizan_a_total counter\n";
  EXPECT_THAT(problems(head + "mizan_a_total 1\n"), IsEmpty());
  EXPECT_THAT(problems(head + "mizan_a_total{a=\"b\",c=\"\\\"\\\\\\n\"} 1e+06\n"), IsEmpty());
  for (const std::string wrong : {"mizan_a_total 1",
                                  "mizan_a_total one\n",
                                  "mizan_a_total{a=b} 1\n",
                                  "mizan_a_total{a=\"b\" 1\n",
                                  "mizan_a_total -1\n",
                                  "mizan_b_total 1\n",
                                  "mizan_a_total 1\nmizan_a_total 2\n"}) {
    EXPECT_THAT(problems(head + wrong), Not(IsEmpty())) << wrong;
  }
  EXPECT_THAT(problems("# HELP mizan_a h\n# TYPE mizan_a counter\n"), Not(IsEmpty()));
  EXPECT_THAT(problems("# HELP mizan_a_ms h\n# TYPE mizan_a_ms gauge\n"), Not(IsEmpty()));
  const std::string histogram = "# HELP mizan_h h\n# TYPE mizan_h histogram\n";
  EXPECT_THAT(problems(histogram + "mizan_h_bucket{le=\"1\"} 1\nmizan_h_bucket{le=\"+Inf\"} 2\n"
                                   "mizan_h_sum 3\nmizan_h_count 2\n"),
              IsEmpty());
  EXPECT_THAT(problems(histogram + "mizan_h_bucket{le=\"1\"} 3\nmizan_h_bucket{le=\"+Inf\"} 2\n"
                                   "mizan_h_sum 3\nmizan_h_count 2\n"),
              Not(IsEmpty()));
  EXPECT_THAT(problems(histogram + "mizan_h_bucket{le=\"1\"} 1\nmizan_h_sum 3\nmizan_h_count 1\n"),
              Not(IsEmpty()));
}

TEST(HttpMetrics, requests_outcomes_commits_and_batches_are_counted) {
  const HttpServer server;
  server.make_ledger();
  const Exposition before = metrics_of(server);
  server.post("/v1/transfers", transfer("1"), "t");
  server.post("/v1/transfers", transfer("1"), "t");
  server.post("/v1/transfers", transfer("999999999"), "u");
  server.get("/v1/wallets/nobody-here");
  json operations = json::array();
  for (int i = 0; i < 20; ++i) {
    operations.push_back({{"id", "b-" + std::to_string(i)},
                          {"type", "transfer"},
                          {"from", "alice"},
                          {"to", "bob"},
                          {"amount", "1"}});
  }
  ASSERT_EQ(server.post("/v1/batch", {{"operations", operations}}).status, 200);
  const Exposition after = metrics_of(server);
  const auto moved = [&](const std::string& sample) {
    return after.value(sample) - before.value(sample);
  };
  const std::string posts = "mizan_http_requests_total{route=\"/v1/transfers\",method=\"POST\",";
  EXPECT_EQ(moved(posts + "status=\"201\"}"), 1);
  EXPECT_EQ(moved(posts + "status=\"200\"}"), 1);
  EXPECT_EQ(moved(posts + "status=\"422\"}"), 1);
  EXPECT_EQ(moved("mizan_http_request_duration_seconds_count{route=\"/v1/transfers\",method="
                  "\"POST\"}"),
            3);
  EXPECT_EQ(moved("mizan_outcomes_total{outcome=\"applied\"}"), 1);
  EXPECT_EQ(moved("mizan_outcomes_total{outcome=\"already_applied\"}"), 1);
  EXPECT_EQ(moved("mizan_outcomes_total{outcome=\"insufficient_funds\"}"), 1);
  EXPECT_EQ(moved("mizan_outcomes_total{outcome=\"wallet_not_found\"}"), 1);
  EXPECT_EQ(moved("mizan_operations_applied_total"), 21);
  EXPECT_EQ(moved("mizan_operations_replayed_total"), 1);
  EXPECT_EQ(moved("mizan_operations_refused_total"), 1);
  EXPECT_EQ(moved("mizan_commits_total"), 2);
  EXPECT_EQ(moved("mizan_commit_duration_seconds_count"), 2);
  EXPECT_GT(moved("mizan_commit_duration_seconds_sum"), 0);
  EXPECT_EQ(moved("mizan_batch_operations_sum"), 21);
  EXPECT_EQ(moved("mizan_batch_operations_bucket{le=\"16\"}"), 1);
  EXPECT_EQ(moved("mizan_batch_operations_bucket{le=\"32\"}"), 2);
  EXPECT_EQ(after.value("mizan_http_connections"), 1);
  EXPECT_EQ(after.samples.count("mizan_queue_depth{queue=\"commit\"}"), 1U);
}

TEST(HttpMetrics, no_name_holds_an_id) {
  const HttpServer server;
  server.make_ledger();
  server.post("/v1/transfers", transfer("1"), "secret-operation");
  server.post("/v1/locks/secret-lock", {{"ttl_ms", 1'000}});
  server.get("/v1/wallets/nobody-here");
  for (const auto& [sample, value] : metrics_of(server).samples) {
    for (const char* id : {"alice", "bob", "nobody", "secret"}) {
      EXPECT_THAT(sample, Not(HasSubstr(id)));
    }
  }
}

TEST(HttpMetrics, an_older_token_is_counted) {
  const HttpServer server;
  server.make_ledger();
  json fenced = transfer("1");
  fenced["fence"] = {{"resource", "payout"}, {"token", 7}};
  EXPECT_EQ(server.post("/v1/transfers", fenced, "new").status, 201);
  fenced["fence"]["token"] = 6;
  EXPECT_EQ(server.post("/v1/transfers", fenced, "old").code(), "stale_fence");
  EXPECT_EQ(metrics_of(server).value("mizan_fence_rejections_total"), 1);
}

TEST(HttpMetrics, the_ledgers_locks_are_measured_and_those_of_clients_counted) {
  const HttpServer server({"--lock", "store:"});
  server.make_ledger();
  const double before = metrics_of(server).value("mizan_lock_wait_seconds_count");
  const Reply lease = server.post("/v1/locks/wallet%2Falice", {{"ttl_ms", 1'500}});
  ASSERT_EQ(lease.status, 201);
  EXPECT_EQ(server.post("/v1/locks/wallet%2Falice", {{"ttl_ms", 400}}).code(), "lock_busy");
  // The lock that a client names alike is another one than the ledger's own.
  EXPECT_EQ(server.post("/v1/transfers", transfer("1"), "t").status, 201);
  const Reply later =
      server.post("/v1/locks/wallet%2Falice", {{"ttl_ms", 400}, {"wait_ms", 9'000}});
  EXPECT_EQ(later.status, 201) << "when the first lease was over";
  const Reply renewal =
      server.send({.method = "PUT",
                   .target = "/v1/locks/wallet%2Falice",
                   .body = json{{"owner", lease.body["owner"]}, {"ttl_ms", 400}}.dump(),
                   .headers = {}});
  EXPECT_EQ(renewal.status, 409);
  const Exposition after = metrics_of(server);
  EXPECT_EQ(after.value("mizan_locks_granted_total"), 2);
  EXPECT_EQ(after.value("mizan_locks_busy_total"), 1);
  EXPECT_EQ(after.value("mizan_locks_lost_total"), 1);
  EXPECT_EQ(after.value("mizan_lock_wait_seconds_count") - before, 1);
}

TEST(HttpMetrics, an_alarm_of_the_store_is_counted) {
  HttpServer server;
  server.make_ledger();
  ASSERT_EQ(server.stop(), 0);
  // Somebody meddles with the file: what the rules let through is caught by the database.
  const Program shell;
  const std::string file = server.store_url().substr(std::string("sqlite:").size());
  const Ran planted =
      shell.shell("sqlite3 '" + file +
                  "' \"CREATE TRIGGER meddled BEFORE INSERT ON journal WHEN NEW.amount = 666 "
                  "BEGIN SELECT RAISE(ABORT, 'meddled'); END\"");
  ASSERT_EQ(planted.status, 0) << planted.err;
  server.start();
  EXPECT_EQ(server.post("/v1/transfers", transfer("665"), "t").status, 201);
  EXPECT_EQ(server.post("/v1/transfers", transfer("666"), "u").status, 500);
  EXPECT_EQ(metrics_of(server).value("mizan_invariant_alarms_total"), 1);
}

}  // namespace
}  // namespace mizan::integration
