#include "cli_program.hpp"
#include "http_server.hpp"
#include "testkit/eventually.hpp"
#include "webhook_receiver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace mizan::integration {
namespace {

using std::chrono::milliseconds;
using testkit::eventually;

/// Patience of a machine that has other things to do.
constexpr milliseconds patience{60'000};

class HttpWebhooks : public ::testing::Test {
 protected:
  HttpWebhooks() { server_.make_ledger(); }

  json create(const std::string& url, const json& more = json::object()) const {
    json body{{"url", url}};
    body.update(more);
    const Reply reply = server_.post("/v1/webhooks", body);
    EXPECT_EQ(reply.status, 201) << reply.raw.body;
    return reply.body;
  }

  void transfer(const std::string& id, const std::string& from = "alice") const {
    const std::string to = from == "alice" ? "bob" : "alice";
    const Reply reply =
        server_.post("/v1/transfers", {{"from", from}, {"to", to}, {"amount", "1"}}, id);
    ASSERT_EQ(reply.status, 201) << reply.raw.body;
  }

  static std::string path(const json& webhook, const std::string& more = "") {
    return "/v1/webhooks/" + webhook["id"].get<std::string>() + more;
  }

  HttpServer server_{
      {"--webhook-timeout", "500ms", "--webhook-retry", "30ms", "--webhook-attempts", "4"}};
};

/// Computes the signature as a receiver in another language does; "" where there is no Python.
std::string signature_of(const std::string& secret, const Received& received) {
  Program program;
  program.write_file("body", received.body);
  const std::string script =
      "import base64,hashlib,hmac,sys;"
      "key=base64.b64decode(sys.argv[1].removeprefix('whsec_'));"
      "text=(sys.argv[2]+'.'+sys.argv[3]+'.').encode()+open('body','rb').read();"
      "print('v1,'+base64.b64encode(hmac.new(key,text,hashlib.sha256).digest()).decode())";
  const Ran ran = program.shell("python3 -c \"" + script + "\" '" + secret + "' '" + received.id() +
                                "' '" + received.headers.at("webhook-timestamp") + "'");
  EXPECT_EQ(ran.status, 0) << ran.err;
  return ran.out.substr(0, ran.out.find('\n'));
}

TEST_F(HttpWebhooks, events_are_delivered_signed) {
  if (!has_program("python3")) GTEST_SKIP() << "needs python3";
  WebhookReceiver receiver;
  const json webhook = create(receiver.url());
  transfer("op-1");
  ASSERT_TRUE(eventually([&] { return receiver.accepted().size() == 1; }, patience));
  const Received received = receiver.accepted().front();
  EXPECT_EQ(received.headers.at("content-type"), "application/json");
  EXPECT_EQ(received.headers.at("webhook-signature"), signature_of(webhook["secret"], received));
  const json events = server_.get("/v1/events").body["items"];
  EXPECT_EQ(json::parse(received.body), events.back()) << "the same object as a reader gets";
  EXPECT_EQ(received.id(), events.back()["id"]);
}

TEST_F(HttpWebhooks, both_secrets_sign_while_they_are_exchanged) {
  if (!has_program("python3")) GTEST_SKIP() << "needs python3";
  WebhookReceiver receiver;
  const json webhook = create(receiver.url());
  const Reply rotated = server_.post(path(webhook, "/rotate"), json::object());
  ASSERT_EQ(rotated.status, 200);
  EXPECT_EQ(rotated.body["secrets"], 2);
  transfer("op-1");
  ASSERT_TRUE(eventually([&] { return receiver.accepted().size() == 1; }, patience));
  const Received both = receiver.accepted().front();
  EXPECT_EQ(
      both.headers.at("webhook-signature"),
      signature_of(rotated.body["secret"], both) + " " + signature_of(webhook["secret"], both));
  const Reply last = server_.post(path(webhook, "/rotate"), {{"keep_old", false}});
  // Nodes look for changes every two seconds; until then both sign.
  Received alone = both;
  for (std::size_t sent = 2; alone.headers.at("webhook-signature").find(' ') != std::string::npos;
       ++sent) {
    ASSERT_LT(sent, 1'000U);
    transfer("op-" + std::to_string(sent));
    ASSERT_TRUE(eventually([&] { return receiver.accepted().size() == sent; }, patience));
    alone = receiver.accepted().back();
  }
  EXPECT_EQ(alone.headers.at("webhook-signature"), signature_of(last.body["secret"], alone));
}

TEST_F(HttpWebhooks, a_receiver_that_fails_and_hangs_gets_everything_in_the_end) {
  WebhookReceiver receiver([](const Received&, int attempt) {
    if (attempt == 1) return 503;
    if (attempt == 2) return 0;  // Says nothing.
    return 200;
  });
  create(receiver.url());
  for (int i = 0; i < 3; ++i) transfer("op-" + std::to_string(i));
  ASSERT_TRUE(eventually([&] { return receiver.accepted().size() == 3; }, patience));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(receiver.accepted()[i].operation(), "op-" + std::to_string(i));
  }
}

TEST_F(HttpWebhooks, nothing_is_lost_or_out_of_order_when_the_server_is_killed) {
  WebhookReceiver receiver(
      [](const Received&, int attempt) { return attempt % 3 == 1 ? 500 : 200; });
  create(receiver.url());
  int next = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 15; ++i) transfer("op-" + std::to_string(100 + next++));
    server_.kill();
    server_.start();
  }
  ASSERT_TRUE(eventually(
      [&] { return receiver.operations().size() == static_cast<std::size_t>(next); }, patience));
  // A repeat may come at any time; what comes first of each is in order.
  std::vector<std::string> firsts;
  for (const Received& received : receiver.accepted()) {
    const std::string operation = received.operation();
    if (std::find(firsts.begin(), firsts.end(), operation) == firsts.end()) {
      firsts.push_back(operation);
    }
  }
  EXPECT_TRUE(std::is_sorted(firsts.begin(), firsts.end()));
}

