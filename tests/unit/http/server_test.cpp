#include "http/server.hpp"

#include "mizan/ledger.hpp"
#include "mizan/memory.hpp"

#include "base/mutex.hpp"
#include "base/random.hpp"
#include "testkit/eventually.hpp"
#include "testkit/faulty_store.hpp"
#include "testkit/http_client.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <charconv>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace mizan::http {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using testkit::HttpClient;
using testkit::HttpRequest;
using testkit::to_text;

/// The machine's time, and what the test lets go by at once.
class HurriedClock final : public Clock {
 public:
  [[nodiscard]] Timestamp wall_now() const override {
    return system_clock().wall_now() + std::chrono::floor<std::chrono::microseconds>(ahead());
  }

  [[nodiscard]] Instant now() const override { return system_clock().now() + ahead(); }

  void sleep_until(Instant until) const override { system_clock().sleep_until(until - ahead()); }

  void let_go_by(std::chrono::nanoseconds time) { ahead_ += time.count(); }

 private:
  [[nodiscard]] std::chrono::nanoseconds ahead() const { return std::chrono::nanoseconds(ahead_); }

  std::atomic<std::int64_t> ahead_{0};
};

Deadline soon(milliseconds patience = seconds{20}) {
  return system_clock().now() + patience;
}

/// A server in this process, over a store in memory. Nothing ends by itself within an hour but the
/// reading of a request.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.port = 0;
    options_.answer_time = options_.write_time = options_.idle_time = hours{1};
    auto server = Server::start({.ledger = ledger_,
                                 .store = *store_,
                                 .locks = *locks_,
                                 .required_lock = nullptr,
                                 .epochs_drawn = {},
                                 .clock = clock_,
                                 .random = system_random(),
                                 .log = log_},
                                options_);
    ASSERT_TRUE(server) << server.error().detail;
    server_ = *std::move(server);
    const std::string& address = server_->address();
    std::from_chars(
        address.data() + address.rfind(':') + 1, address.data() + address.size(), port_);
    for (const char* wallet : {"alice", "bob"}) {
      ASSERT_EQ(post("/v1/wallets", std::string(R"({"currency":"EUR","id":")") + wallet + "\"}"),
                201);
    }
    ASSERT_EQ(post("/v1/deposits", R"({"id":"first","wallet":"alice","amount":"10000"})"), 201);
  }

  [[nodiscard]] HttpClient connect() const {
    auto client = HttpClient::connect(port_);
    EXPECT_TRUE(client);
    return *std::move(client);
  }

  [[nodiscard]] int post(const std::string& target, const std::string& body) const {
    const auto answer =
        connect().ask({.method = "POST", .target = target, .body = body, .headers = {}}, soon());
    return answer ? answer->status : 0;
  }

  /// Until the server says this of itself.
  [[nodiscard]] bool await_metric(const std::string& line) const {
    return testkit::eventually([&] {
      const auto answer = connect().ask({.target = "/metrics", .body = {}, .headers = {}}, soon());
      return answer && answer->body.find("\n" + line + "\n") != std::string::npos;
    });
  }

  /// The lines that were logged so far.
  [[nodiscard]] std::vector<std::string> logged() {
    const MutexLock lock(mutex_);
    std::vector<std::string> lines;
    std::istringstream stream(logged_);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  ServerOptions options_;
  HurriedClock clock_;
  Mutex mutex_;
  std::string logged_ MIZAN_GUARDED_BY(mutex_);
  Log log_{LogLevel::info, clock_, [this](std::string_view lines) {
             const MutexLock lock(mutex_);
             logged_ += lines;
           }};
  std::unique_ptr<testkit::FaultyStore> store_ =
      std::make_unique<testkit::FaultyStore>(make_memory_store(clock_));
  std::unique_ptr<LockService> locks_ = make_memory_lock(clock_);
  Ledger ledger_{*store_, clock_, {}};
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
};

