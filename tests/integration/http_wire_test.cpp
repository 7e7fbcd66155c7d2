#include "http_server.hpp"
#include "testkit/eventually.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::integration {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testkit::HttpRequest;
using testkit::to_text;

HttpRequest transfer(const std::string& id) {
  return {.method = "POST",
          .target = "/v1/transfers",
          .body = R"({"from":"alice","to":"bob","amount":"1"})",
          .headers = {{"Idempotency-Key", id}}};
}

class HttpWire : public ::testing::Test {
 protected:
  void SetUp() override { server_.make_ledger(); }

  HttpServer server_;
};

TEST_F(HttpWire, requests_sent_together_are_answered_in_their_order) {
  HttpClient client = server_.connect();
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += to_text(transfer("p-" + std::to_string(i)));
    text += to_text({.target = "/v1/wallets/bob", .body = {}, .headers = {}});
  }
  std::jthread sender([&] { EXPECT_TRUE(client.send(text)); });
  for (int i = 0; i < 300; ++i) {
    const Reply moved = read_reply(client.receive(soon()));
    ASSERT_EQ(moved.body["id"], "p-" + std::to_string(i));
    // What comes behind a transfer on the same connection sees it.
    const Reply wallet = read_reply(client.receive(soon()));
    ASSERT_EQ(wallet.body["balance"], std::to_string(i + 1));
  }
}

TEST_F(HttpWire, what_cannot_be_queued_keeps_its_place_among_what_can) {
  HttpClient client = server_.connect();
  std::string text;
  const std::vector<std::string> extras{"", R"(,"strategy":"pessimistic")", R"(,"dry_run":true)"};
  constexpr int count = 60;
  for (int i = 0; i < count; ++i) {
    HttpRequest request = transfer("m-" + std::to_string(i));
    request.body.insert(request.body.size() - 1, extras[static_cast<std::size_t>(i) % 3]);
    text += to_text(request);
  }
  ASSERT_TRUE(client.send(text));
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const Reply reply = read_reply(client.receive(soon()));
    ASSERT_EQ(reply.status, 201) << reply.raw.body;
    // Each sees what came before it, and nothing of what comes after.
    ASSERT_EQ(reply.body["legs"][0]["to_balance"], std::to_string(kept + 1)) << i;
    if (i % 3 != 2) ++kept;
  }
}

TEST_F(HttpWire, a_wallet_made_in_the_same_breath_can_be_used) {
  HttpClient client = server_.connect();
  ASSERT_TRUE(client.send(to_text({.method = "POST",
                                   .target = "/v1/wallets",
                                   .body = R"({"id":"carol","currency":"EUR"})",
                                   .headers = {}}) +
                          to_text({.method = "POST",
                                   .target = "/v1/deposits",
                                   .body = R"({"wallet":"carol","amount":"5","id":"d"})",
                                   .headers = {}})));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
}

TEST_F(HttpWire, a_request_may_come_byte_by_byte) {
  HttpClient client = server_.connect();
  for (const char byte : to_text(transfer("slow"))) ASSERT_TRUE(client.send({&byte, 1}));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
}

TEST_F(HttpWire, a_body_may_come_in_chunks) {
  HttpClient client = server_.connect();
  const std::string body = transfer("x").body;
  ASSERT_TRUE(
      client.send("POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: chunked\r\n"
                  "Transfer-Encoding: chunked\r\n\r\n5\r\n" +
                  body.substr(0, 5) + "\r\n23\r\n" + body.substr(5, 0x23) + "\r\n0\r\n\r\n"));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
}