TEST_F(HttpWebhooks, what_fails_for_ever_is_listed_and_can_be_sent_again) {
  WebhookReceiver receiver(
      [](const Received& received, int) { return received.operation() == "bad" ? 500 : 200; });
  const json webhook = create(receiver.url());
  transfer("bad");
  transfer("good");
  ASSERT_TRUE(eventually([&] { return receiver.accepted().size() == 1; }, patience));
  const Reply dead = server_.get(path(webhook, "/dead"));
  ASSERT_EQ(dead.body["items"].size(), 1U) << dead.raw.body;
  EXPECT_EQ(dead.body["items"][0]["attempts"], 4);
  receiver.set_script([](const Received&, int) { return 200; });
  EXPECT_EQ(server_.post(path(webhook, "/dead/retry"), json::object()).body["retried"], 1);
  ASSERT_TRUE(eventually([&] { return receiver.operations().contains("bad"); }, patience));
  EXPECT_TRUE(server_.get(path(webhook, "/dead")).body["items"].empty());
}

TEST_F(HttpWebhooks, one_that_is_gone_is_disabled_and_goes_on_when_it_is_enabled) {
  WebhookReceiver receiver([](const Received&, int) { return 410; });
  const json webhook = create(receiver.url());
  transfer("op-1");
  ASSERT_TRUE(eventually([&] { return server_.get(path(webhook)).body["status"] == "disabled"; },
                         patience));
  receiver.set_script([](const Received&, int) { return 200; });
  transfer("op-2");
  EXPECT_EQ(server_.post(path(webhook, "/disable"), json()).body["status"], "disabled");
  EXPECT_EQ(server_.post(path(webhook, "/enable"), json()).body["status"], "enabled");
  ASSERT_TRUE(eventually([&] { return receiver.operations().size() == 2; }, patience));
}

TEST_F(HttpWebhooks, are_listed_without_secrets_and_deleted) {
  WebhookReceiver receiver;
  const json webhook = create(receiver.url(), {{"types", {"operation.applied"}}});
  const std::string secret = webhook["secret"];
  EXPECT_EQ(server_.get("/v1/webhooks").body["items"].size(), 1U);
  EXPECT_EQ(server_.get("/v1/webhooks").raw.body.find(secret), std::string::npos);
  EXPECT_EQ(server_.get(path(webhook)).raw.body.find(secret), std::string::npos);
  const testkit::HttpRequest removal{
      .method = "DELETE", .target = path(webhook), .body = {}, .headers = {}};
  EXPECT_EQ(server_.send(removal).status, 204);
  EXPECT_EQ(server_.get(path(webhook)).status, 404);
  EXPECT_EQ(server_.get(path(webhook)).code(), "webhook_not_found");
  EXPECT_TRUE(server_.get("/v1/webhooks").body["items"].empty());
}

