#include "http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace mizan::integration {
namespace {

using testkit::HttpRequest;
using testkit::to_text;

constexpr std::size_t mebibyte = std::size_t{1024} * 1024;

/// The most memory that the process ever had, in bytes. A sanitizer keeps what was freed: there the
/// number says nothing, and is absent.
std::optional<std::size_t> memory_peak(const testkit::ChildProcess& process) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static_cast<void>(process);
  return std::nullopt;
#else
  std::ifstream file("/proc/" + std::to_string(process.pid()) + "/status");
  const std::string name = "VmHWM:";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return std::stoull(line.substr(name.size())) * 1024;
  }
  return std::nullopt;
#endif
}

/// A ledger whose page of 1,000 entries is almost four megabytes.
void fill_with_large_entries(const HttpServer& server) {
  server.make_ledger();
  json metadata = json::object();
  for (int i = 0; i < 7; ++i) metadata["k" + std::to_string(i)] = std::string(512, 'm');
  json operations = json::array();
  for (int i = 0; i < 1'000; ++i) {
    operations.push_back({{"id", "large-" + std::to_string(i)},
                          {"type", "deposit"},
                          {"wallet", "bob"},
                          {"amount", "1"},
                          {"metadata", metadata}});
  }
  ASSERT_EQ(server.post("/v1/batch", {{"operations", operations}}).status, 200);
}

HttpRequest large_page() {
  return {
      .method = "GET", .target = "/v1/wallets/bob/entries?limit=1000", .body = {}, .headers = {}};
}

TEST(HttpBounds, pages_that_a_client_asks_for_and_does_not_read_are_not_piled_up) {
  HttpServer server;
  fill_with_large_entries(server);
  const std::size_t page_size = server.send(large_page()).raw.body.size();
  ASSERT_GT(page_size, 3 * mebibyte + mebibyte / 2);
  // Each thread that reads pages has its own memory: all have some.
  std::vector<HttpClient> others;
  for (int i = 0; i < 12; ++i) {
    others.push_back(server.connect());
    ASSERT_TRUE(others.back().send(to_text(large_page())));
  }
  for (HttpClient& other : others) ASSERT_EQ(read_reply(other.receive(soon())).status, 200);
  const auto before = memory_peak(server.process());
  constexpr int count = 120;
  std::string text;
  for (int i = 0; i < count; ++i) text += to_text(large_page());
  HttpClient greedy = server.connect();
  ASSERT_TRUE(greedy.send(text));
  // Those who read pages stand in one line, so what the first client had put there is done then.
  for (int i = 0; i < 8; ++i) ASSERT_EQ(server.send(large_page()).status, 200);
  const auto after = memory_peak(server.process());
  if (before && after) {
    EXPECT_LT(*after, *before + 96 * mebibyte);
  }
  for (int i = 0; i < 10; ++i) {
    const Reply reply = read_reply(greedy.receive(soon()));
    ASSERT_EQ(reply.status, 200);
    ASSERT_EQ(reply.raw.body.size(), page_size);
  }
}

TEST(HttpBounds, small_requests_behind_a_large_page_are_answered_in_their_order) {
  HttpServer server;
  fill_with_large_entries(server);
  HttpClient client = server.connect();
  std::string text;
  const HttpRequest wallet{
      .method = "GET", .target = "/v1/wallets/alice", .body = {}, .headers = {}};
  constexpr int rounds = 10;
  for (int i = 0; i < rounds; ++i)
    text += to_text(large_page()) + to_text(wallet) + to_text(wallet);
  ASSERT_TRUE(client.send(text));
  client.finish_sending();
  for (int i = 0; i < rounds; ++i) {
    ASSERT_TRUE(read_reply(client.receive(soon())).body.contains("items"));
    ASSERT_EQ(read_reply(client.receive(soon())).body["id"], "alice");
    ASSERT_EQ(read_reply(client.receive(soon())).body["id"], "alice");
  }
  EXPECT_TRUE(client.ends(soon()));
}

/// A server that asks for keys; nobody has one here.
class HttpBodies : public ::testing::Test {
 protected:
  HttpServer server_{{"--keys", "required"}};
};

TEST_F(HttpBodies, without_a_key_are_not_waited_for) {
  const std::string head = "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\n";
  const std::vector<std::string> framings{"Content-Length: 31000000\r\n",
                                          "Transfer-Encoding: chunked\r\n",
                                          "Content-Length: 40\r\nExpect: 100-continue\r\n"};
  for (const std::string& framing : framings) {
    HttpClient client = server_.connect();
    ASSERT_TRUE(client.send(head + framing + "\r\n"));
    const Reply reply = read_reply(client.receive(soon()));
    EXPECT_EQ(reply.status, 401) << framing;
    EXPECT_EQ(reply.code(), "unauthorized");
    EXPECT_EQ(reply.raw.header("www-authenticate"), "Bearer");
    EXPECT_EQ(reply.raw.header("connection"), "close");
    client.finish_sending();
    EXPECT_TRUE(client.ends(soon())) << framing;
  }
}

TEST_F(HttpBodies, that_are_small_do_not_cost_the_connection) {
  HttpClient client = server_.connect();
  const HttpRequest request{
      .method = "POST", .target = "/v1/wallets", .body = std::string(60'000, ' '), .headers = {}};
  for (int i = 0; i < 3; ++i) {
    const Reply reply = read_reply(client.ask(request, soon()));
    EXPECT_EQ(reply.status, 401);
    EXPECT_EQ(reply.raw.header("connection"), "");
  }
}

}  // namespace
}  // namespace mizan::integration