TEST_F(HttpWire, what_is_no_request_is_refused_and_ends_the_connection) {
  const std::string inner =
      "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";  // What a proxy took for a body.
  const std::vector<std::pair<std::string, int>> cases{
      {"nonsense\r\n\r\n", 400},
      {"GET /livez HTTP/1.1\r\n\r\n", 400},
      {"\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"\rGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"GET /livez HTTP/1.1\nHost: localhost\n\n", 400},
      {"GET /livez HTTP/1.1\r\nHost: localhost\n\n", 400},
      {"GET /livez HTTP/1.1 \r\nHost: localhost\r\n\r\n", 400},
      {"GET /livez HTTP/3.0\r\nHost: localhost\r\n\r\n", 505},
      {"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: "
       "6\r\n\r\n",
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n" +
           inner,
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n" +
           inner,
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
       "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
       "chunked\r\n\r\n2\n{}\n0\n\n",
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
       "chunked\r\n\r\n2\r\n{}\n",
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
       "chunked\r\n\r\n2\r\n{}\r\n0\n",
       400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
       "chunked\r\n\r\n2\r\n{}\r\n"
       "0\r\nA: b\n\n",
       400},
      {"GET /livez HTTP/1.1\r\nHost: localhost\r\nA: b\n", 400},
      {"GET /livez HTTP/1.1\n", 400},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2;" +
           std::string(40'000, 'a'),
       431},
      {"GET /livez HTTP/1.1\r\nHost: localhost\r\nA: " + std::string(40'000, 'a') + "\r\n\r\n",
       431},
      {"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", 413}};
  for (const auto& [text, status] : cases) {
    HttpClient client = server_.connect();
    ASSERT_TRUE(client.send(text));
    const Reply reply = read_reply(client.receive(soon()));
    EXPECT_EQ(reply.status, status) << text.substr(0, 80);
    EXPECT_EQ(reply.raw.header("connection"), "close");
    EXPECT_TRUE(client.ends(soon())) << text.substr(0, 80);
  }
  EXPECT_EQ(server_.get("/livez").status, 200);
}

TEST_F(HttpWire, one_empty_line_in_front_of_a_request_is_passed_over) {
  HttpClient client = server_.connect();
  const HttpRequest alive{.method = "GET", .target = "/livez", .body = {}, .headers = {}};
  ASSERT_TRUE(client.send("\r\n" + to_text(alive) + "\r\n" + to_text(alive) + "\r"));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 200);
  EXPECT_EQ(read_reply(client.receive(soon())).status, 200);
  ASSERT_TRUE(client.send("\n" + to_text(alive)));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 200);
}

TEST_F(HttpWire, what_stands_behind_the_body_is_no_header) {
  const std::string body = transfer("trailing").body;
  std::ostringstream size;
  size << std::hex << body.size();
  HttpClient client = server_.connect();
  ASSERT_TRUE(client.send(
      "POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" +
      size.str() + "\r\n" + body + "\r\n0\r\nIdempotency-Key: trailing\r\n\r\n"));
  const Reply reply = read_reply(client.receive(soon()));
  EXPECT_EQ(reply.status, 400) << "there is no id";
  EXPECT_EQ(reply.body["errors"][0]["pointer"], "/id");
}

TEST_F(HttpWire, a_header_that_says_two_things_is_refused_but_for_a_trace) {
  const auto ask = [&](const std::string& headers) {
    HttpClient client = server_.connect();
    EXPECT_TRUE(
        client.send("GET /v1/operations/none HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n"));
    return read_reply(client.receive(soon())).status;
  };
  EXPECT_EQ(ask("Idempotency-Key: a\r\nIdempotency-Key: b\r\n"), 400);
  EXPECT_EQ(ask("Idempotency-Key: a\r\nIdempotency-Key: a\r\n"), 404);
  EXPECT_EQ(ask("traceparent: a\r\ntraceparent: b\r\n"), 404);
}