TEST_F(HttpWebhooks, malformed_ones_are_refused_with_the_field) {
  for (const json& body :
       std::vector<json>{json::object(),
                         {{"url", "ftp://shop.example/"}},
                         {{"url", 7}},
                         {{"url",
                           "https:"
                           "//a:b@shop.example/"}},
                         {{"url", "https://shop.example/"}, {"types", {"nothing"}}},
                         {{"url", "https://shop.example/"}, {"types", {7}}},
                         {{"url", "https://shop.example/"}, {"secret", "short"}},
                         {{"url", "https://shop.example/"}, {"more", 1}}}) {
    const Reply reply = server_.post("/v1/webhooks", body);
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_FALSE(reply.body["errors"].empty()) << body;
  }
}

TEST(HttpWebhookAddresses, can_be_restricted_to_public_ones) {
  HttpServer server({"--webhook-addresses", "public", "--webhook-attempts", "1"});
  server.make_ledger();
  WebhookReceiver receiver;
  const Reply created =
      server.post("/v1/webhooks", {{"url", receiver.url()}, {"from_beginning", true}});
  ASSERT_EQ(created.status, 201);
  const std::string dead = "/v1/webhooks/" + created.body["id"].get<std::string>() + "/dead";
  ASSERT_TRUE(eventually([&] { return !server.get(dead).body["items"].empty(); }, patience));
  EXPECT_TRUE(receiver.received().empty());
}

TEST(CliWebhooks, are_created_and_shown_on_the_command_line) {
  Program program;
  program.make_ledger();
  const json webhook =
      json::parse(program.must({"webhook", "create", "https://shop.example/hook", "--json"}).out);
  const std::string id = webhook["id"];
  EXPECT_TRUE(webhook["secret"].get<std::string>().starts_with("whsec_"));
  EXPECT_EQ(json::parse(program.must({"webhook", "show", id, "--json"}).out)["url"],
            "https://shop.example/hook");
  EXPECT_EQ(json::parse(program.must({"webhook", "rotate", id, "--json"}).out)["secrets"], 2);
  EXPECT_EQ(json::parse(program.must({"webhook", "disable", id, "--json"}).out)["status"],
            "disabled");
  EXPECT_EQ(json::parse(program.must({"webhook", "enable", id, "--json"}).out)["status"],
            "enabled");
  EXPECT_TRUE(program.must({"webhook", "dead", "list", id}).out.empty());
  EXPECT_EQ(program.run({"webhook", "show", "wh_none"}).status, 1);
  EXPECT_EQ(program.run({"webhook", "create", "nonsense"}).status, 1);
  static_cast<void>(program.must({"webhook", "delete", id}));
  EXPECT_TRUE(program.must({"webhook", "list", "--json"}).out.empty());
}

TEST(CliEvents, are_listed_and_followed_by_cursor) {
  Program program;
  program.make_ledger();
  static_cast<void>(program.must({"transfer", "alice", "bob", "1", "--id", "op-1"}));
  const auto lines = lines_of(program.must({"events", "--json"}).out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(json::parse(lines[1])["data"]["id"], "op-1");
  const std::string cursor = json::parse(lines[0])["cursor"];
  const auto rest = lines_of(program.must({"events", "--after", cursor, "--json"}).out);
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0], lines[1]);
  EXPECT_NE(program.must({"events"}).out.find("op-1"), std::string::npos);
  const auto followed =
      lines_of(program.must({"events", "--follow", "--limit", "2", "--json"}).out);
  ASSERT_EQ(followed.size(), 3U);
  EXPECT_EQ(followed[1], lines[1]);
  EXPECT_EQ(program.run({"events", "--after", "nonsense"}).status, 1);
}

}  // namespace
}  // namespace mizan::integration