constexpr const char* transfer_body = R"({"from":"alice","to":"bob","amount":"1"})";

/// Of a transfer with this body; its headers may go on behind it.
constexpr const char* transfer_head =
    "POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: slow\r\n";
constexpr const char* transfer_length = "Content-Length: 40\r\n";

TEST_F(ServerTest, a_read_that_the_database_broke_off_is_unavailable) {
  store_->fail("snapshot", testkit::Fault::retryable);
  const HttpRequest request{.target = "/v1/wallets/alice", .body = {}, .headers = {}};
  const auto answer = connect().ask(request, soon());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503) << "who only reads loses no race";
  EXPECT_THAT(answer->body, HasSubstr(R"("code":"unavailable")"));
  EXPECT_EQ(connect().ask(request, soon())->status, 200);
}

TEST_F(ServerTest, a_request_that_does_not_come_to_its_end_is_told_so) {
  HttpClient client = connect();
  ASSERT_TRUE(client.send(std::string(transfer_head) + transfer_length + "\r\n{"));
  EXPECT_FALSE(client.receive(soon(milliseconds{300})));
  clock_.let_go_by(seconds{16});
  const auto answer = client.receive(soon());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 408);
  EXPECT_EQ(answer->header("connection"), "close");
}

TEST_F(ServerTest, the_wait_for_100_continue_is_no_time_of_the_client) {
  ASSERT_EQ(post("/v1/locks/r", R"({"ttl_ms":10000})"), 201);
  HttpClient client = connect();
  ASSERT_TRUE(client.send(to_text({.method = "POST",
                                   .target = "/v1/locks/r",
                                   .body = R"({"ttl_ms":10000,"wait_ms":3600000})",
                                   .headers = {}}) +
                          transfer_head + transfer_length + "Expect: 100-continue\r\n\r\n"));
  ASSERT_TRUE(await_metric("mizan_lock_waiters 1"));
  clock_.let_go_by(seconds{60});  // The first one's lease is over.
  const auto lease = client.receive(soon());
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->status, 201);
  const auto go = client.receive(soon());
  ASSERT_TRUE(go);
  EXPECT_EQ(go->status, 100);
  EXPECT_FALSE(client.receive(soon(milliseconds{500}))) << "there was time, and none of it is gone";
  ASSERT_TRUE(client.send(transfer_body));
  const auto answer = client.receive(soon());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 201);
}

TEST_F(ServerTest, no_time_to_send_goes_by_while_the_server_does_not_read) {
  // A page of entries is more than the server keeps for a client that does not take it.
  nlohmann::json metadata = nlohmann::json::object();
  for (int i = 0; i < 8; ++i) metadata["k" + std::to_string(i)] = std::string(505, 'm');
  nlohmann::json operations = nlohmann::json::array();
  for (int i = 0; i < 1'000; ++i) {
    operations.push_back({{"id", "large-" + std::to_string(i)},
                          {"type", "deposit"},
                          {"wallet", "bob"},
                          {"amount", "1"},
                          {"metadata", metadata}});
  }
  ASSERT_EQ(post("/v1/batch", nlohmann::json{{"operations", operations}}.dump()), 200);
  HttpClient client = connect();
  ASSERT_TRUE(client.send(
      to_text({.target = "/v1/wallets/bob/entries?limit=1000", .body = {}, .headers = {}}) +
      transfer_head));
  ASSERT_TRUE(
      await_metric(std::string("mizan_http_requests_total{route=\"/v1/wallets/{id}/entries\"") +
                   ",method=\"GET\",status=\"200\"} 1"));
  clock_.let_go_by(seconds{60});
  const auto page = client.receive(soon());
  ASSERT_TRUE(page);
  ASSERT_GT(page->body.size(), std::size_t{4} * 1024 * 1024);
  EXPECT_FALSE(client.receive(soon(milliseconds{500})));
  ASSERT_TRUE(client.send(std::string(transfer_length) + "\r\n" + transfer_body));
  const auto answer = client.receive(soon());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 201);
}