TEST_F(HttpWire, a_page_in_a_browser_moves_no_money) {
  const std::string body = transfer("page").body;
  HttpClient client = server_.connect();
  ASSERT_TRUE(client.send(
      "POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
      "Idempotency-Key: page\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 415);
  EXPECT_EQ(server_.get("/v1/operations/page").status, 404);
}

TEST_F(HttpWire, a_page_of_a_foreign_site_is_not_answered_under_the_sites_name) {
  const auto status = [](const HttpServer& server, const std::string& head) {
    HttpClient client = server.connect();
    EXPECT_TRUE(client.send(head + "\r\n"));
    return read_reply(client.receive(soon())).status;
  };
  const std::string rebound = "Host: evil.example:7780\r\n";
  const std::string paths[] = {"/livez", "/v1/wallets", "/metrics", "/nothing"};
  for (const std::string& path : paths) {
    EXPECT_EQ(status(server_, "GET " + path + " HTTP/1.1\r\n" + rebound), 421) << path;
  }
  EXPECT_EQ(status(server_, "GET /livez HTTP/1.1\r\nHost:\r\n"), 421);
  EXPECT_EQ(status(server_, "GET /livez HTTP/1.0\r\n" + rebound), 421);
  EXPECT_EQ(status(server_, "GET http://evil.example/livez HTTP/1.1\r\nHost: localhost\r\n"), 421);
  EXPECT_EQ(status(server_, "GET http://localhost/livez HTTP/1.1\r\n" + rebound), 200);
  for (const char* own : {"127.0.0.1", "[::1]:7780", "localhost:7780"}) {
    const std::string host = std::string("Host: ") + own + "\r\n";
    EXPECT_EQ(status(server_, "GET /livez HTTP/1.1\r\n" + host), 200) << own;
  }
  // A body that is large is not waited for.
  EXPECT_EQ(
      status(server_, "POST /v1/batch HTTP/1.1\r\n" + rebound + "Content-Length: 31000000\r\n"),
      421);
  const HttpServer named({"--allow-host", "a.example", "--allow-host", "EVIL.example"});
  EXPECT_EQ(status(named, "GET /livez HTTP/1.1\r\n" + rebound), 200);
  EXPECT_EQ(status(named, "GET /livez HTTP/1.1\r\nHost: b.example\r\n"), 421);
  // Where keys are asked for, a page has none; beyond loopback, names are the network's affair.
  const HttpServer with_keys({"--keys", "required"});
  EXPECT_EQ(status(with_keys, "GET /livez HTTP/1.1\r\n" + rebound), 200);
  const HttpServer open({"--listen", "0.0.0.0:0", "--keys", "off"});
  EXPECT_EQ(status(open, "GET /livez HTTP/1.1\r\n" + rebound), 200);
}

TEST_F(HttpWire, a_large_body_is_asked_for_with_100_continue) {
  HttpClient client = server_.connect();
  const HttpRequest request = transfer("waits");
  const std::string text =
      to_text({.method = "POST",
               .target = "/v1/transfers",
               .body = request.body,
               .headers = {{"Idempotency-Key", "waits"}, {"Expect", "100-continue"}}});
  const std::size_t body = text.find("\r\n\r\n") + 4;
  ASSERT_TRUE(client.send(text.substr(0, body)));
  const auto go = client.receive(soon());
  ASSERT_TRUE(go);
  EXPECT_EQ(go->status, 100);
  ASSERT_TRUE(client.send(text.substr(body)));
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
}

TEST_F(HttpWire, a_batch_of_too_many_is_refused_before_the_rest_is_there) {
  std::string body = "{\"operations\":[0";
  for (int i = 1; i <= 10'000; ++i) body += ",0";
  for (const bool in_chunks : {false, true}) {
    HttpClient client = server_.connect();
    std::string text =
        "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    if (in_chunks) {
      std::ostringstream size;
      size << std::hex << body.size();
      text += "Transfer-Encoding: chunked\r\n\r\n" + size.str() + "\r\n" + body + "\r\n";
    } else {
      text += "Content-Length: 30000000\r\n\r\n" + body;
    }
    ASSERT_TRUE(client.send(text));
    const Reply reply = read_reply(client.receive(soon()));
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.body["errors"][0]["pointer"], "/operations");
    EXPECT_EQ(reply.body["errors"][0]["code"], "out_of_range");
    EXPECT_EQ(reply.raw.header("connection"), "close");
    client.finish_sending();
    EXPECT_TRUE(client.ends(soon()));
  }
  EXPECT_EQ(server_.get("/livez").status, 200);
}

TEST_F(HttpWire, clients_that_say_nothing_more_keep_nobody_waiting) {
  std::vector<HttpClient> silent;
  for (int i = 0; i < 50; ++i) {
    silent.push_back(server_.connect());
    ASSERT_TRUE(silent.back().send("POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nContent-"));
  }
  const Instant began = system_clock().now();
  EXPECT_EQ(server_.get("/v1/wallets/alice").status, 200);
  EXPECT_LT(system_clock().now() - began, seconds{5});
}

TEST_F(HttpWire, a_client_that_has_sent_all_still_gets_its_answer) {
  HttpClient client = server_.connect();
  ASSERT_TRUE(client.send(to_text(transfer("half"))));
  client.finish_sending();
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
  EXPECT_TRUE(client.ends(soon()));
}

TEST_F(HttpWire, a_client_that_ends_in_the_middle_of_a_request_is_told_so) {
  HttpClient client = server_.connect();
  const std::string text = to_text(transfer("cut"));
  ASSERT_TRUE(client.send(to_text(transfer("whole")) + text.substr(0, text.size() - 5)));
  client.finish_sending();
  EXPECT_EQ(read_reply(client.receive(soon())).status, 201);
  const Reply reply = read_reply(client.receive(soon()));
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.raw.header("connection"), "close");
  EXPECT_TRUE(client.ends(soon()));
}

