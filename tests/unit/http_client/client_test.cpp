#include "http_client/client.hpp"

#include "mizan/clock.hpp"

#include "testkit/scripted_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace mizan::http_client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;
using testkit::ScriptedConnection;
using testkit::ScriptedServer;

constexpr std::string_view secret = "mk_very_secret";

std::unique_ptr<ScriptedServer> serve(ScriptedServer::Script script) {
  auto server = ScriptedServer::start(std::move(script));
  if (!server) {
    ADD_FAILURE() << server.error().detail;
    std::abort();
  }
  return std::move(*server);
}

Request post(const ScriptedServer& server, std::string body = "{}") {
  return {.method = "POST",
          .url = server.url("/v1/deposits"),
          .headers = {{"Authorization", "Bearer " + std::string(secret)}},
          .body = std::move(body),
          .deadline = system_clock().now() + seconds{20}};
}

Error error_of(const Result<Answer>& answer) {
  EXPECT_FALSE(answer.has_value());
  if (answer) return {};
  EXPECT_THAT(answer.error().detail, Not(HasSubstr(secret)));
  return answer.error();
}

TEST(HttpClientTest, SendsARequestOnceAndReadsItsAnswer) {
  std::string seen;
  const auto server = serve([&seen](ScriptedConnection& connection) {
    seen = connection.read_request().value_or("");
    connection.send(
        "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nX-Request-Id:  r1 "
        "\r\nContent-Length: 2\r\n\r\n{}");
  });
  const auto client = make_client(system_clock());
  Request request = post(*server, "{\"wallet\":\"alice\"}");
  request.headers.emplace_back("Content-Type", "application/json");
  const auto answer = client->exchange(request);
  ASSERT_TRUE(answer.has_value()) << answer.error().detail;
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->body, "{}");
  EXPECT_EQ(answer->header("x-request-id"), "r1");
  EXPECT_EQ(answer->header("no-such"), "");
  EXPECT_THAT(seen, testing::StartsWith("POST /v1/deposits HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("\r\nAuthorization: Bearer mk_very_secret\r\n"));
  EXPECT_THAT(seen, HasSubstr("\r\nContent-Length: 18\r\n"));
  EXPECT_THAT(seen, Not(HasSubstr("Expect")));
  EXPECT_THAT(seen, testing::EndsWith("\r\n\r\n{\"wallet\":\"alice\"}"));
}

TEST(HttpClientTest, KeepsAConnectionForTheNextRequest) {
  std::atomic<int> connections = 0;
  const auto server = serve([&connections](ScriptedConnection& connection) {
    ++connections;
    while (connection.read_request()) connection.answer(200, "{}");
  });
  const auto client = make_client(system_clock());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(client->exchange(post(*server)).has_value());
  EXPECT_EQ(connections, 1);
}

TEST(HttpClientTest, EveryMethodArrivesUnderItsName) {
  std::vector<std::string> seen;
  const auto server = serve([&seen](ScriptedConnection& connection) {
    while (const auto request = connection.read_request()) {
      seen.push_back(request->substr(0, request->find(' ')));
      connection.send("HTTP/1.1 204 No Content\r\n\r\n");
    }
  });
  const auto client = make_client(system_clock());
  const std::vector<std::string> methods{"GET", "POST", "PUT", "PATCH", "DELETE", "GET", "HEAD"};
  for (const std::string& method : methods) {
    Request request = post(*server, method == "GET" || method == "HEAD" ? "" : "{}");
    request.method = method;
    ASSERT_TRUE(client->exchange(request).has_value()) << method;
  }
  EXPECT_EQ(seen, methods);
}

TEST(HttpClientTest, WithoutAConnectionNothingWasApplied) {
  std::string nowhere;
  {
    const auto server = serve([](ScriptedConnection&) {});
    nowhere = server->url("/v1/deposits");
  }
  const auto client = make_client(system_clock());
  Request request{.method = "POST", .url = nowhere, .headers = {}, .body = "{}"};
  const Error error = error_of(client->exchange(request));
  EXPECT_EQ(error.code, Code::unavailable);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
  EXPECT_EQ(error.retry, Retry::after_backoff);
}

TEST(HttpClientTest, ALostAnswerIsUnknownAndIsNotAskedForAgain) {
  std::atomic<int> requests = 0;
  const auto server = serve([&requests](ScriptedConnection& connection) {
    // The first request is answered, so that the second finds a kept connection.
    if (!connection.read_request()) return;
    connection.answer(200, "{}");
    if (++requests > 1) return;
    if (connection.read_request()) ++requests;
  });
  const auto client = make_client(system_clock());
  ASSERT_TRUE(client->exchange(post(*server)).has_value());
  const Error error = error_of(client->exchange(post(*server)));
  EXPECT_EQ(error.code, Code::unknown);
  EXPECT_EQ(error.certainty, Certainty::unknown);
  EXPECT_EQ(requests, 2);
}

// Nothing else would keep the library from sending it again.
TEST(HttpClientTest, APostWithoutABodyTakesAConnectionOfItsOwn) {
  std::atomic<int> connections = 0;
  const auto server = serve([&connections](ScriptedConnection& connection) {
    ++connections;
    while (connection.read_request()) connection.answer(200, "{}");
  });
  const auto client = make_client(system_clock());
  ASSERT_TRUE(client->exchange(post(*server)).has_value());
  ASSERT_TRUE(client->exchange(post(*server, "")).has_value());
  EXPECT_EQ(connections, 2);
}

TEST(HttpClientTest, ASilentServerCostsTheDeadlineAndNoMore) {
  const auto server = serve([](ScriptedConnection& connection) { connection.be_silent(); });
  const auto client = make_client(system_clock());
  Request request = post(*server);
  const Instant begin = system_clock().now();
  request.deadline = begin + milliseconds{300};
  const Error error = error_of(client->exchange(request));
  EXPECT_EQ(error.certainty, Certainty::unknown);
  EXPECT_GE(system_clock().now() - begin, milliseconds{290});
  EXPECT_LT(system_clock().now() - begin, seconds{10});
  // A deadline that has passed asks nobody.
  system_clock().sleep_until(request.deadline);
  EXPECT_EQ(error_of(client->exchange(request)).certainty, Certainty::not_applied);
}

TEST(HttpClientTest, AnAnswerThatEndsEarlyIsUnknown) {
  const auto server = serve([](ScriptedConnection& connection) {
    static_cast<void>(connection.read_request());
    connection.send("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"outcome\":\"app");
  });
  EXPECT_EQ(error_of(make_client(system_clock())->exchange(post(*server))).certainty,
            Certainty::unknown);
}

TEST(HttpClientTest, AnswersAreBounded) {
  const std::string line = "X-Filler: " + std::string(1'000, 'x') + "\r\n";
  const std::vector<ScriptedServer::Script> scripts{
      [&line](ScriptedConnection& connection) {  // Headers without end.
        static_cast<void>(connection.read_request());
        connection.send("HTTP/1.1 200 OK\r\n");
        while (connection.send(line)) continue;
      },
      [](ScriptedConnection& connection) {  // Interim answers without end.
        static_cast<void>(connection.read_request());
        while (connection.send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")) continue;
      },
      [](ScriptedConnection& connection) {  // A body that announces no length.
        static_cast<void>(connection.read_request());
        connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        while (connection.send(std::string(10'000, ' '))) continue;
      }};
  Options options;
  options.headers_size_max = 10'000;
  options.body_size_max = 100'000;
  const auto client = make_client(system_clock(), options);
  for (const auto& script : scripts) {
    const auto server = serve(script);
    const Error error = error_of(client->exchange(post(*server)));
    EXPECT_EQ(error.certainty, Certainty::unknown);
    EXPECT_THAT(error.detail, HasSubstr("larger than"));
  }
}

TEST(HttpClientTest, ARedirectIsAnAnswerAndTheKeyGoesNowhereElse) {
  std::atomic<int> others = 0;
  const auto other = serve([&others](ScriptedConnection&) { ++others; });
  const auto server = serve([&other](ScriptedConnection& connection) {
    static_cast<void>(connection.read_request());
    connection.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: " + other->url("/x") +
                    "\r\nContent-Length: 0\r\n\r\n");
  });
  const auto answer = make_client(system_clock())->exchange(post(*server));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 307);
  EXPECT_EQ(others, 0);
}

TEST(HttpClientTest, NoProxyOfTheEnvironmentIsUsed) {
  std::atomic<int> proxied = 0;
  const auto proxy = serve([&proxied](ScriptedConnection&) { ++proxied; });
  const auto server = serve([](ScriptedConnection& connection) {
    while (connection.read_request()) connection.answer(200, "{}");
  });
  ::setenv("http_proxy", proxy->url().c_str(), 1);
  ::setenv("ALL_PROXY", proxy->url().c_str(), 1);
  const auto answer = make_client(system_clock())->exchange(post(*server));
  ::unsetenv("http_proxy");
  ::unsetenv("ALL_PROXY");
  EXPECT_TRUE(answer.has_value());
  EXPECT_EQ(proxied, 0);
}

TEST(HttpClientTest, WithoutTlsNothingLeavesForAnHttpsUrl) {
  std::string seen;
  const auto server = serve([&seen](ScriptedConnection& connection) {
    connection.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    if (const auto request = connection.read_request()) seen = *request;
  });
  Request request = post(*server);
  request.url.replace(0, 4, "https");
  const Error error = error_of(make_client(system_clock())->exchange(request));
  EXPECT_EQ(error.code, Code::unavailable);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
  EXPECT_THAT(seen, Not(HasSubstr(secret)));
}

TEST(HttpClientTest, WhatCannotBeSentIsRefused) {
  const auto client = make_client(system_clock());
  const auto refused = [&client](Request request) {
    const auto answer = client->exchange(request);
    return !answer && answer.error().code == Code::invalid_request &&
           answer.error().detail.find(secret) == std::string::npos;
  };
  const std::string url = "http://127.0.0.1:1/";
  EXPECT_TRUE(refused({.method = "CONNECT", .url = url, .headers = {}, .body = {}}));
  EXPECT_TRUE(refused({.method = "GET", .url = "file:///etc/passwd", .headers = {}, .body = {}}));
  EXPECT_TRUE(refused({.method = "GET", .url = "http://", .headers = {}, .body = {}}));
  EXPECT_TRUE(refused({.method = "GET", .url = url + "a b", .headers = {}, .body = {}}));
  EXPECT_TRUE(refused({.method = "GET", .url = url + "\r\nX: y", .headers = {}, .body = {}}));
  EXPECT_TRUE(refused({.method = "GET",
                       .url = "http:"
                              "//me:mk_very_secret@127.0.0.1/",
                       .headers = {},
                       .body = {}}));
  EXPECT_TRUE(refused({.method = "GET", .url = url, .headers = {}, .body = "x"}));
  EXPECT_TRUE(refused({.method = "GET", .url = url, .headers = {{"A:B", "x"}}, .body = {}}));
  EXPECT_TRUE(refused({.method = "GET",
                       .url = url,
                       .headers = {{"Authorization", std::string(secret) + "\r\nX: y"}},
                       .body = {}}));
}

TEST(HttpClientTest, ManyThreadsMayAskAtOnce) {
  const auto server = serve([](ScriptedConnection& connection) {
    while (const auto request = connection.read_request()) {
      connection.answer(200, request->substr(request->find("\r\n\r\n") + 4));
    }
  });
  Options options;
  options.idle_connections_max = 2;
  const auto client = make_client(system_clock(), options);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        const std::string body = std::to_string(thread * 1'000 + i);
        const auto answer = client->exchange(post(*server, body));
        if (!answer || answer->body != body) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace mizan::http_client
