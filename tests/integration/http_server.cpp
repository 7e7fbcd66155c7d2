#include "http_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace mizan::integration {

Deadline soon(std::chrono::milliseconds patience) {
  return system_clock().now() + patience;
}

HttpServer::HttpServer(Words options) : options_(std::move(options)) {
  start();
}

std::string HttpServer::store_url() const {
  return "sqlite:" + (folder_.path() / "mizan.db").string();
}

void HttpServer::start() {
  Words words{MIZAN_BINARY, "serve"};
  const bool has_store = std::find(options_.begin(), options_.end(), "--store") != options_.end();
  if (!has_store) words.insert(words.end(), {"--store", store_url()});
  const bool has_address =
      std::find(options_.begin(), options_.end(), "--listen") != options_.end();
  if (!has_address) words.insert(words.end(), {"--listen", "127.0.0.1:0"});
  words.insert(words.end(), options_.begin(), options_.end());
  auto process = testkit::ChildProcess::start(words, {{"MIZAN_CONFIG", "/dev/null"}});
  ASSERT_TRUE(process) << process.error().detail;
  process_.emplace(*std::move(process));
  const auto line = process_->read_line(soon());
  ASSERT_TRUE(line && *line) << "the server did not start";
  const std::string text = **line;
  const std::size_t colon = text.rfind(':');
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), port_);
}

std::optional<int> HttpServer::stop() {
  process_->terminate();
  const auto exit = process_->wait(soon(std::chrono::seconds{60}));
  return exit ? exit->status : std::nullopt;
}

void HttpServer::kill() {
  process_->kill();
  static_cast<void>(process_->wait(soon()));
}

HttpClient HttpServer::connect() const {
  auto client = HttpClient::connect(port_);
  EXPECT_TRUE(client) << client.error().detail;
  return *std::move(client);
}

Reply read_reply(Result<HttpAnswer> answer) {
  EXPECT_TRUE(answer) << (answer ? "" : answer.error().detail);
  if (!answer) return {};
  Reply reply;
  reply.status = answer->status;
  reply.body = json::parse(answer->body, nullptr, false);
  reply.raw = *std::move(answer);
  EXPECT_FALSE(reply.raw.header("x-request-id").empty());
  return reply;
}

namespace {

/// Keeps the exchange for tests/http, which compares it with the description of the server.
void record(const testkit::HttpRequest& request, const HttpAnswer& answer) {
  const char* file = std::getenv("MIZAN_HTTP_EXCHANGES");
  if (file == nullptr) return;
  json headers = json::object();
  for (const auto& [name, value] : answer.headers) headers[name] = value;
  const json exchange{{"method", request.method},
                      {"target", request.target},
                      {"body", request.body},
                      {"status", answer.status},
                      {"headers", headers},
                      {"answer", answer.body}};
  std::ofstream(file, std::ios::app)
      << exchange.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
}

}  // namespace

Reply HttpServer::send(const testkit::HttpRequest& request) const {
  HttpClient client = connect();
  auto answer = client.ask(request, soon());
  if (answer) record(request, *answer);
  return read_reply(std::move(answer));
}

Reply HttpServer::get(const std::string& target) const {
  return send({.method = "GET", .target = target, .body = {}, .headers = {}});
}

Reply HttpServer::post(const std::string& target,
                       const json& body,
                       const std::optional<std::string>& key) const {
  testkit::HttpRequest request{.method = "POST", .target = target, .body = {}, .headers = {}};
  if (!body.is_null()) request.body = body.dump();
  if (key) request.headers.emplace_back("Idempotency-Key", *key);
  return send(request);
}

void HttpServer::make_ledger() const {
  for (const char* wallet : {"alice", "bob"}) {
    ASSERT_EQ(post("/v1/wallets", {{"id", wallet}, {"currency", "EUR"}}).status, 201);
  }
  ASSERT_EQ(post("/v1/deposits", {{"wallet", "alice"}, {"amount", "10000"}}, "first").status, 201);
}

}  // namespace mizan::integration
