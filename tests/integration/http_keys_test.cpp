#include "http_server.hpp"
#include "testkit/eventually.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace mizan::integration {
namespace {

class HttpKeys : public ::testing::Test {
 protected:
  HttpKeys() : server_({"--keys", "required"}) {}

  /// `mizan key …` while the server is down: a file has one owner.
  json key_command(const std::vector<std::string>& words) {
    EXPECT_EQ(server_.stop(), 0);
    std::vector<std::string> all{MIZAN_BINARY, "key"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--store", server_.store_url(), "--json"});
    auto process = testkit::ChildProcess::start(all, {{"MIZAN_CONFIG", "/dev/null"}});
    EXPECT_TRUE(process);
    const auto line = process->read_line(soon());
    EXPECT_TRUE(line && *line);
    const auto exit = process->wait(soon());
    EXPECT_TRUE(exit && exit->status == 0);
    server_.start();
    return json::parse(line && *line ? **line : "null");
  }

  std::string make(std::vector<std::string> options) {
    options.insert(options.begin(), {"create", "test"});
    return key_command(options).value("key", "");
  }

  Reply ask(const std::string& method,
            const std::string& target,
            const std::optional<std::string>& key,
            const std::string& body = {}) {
    testkit::HttpRequest request{.method = method, .target = target, .body = body, .headers = {}};
    if (key) request.headers.emplace_back("Authorization", "Bearer " + *key);
    return server_.send(request);
  }

  HttpServer server_;
};

const std::string new_wallet = R"({"id":"alice","currency":"EUR"})";

TEST_F(HttpKeys, without_a_key_only_health_and_the_description_are_shown) {
  EXPECT_EQ(ask("GET", "/livez", {}).status, 200);
  EXPECT_EQ(ask("GET", "/readyz", {}).status, 200);
  EXPECT_EQ(ask("GET", "/openapi.json", {}).status, 200);
  const Reply refused = ask("GET", "/v1/wallets", {});
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.code(), "unauthorized");
  EXPECT_EQ(refused.raw.header("www-authenticate"), "Bearer");
  EXPECT_EQ(ask("GET", "/metrics", {}).status, 401);
  EXPECT_EQ(ask("GET", "/nothing", {}).status, 401);
  EXPECT_EQ(ask("POST", "/v1/wallets", "nonsense", new_wallet).status, 401);
  const std::string invented = "mzk_abcdefghijkl_" + std::string(43, 'A');
  EXPECT_EQ(ask("POST", "/v1/wallets", invented, new_wallet).status, 401);
}

TEST_F(HttpKeys, a_key_may_do_what_its_scopes_say) {
  const std::string both = make({});
  const std::string reader = make({"--scope", "read"});
  const std::string admin = make({"--scope", "admin"});
  EXPECT_EQ(ask("POST", "/v1/wallets", both, new_wallet).status, 201);
  EXPECT_EQ(ask("GET", "/v1/wallets/alice", both).status, 200);
  EXPECT_EQ(ask("GET", "/v1/wallets/alice", reader).status, 200);
  const Reply forbidden = ask("POST", "/v1/wallets", reader, new_wallet);
  EXPECT_EQ(forbidden.status, 403);
  EXPECT_EQ(forbidden.code(), "forbidden");
  EXPECT_EQ(ask("POST", "/v1/wallets", admin, new_wallet).status, 200);
}

TEST_F(HttpKeys, a_key_ends_when_it_is_revoked) {
  const json key = key_command({"create", "test"});
  const std::string text = key["key"];
  EXPECT_EQ(ask("GET", "/v1/wallets", text).status, 200);
  key_command({"revoke", key["id"]});
  EXPECT_EQ(ask("GET", "/v1/wallets", text).status, 401);
  const json listed = key_command({"list"});
  EXPECT_EQ(listed["id"], key["id"]);
  EXPECT_FALSE(listed["revoked_at"].is_null());
  EXPECT_FALSE(listed.contains("key"));
}

TEST_F(HttpKeys, a_key_that_asks_too_often_is_put_off) {
  const std::string key = make({"--rate", "5"});
  int served = 0;
  std::optional<Reply> limited;
  for (int i = 0; i < 200 && !limited; ++i) {
    const Reply reply = ask("GET", "/v1/wallets", key);
    if (reply.status == 429) limited = reply;
    if (reply.status == 200) ++served;
  }
  ASSERT_TRUE(limited);
  EXPECT_GE(served, 5);
  EXPECT_EQ(limited->code(), "rate_limited");
  EXPECT_FALSE(limited->raw.header("retry-after").empty());
  EXPECT_TRUE(testkit::eventually([&] { return ask("GET", "/v1/wallets", key).status == 200; }));
}

TEST_F(HttpKeys, a_key_that_only_writes_moves_money_whose_currency_is_stated) {
  const std::string both = make({});
  const std::string writer = make({"--scope", "write"});
  ASSERT_EQ(ask("POST", "/v1/wallets", both, new_wallet).status, 201);
  const std::string url = "http://127.0.0.1:" + std::to_string(server_.port());
  const auto deposit = [&](const std::string& amount) {
    const std::vector<std::string> words{
        MIZAN_BINARY, "deposit", "alice", amount, "--store", url, "--json"};
    auto process =
        testkit::ChildProcess::start(words, {{"MIZAN_CONFIG", "/dev/null"}, {"MIZAN_KEY", writer}});
    EXPECT_TRUE(process);
    const auto line = process->read_line(soon());
    static_cast<void>(process->wait(soon()));
    return json::parse(line && *line ? **line : "null");
  };
  EXPECT_EQ(deposit("1 EUR").value("outcome", ""), "applied");
  EXPECT_EQ(deposit("1").value("code", ""), "forbidden");
}

TEST(HttpKeyPolicy, keys_are_asked_for_beyond_loopback) {
  HttpServer server({"--listen", "0.0.0.0:0"});
  EXPECT_EQ(server.get("/v1/wallets").status, 401);
  HttpServer open({"--listen", "0.0.0.0:0", "--keys", "off"});
  EXPECT_EQ(open.get("/v1/wallets").status, 200);
  HttpServer local({"--listen", "localhost:0"});
  EXPECT_EQ(local.get("/v1/wallets").status, 200);
}

}  // namespace
}  // namespace mizan::integration