TEST_F(HttpWire, a_connection_that_is_to_close_closes_behind_its_answer) {
  HttpClient client = server_.connect();
  const auto answer =
      client.ask({.target = "/livez", .body = {}, .headers = {{"Connection", "close"}}}, soon());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->header("connection"), "close");
  EXPECT_TRUE(client.ends(soon()));
  HttpClient old = server_.connect();
  ASSERT_TRUE(old.send("GET /livez HTTP/1.0\r\n\r\n"));
  EXPECT_EQ(read_reply(old.receive(soon())).status, 200);
  EXPECT_TRUE(old.ends(soon()));
}

TEST_F(HttpWire, told_to_stop_it_answers_what_it_has_accepted_and_exits_with_0) {
  constexpr int clients = 32;
  std::vector<std::jthread> threads;
  std::atomic<int> acknowledged{0};
  std::atomic<int> silent{0};
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&, i] {
      HttpClient client = server_.connect();
      for (int n = 0;; ++n) {
        const std::string id = "s-" + std::to_string(i) + "-" + std::to_string(n);
        if (!client.send(to_text(transfer(id)))) return;
        const auto answer = client.receive(soon());
        if (!answer) ++silent;
        if (!answer || answer->status != 201) return;
        ++acknowledged;
        if (answer->header("connection") == "close") return;
      }
    });
  }
  EXPECT_TRUE(testkit::eventually([&] { return acknowledged > 200; }));
  EXPECT_EQ(server_.stop(), 0);
  threads.clear();
  EXPECT_EQ(silent, 0);
  server_.start();
  EXPECT_EQ(server_.get("/v1/wallets/bob").body["balance"], std::to_string(acknowledged.load()));
}

TEST_F(HttpWire, what_was_acknowledged_is_there_after_a_kill) {
  HttpClient client = server_.connect();
  int acknowledged = 0;
  for (; acknowledged < 50; ++acknowledged) {
    ASSERT_EQ(read_reply(client.ask(transfer("k-" + std::to_string(acknowledged)), soon())).status,
              201);
  }
  server_.kill();
  server_.start();
  EXPECT_EQ(server_.get("/v1/wallets/bob").body["balance"], std::to_string(acknowledged));
  EXPECT_EQ(
      server_.post("/v1/transfers", {{"from", "alice"}, {"to", "bob"}, {"amount", "1"}}, "k-0")
          .status,
      200);
}

TEST_F(HttpWire, a_hold_ends_at_its_deadline_also_while_no_server_is_up) {
  ASSERT_EQ(
      server_
          .post("/v1/holds", {{"wallet", "alice"}, {"amount", "50"}, {"expires_in", "1s"}}, "h-1")
          .status,
      201);
  EXPECT_EQ(server_.get("/v1/wallets/alice").body["held"], "50");
  ASSERT_EQ(server_.stop(), 0);
  server_.start();
  EXPECT_TRUE(testkit::eventually(
      [&] { return server_.get("/v1/holds/h-1").body["status"] == "expired"; }));
  EXPECT_EQ(server_.get("/v1/wallets/alice").body["held"], "0");
}

}  // namespace
}  // namespace mizan::integration
