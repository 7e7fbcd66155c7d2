#include "hung_store.hpp"

#include "testkit/eventually.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::integration {
namespace {

using std::chrono::milliseconds;
using testkit::HttpRequest;

/// Above what it takes, which is half a second, for a machine that has other things to do. The
/// database stays frozen until everybody has an answer.
constexpr milliseconds late_by_max{2'000};

/// Whoever gets no answer at all waits for so long.
constexpr milliseconds patience{30'000};

struct Answered {
  HttpRequest request;
  int status = 0;  ///< 0: none came.
  milliseconds after{};
};

HttpRequest bare(std::string method, std::string target) {
  return {.method = std::move(method), .target = std::move(target), .body = {}, .headers = {}};
}

HttpRequest get(std::string target) {
  return bare("GET", std::move(target));
}

HttpRequest write(std::string method, std::string target, const json& body) {
  static std::atomic<int> number{0};
  return {.method = std::move(method),
          .target = std::move(target),
          .body = body.dump(),
          .headers = {{"Idempotency-Key", "hung-" + std::to_string(++number)}}};
}

json deposit_body() {
  return {{"wallet", "alice"}, {"amount", "1"}};
}

std::vector<HttpRequest> of_locks() {
  const json lease = {{"ttl_ms", 60'000}, {"owner", "me"}};
  const json waiting = {{"ttl_ms", 60'000}, {"wait_ms", 500}};
  return {write("POST", "/v1/locks/hung", lease),
          write("POST", "/v1/locks/hung-2", waiting),
          write("PUT", "/v1/locks/hung", lease),
          bare("DELETE", "/v1/locks/hung?owner=me")};
}

std::vector<HttpRequest> of_webhooks() {
  const std::string one = "/v1/webhooks/wh_none";
  return {get("/v1/webhooks"),
          get(one + "/dead"),
          write("POST", "/v1/webhooks", {{"url", "https://example.com/hook"}}),
          write("POST", one + "/rotate", json::object()),
          write("POST", one + "/enable", json::object()),
          write("POST", one + "/disable", json::object()),
          write("POST", one + "/dead/retry", json::object()),
          bare("DELETE", one)};
}

/// Every other kind of request that asks the database something.
std::vector<HttpRequest> every_kind() {
  std::vector<HttpRequest> all = {
      get("/v1/wallets"),
      get("/v1/wallets/alice"),
      get("/v1/wallets/@world%2FEUR"),
      get("/v1/wallets/alice/entries"),
      get("/v1/wallets/alice/balance"),
      get("/v1/operations/first"),
      get("/v1/holds/none"),
      get("/v1/currencies"),
      get("/v1/events"),
      get("/v1/events?wait=30"),
      write("POST", "/v1/wallets", {{"id", "c"}, {"currency", "EUR"}}),
      write("PATCH", "/v1/wallets/bob", {{"status", "frozen"}}),
      write("POST", "/v1/currencies", {{"code", "PTS"}, {"exponent", 0}}),
      write("POST", "/v1/deposits", deposit_body())};
  for (const char* strategy : {"batched", "atomic", "optimistic", "pessimistic"}) {
    json body = deposit_body();
    body["strategy"] = strategy;
    all.push_back(write("POST", "/v1/deposits", body));
  }
  static std::atomic<int> batches{0};
  for (const bool atomic : {false, true}) {
    json item = deposit_body();
    item["type"] = "deposit";
    item["id"] = "hung-item-" + std::to_string(++batches);
    all.push_back(
        write("POST", "/v1/batch", {{"atomic", atomic}, {"operations", json::array({item})}}));
  }
  return all;
}

Answered ask_at(const HttpServer& server, HttpRequest request) {
  const Instant began = system_clock().now();
  HttpClient client = server.connect();
  const auto answer = client.ask(request, soon(patience));
  Answered answered;
  answered.after = std::chrono::duration_cast<milliseconds>(system_clock().now() - began);
  answered.request = std::move(request);
  if (answer) answered.status = answer->status;
  return answered;
}

/// All at once, each over a connection of its own.
std::vector<Answered> ask_all(const HttpServer& server, const std::vector<HttpRequest>& requests) {
  std::vector<Answered> answers(requests.size());
  std::vector<std::jthread> clients;
  clients.reserve(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    clients.emplace_back([&, i] { answers[i] = ask_at(server, requests[i]); });
  }
  clients.clear();
  return answers;
}

/// Shows what was not answered, or too late.
void expect_in_time(const std::vector<Answered>& answers) {
  for (const Answered& one : answers) {
    const std::string what = one.request.method + " " + one.request.target + one.request.body;
    EXPECT_GT(one.status, 0) << what;
    EXPECT_LT(one.after.count(), (hung_answer_time + late_by_max).count()) << what;
  }
}

}  // namespace

void expect_answers_in_time(const HttpServer& server) {
  expect_in_time(ask_all(server, every_kind()));
  // Not beside those, nor all at once: each is to have one of the server's threads to hang on.
  expect_lock_answers_in_time(server);
  expect_in_time(ask_all(server, of_webhooks()));
}

void expect_lock_answers_in_time(const HttpServer& server) {
  expect_in_time(ask_all(server, of_locks()));
}

void expect_not_ready_in_time(const HttpServer& server) {
  std::vector<HttpRequest> requests(12, get("/v1/wallets/alice"));
  requests.resize(16, get("/readyz"));
  const auto answers = ask_all(server, requests);
  expect_in_time(answers);
  for (const Answered& one : answers) EXPECT_EQ(one.status, 503) << one.request.target;
}

void expect_that_it_goes_on(const HttpServer& server) {
  EXPECT_TRUE(testkit::eventually([&] { return server.get("/readyz").status == 200; }, patience));
  EXPECT_TRUE(testkit::eventually(
      [&] {
        const int status = server.post("/v1/deposits", deposit_body(), "after").status;
        return status == 200 || status == 201;
      },
      patience));
}

}  // namespace mizan::integration
