#include "http_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace mizan::integration {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class HttpEvents : public ::testing::Test {
 protected:
  HttpEvents() { server_.make_ledger(); }

  void transfer(const std::string& id) const {
    const Reply reply =
        server_.post("/v1/transfers", {{"from", "alice"}, {"to", "bob"}, {"amount", "1"}}, id);
    ASSERT_EQ(reply.status, 201) << reply.raw.body;
  }

  /// Everything after a cursor, page by page.
  std::vector<std::string> read_on(std::string& cursor, int limit) const {
    std::vector<std::string> ids;
    for (;;) {
      const Reply page =
          server_.get("/v1/events?limit=" + std::to_string(limit) + "&after=" + cursor);
      EXPECT_EQ(page.status, 200) << page.raw.body;
      cursor = page.body["next_cursor"];
      if (page.body["items"].empty()) return ids;
      for (const json& event : page.body["items"]) ids.push_back(event["data"]["id"]);
    }
  }

  /// Sends the request of a long poll and does not wait for the answer.
  [[nodiscard]] HttpClient poll(const std::string& cursor, const std::string& wait) const {
    HttpClient client = server_.connect();
    EXPECT_TRUE(
        client.send(testkit::to_text({.method = "GET",
                                      .target = "/v1/events?after=" + cursor + "&wait=" + wait,
                                      .body = {},
                                      .headers = {}})));
    return client;
  }

  HttpServer server_;
};

TEST_F(HttpEvents, are_the_operations_in_order_page_by_page) {
  transfer("op-b");
  transfer("op-a");
  ASSERT_EQ(server_.post("/v1/holds", {{"wallet", "alice"}, {"amount", "5"}}, "op-hold").status,
            201);
  const Reply page = server_.get("/v1/events");
  ASSERT_EQ(page.status, 200);
  ASSERT_EQ(page.body["items"].size(), 4U);
  const json event = page.body["items"][1];
  EXPECT_EQ(event["type"], "operation.applied");
  EXPECT_EQ(event["id"].get<std::string>().substr(0, 4), "evt_");
  EXPECT_EQ(event["at"], event["data"]["applied_at"]);
  json operation = server_.get("/v1/operations/op-b").body;
  operation["outcome"] = "applied";
  EXPECT_EQ(event["data"], operation);
  std::string cursor;
  EXPECT_EQ(read_on(cursor, 3), (std::vector<std::string>{"first", "op-b", "op-a", "op-hold"}));
  EXPECT_TRUE(read_on(cursor, 3).empty());
  const std::string after_second = page.body["items"][1]["cursor"];
  std::string from_there = after_second;
  EXPECT_EQ(read_on(from_there, 10), (std::vector<std::string>{"op-a", "op-hold"}));
}

TEST_F(HttpEvents, wrong_parameters_are_named) {
  for (const char* query : {"after=nonsense",
                            "wait=61",
                            "wait=-1",
                            "wait=soon",
                            "limit=0",
                            "limit=1001",
                            "since=1",
                            "after=&after="}) {
    const Reply reply = server_.get(std::string("/v1/events?") + query);
    EXPECT_EQ(reply.status, 400) << query;
    EXPECT_EQ(reply.code(), "invalid_request") << query;
  }
  EXPECT_EQ(server_.post("/v1/events", json()).status, 405);
}

TEST_F(HttpEvents, a_cursor_ahead_of_the_newest_event_is_refused_at_once) {
  HttpServer other;
  other.make_ledger();
  std::string cursor;
  static_cast<void>(read_on(cursor, 100));
  EXPECT_EQ(other.get("/v1/events?after=" + cursor).status, 200) << "both have the same length";
  transfer("op-1");
  static_cast<void>(read_on(cursor, 100));
  for (const char* wait : {"", "&wait=25s"}) {
    const Instant began = system_clock().now();
    const Reply reply = other.get("/v1/events?after=" + cursor + wait);
    EXPECT_EQ(reply.status, 400) << reply.raw.body;
    EXPECT_EQ(reply.code(), "invalid_request");
    EXPECT_EQ(reply.body["errors"][0]["pointer"], "/after");
    EXPECT_LT(system_clock().now() - began, seconds(15));
  }
}

TEST_F(HttpEvents, a_long_poll_is_answered_when_something_is_applied) {
  std::string cursor;
  static_cast<void>(read_on(cursor, 100));
  HttpClient client = poll(cursor, "20s");
  EXPECT_FALSE(client.receive(soon(milliseconds(200)))) << "nothing has happened";
  HttpClient other = poll(cursor, "20");
  transfer("op-1");
  const Instant began = system_clock().now();
  for (HttpClient* one : {&client, &other}) {
    const Reply reply = read_reply(one->receive(soon()));
    ASSERT_EQ(reply.body["items"].size(), 1U) << reply.raw.body;
    EXPECT_EQ(reply.body["items"][0]["data"]["id"], "op-1");
  }
  EXPECT_LT(system_clock().now() - began, seconds(10));
}

TEST_F(HttpEvents, a_long_poll_ends_without_events_when_its_time_is_over) {
  std::string cursor;
  static_cast<void>(read_on(cursor, 100));
  const Instant began = system_clock().now();
  const Reply reply = server_.get("/v1/events?wait=300ms&after=" + cursor);
  EXPECT_GE(system_clock().now() - began, milliseconds(300));
  EXPECT_EQ(reply.status, 200);
  EXPECT_TRUE(reply.body["items"].empty());
  EXPECT_EQ(reply.body["next_cursor"], cursor);
}

TEST_F(HttpEvents, those_who_wait_keep_nobody_else_waiting) {
  std::string cursor;
  static_cast<void>(read_on(cursor, 100));
  constexpr std::size_t pollers = 100;
  std::vector<HttpClient> waiting;
  waiting.reserve(pollers);
  for (std::size_t i = 0; i < pollers; ++i) waiting.push_back(poll(cursor, "25s"));
  const Instant began = system_clock().now();
  EXPECT_EQ(server_.get("/v1/wallets/alice").status, 200);
  transfer("op-1");
  for (HttpClient& client : waiting) {
    EXPECT_EQ(read_reply(client.receive(soon())).body["items"].size(), 1U);
  }
  EXPECT_LT(system_clock().now() - began, seconds(15));
}

TEST_F(HttpEvents, a_stopping_server_answers_those_who_wait) {
  std::string cursor;
  static_cast<void>(read_on(cursor, 100));
  HttpClient client = poll(cursor, "25s");
  EXPECT_FALSE(client.receive(soon(milliseconds(200))));
  const Instant began = system_clock().now();
  EXPECT_EQ(server_.stop(), 0);
  EXPECT_LT(system_clock().now() - began, seconds(15));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 200);
}

TEST_F(HttpEvents, a_cursor_is_good_after_a_crash) {
  std::string cursor;
  static_cast<void>(read_on(cursor, 100));
  transfer("op-1");
  server_.kill();
  server_.start();
  transfer("op-2");
  EXPECT_EQ(read_on(cursor, 1), (std::vector<std::string>{"op-1", "op-2"}));
}

}  // namespace
}  // namespace mizan::integration
