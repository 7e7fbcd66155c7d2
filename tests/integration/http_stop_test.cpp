#include "http_server.hpp"
#include "testkit/eventually.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace mizan::integration {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testkit::HttpRequest;
using testkit::to_text;

std::string transfer(const std::string& id) {
  return to_text({.method = "POST",
                  .target = "/v1/transfers",
                  .body = R"({"from":"alice","to":"bob","amount":"1"})",
                  .headers = {{"Idempotency-Key", id}}});
}

/// Tells the server to end, once it has read what it was sent, and waits until it takes nobody any
/// more.
void begin_to_stop(HttpServer& server) {
  // Whoever came before this one was accepted and read before it.
  ASSERT_EQ(server.get("/livez").status, 200);
  server.process().terminate();
  ASSERT_TRUE(testkit::eventually([&] { return !HttpClient::connect(server.port()); }));
}

TEST(HttpStop, a_request_that_was_half_there_is_finished) {
  HttpServer server;
  server.make_ledger();
  HttpClient client = server.connect();
  const std::string text = transfer("half");
  ASSERT_TRUE(client.send(text.substr(0, 20)));
  begin_to_stop(server);
  // A client may be slow: much slower than one that has nothing on the way is waited for.
  const auto pause = milliseconds{4'000} / static_cast<int>(text.size() - 20);
  Instant next = system_clock().now();
  for (const char byte : text.substr(20)) {
    ASSERT_TRUE(client.send({&byte, 1}));
    next += pause;
    system_clock().sleep_until(next);
  }
  const Reply reply = read_reply(client.receive(soon()));
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.raw.header("connection"), "close");
  client.finish_sending();
  EXPECT_TRUE(client.ends(soon()));
  EXPECT_EQ(server.stop(), 0);
  server.start();
  EXPECT_EQ(server.get("/v1/operations/half").status, 200);
}

TEST(HttpStop, a_request_that_does_not_come_to_its_end_is_refused_and_told_so) {
  HttpServer server({"--stop-time", "1s"});
  HttpClient head = server.connect();
  ASSERT_TRUE(head.send("GET /livez HT"));
  HttpClient body = server.connect();
  const std::string text = transfer("never");
  ASSERT_TRUE(body.send(text.substr(0, text.size() - 5)));
  HttpClient silent = server.connect();
  begin_to_stop(server);
  for (HttpClient* client : {&head, &body}) {
    const Reply reply = read_reply(client->receive(soon()));
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(reply.code(), "unavailable");
    EXPECT_EQ(reply.body["applied"], "no");
    EXPECT_EQ(reply.raw.header("connection"), "close");
    EXPECT_EQ(reply.raw.header("retry-after"), "1");
  }
  EXPECT_TRUE(silent.ends(soon()));
  EXPECT_EQ(server.stop(), 0);
}

TEST(HttpStop, whoever_is_connected_and_not_accepted_yet_is_answered) {
  HttpServer server;
  server.make_ledger();
  server.process().stop();
  HttpClient client = server.connect();
  ASSERT_TRUE(client.send(transfer("queued")));
  server.process().terminate();
  server.process().resume();
  const Reply reply = read_reply(client.receive(soon()));
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(server.stop(), 0);
}

TEST(HttpStop, what_was_sent_behind_a_request_under_way_is_answered_too) {
  HttpServer server;
  server.make_ledger();
  const json lock{{"ttl_ms", 60'000}};
  ASSERT_EQ(server.post("/v1/locks/r", lock).status, 201);
  HttpClient client = server.connect();
  ASSERT_TRUE(client.send(to_text({.method = "POST",
                                   .target = "/v1/locks/r",
                                   .body = R"({"ttl_ms":1000,"wait_ms":20000})",
                                   .headers = {}}) +
                          transfer("behind") + transfer("last")));
  ASSERT_TRUE(testkit::eventually([&] {
    return server.get("/metrics").raw.body.find("\nmizan_lock_waiters 1\n") != std::string::npos;
  }));
  begin_to_stop(server);
  EXPECT_EQ(read_reply(client.receive(soon())).code(), "lock_busy");
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
  const Reply last = read_reply(client.receive(soon()));
  EXPECT_EQ(last.status, 201);
  EXPECT_EQ(last.raw.header("connection"), "close");
  EXPECT_EQ(server.stop(), 0);
}

}  // namespace
}  // namespace mizan::integration