TEST_F(ServerTest, what_is_no_request_is_no_error_of_the_server_and_says_who_sent_it) {
  for (const char* text : {"nonsense\r\n\r\n", "GET /livez HTTP/3.0\r\nHost: localhost\r\n\r\n"}) {
    HttpClient client = connect();
    ASSERT_TRUE(client.send(text));
    ASSERT_TRUE(client.receive(soon()));
  }
  ASSERT_TRUE(testkit::eventually([this] { return logged().size() >= 2; }));
  for (const std::string& line : logged()) {
    EXPECT_THAT(line, HasSubstr(R"("level":"info")"));
    EXPECT_THAT(line, HasSubstr(R"("peer":"127.0.0.1")"));
  }
}

TEST_F(ServerTest, a_refused_request_that_was_half_read_is_known_by_its_header) {
  HttpClient client = connect();
  ASSERT_TRUE(
      client.send("POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: mine\r\n"
                  "Content-Length: 99999999\r\n\r\n"));
  const auto answer = client.receive(soon());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 413);
  EXPECT_EQ(answer->header("x-request-id"), "mine");
  EXPECT_TRUE(await_metric(
      R"(mizan_http_requests_total{route="/v1/transfers",method="POST",status="413"} 1)"));
}

/// There is room for the large bodies, or the large answers, of one client.
class CrowdedServerTest : public ServerTest {
 protected:
  CrowdedServerTest() {
    options_.bodies_max = 150'000;
    options_.answers_max = 1'000'000;
  }

  [[nodiscard]] int get(const std::string& target) const {
    const auto answer = connect().ask({.target = target, .body = {}, .headers = {}}, soon());
    return answer ? answer->status : 0;
  }

  [[nodiscard]] bool comes_to(int status, const std::function<int()>& ask) const {
    return testkit::eventually([&] { return ask() == status; });
  }
};

TEST_F(CrowdedServerTest, a_large_body_beside_those_of_others_is_put_off) {
  const std::string spaces(200'000, ' ');
  const auto large = [&] { return post("/v1/batch", spaces + R"({"operations":[]})"); };
  const int usual = large();
  ASSERT_NE(usual, 503);
  std::optional<HttpClient> hoarder = connect();
  ASSERT_TRUE(
      hoarder->send("POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    "Content-Length: 1000000\r\n\r\n" +
                    spaces));
  EXPECT_TRUE(comes_to(503, large));
  EXPECT_EQ(post("/v1/deposits", R"({"id":"small","wallet":"alice","amount":"1"})"), 201);
  hoarder.reset();
  EXPECT_TRUE(comes_to(usual, large));
}

TEST_F(CrowdedServerTest, a_list_beside_those_that_others_do_not_take_is_put_off) {
  std::string metadata;
  for (const char key : {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}) {
    metadata +=
        fmt::format("{}\"{}\":\"{}\"", metadata.empty() ? "" : ",", key, std::string(480, 'x'));
  }
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(
        post("/v1/wallets",
             fmt::format(R"({{"id":"w-{}","currency":"EUR","metadata":{{{}}}}})", i, metadata)),
        201);
  }
  const auto list = [&] { return get("/v1/wallets?limit=1000"); };
  ASSERT_EQ(list(), 200);
  // The system keeps some megabytes of what a client does not read.
  std::optional<HttpClient> idler = connect();
  EXPECT_TRUE(comes_to(503, [&] {
    EXPECT_TRUE(idler->send("GET /v1/wallets?limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n"));
    return list();
  }));
  EXPECT_EQ(get("/v1/wallets/alice"), 200);
  idler.reset();
  EXPECT_TRUE(comes_to(200, list));
}

}  // namespace
}  // namespace mizan::http
