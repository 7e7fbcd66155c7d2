#include "remote/server.hpp"

#include "base/random.hpp"
#include "json/shapes.hpp"
#include "remote/judgement.hpp"
#include "remote/percent.hpp"
#include "testkit/fake_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan::remote {
namespace {

using http_client::Answer;
using http_client::Request;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

using Attempt = std::function<Result<Answer>(const Request&)>;

Answer problem(int status, std::string_view code, std::string_view applied = "no") {
  const std::string body =
      json::Object().set("code", code).set("detail", "the detail").set("applied", applied).text();
  return {status, {{"content-type", "application/problem+json"}}, body};
}

Answer done(int status = 201) {
  return {status, {{"content-type", "application/json; charset=utf-8"}}, "{}"};
}

Attempt always(const Answer& answer) {
  return [answer](const Request&) -> Result<Answer> { return answer; };
}

Attempt lost() {
  return [](const Request&) -> Result<Answer> {
    return Error{Code::unknown, Certainty::unknown, Retry::after_backoff, "http client", "gone"};
  };
}

Attempt not_sent(Retry retry = Retry::after_backoff) {
  return [retry](const Request&) -> Result<Answer> {
    return Error{Code::unavailable, Certainty::not_applied, retry, "http client", "no connection"};
  };
}

/// Plays its attempts in order; the last one for ever.
class Script final : public http_client::Client {
 public:
  Script(std::deque<Attempt> attempts, std::vector<Request>& seen)
      : attempts_(std::move(attempts)), seen_(seen) {}

  Result<Answer> exchange(const Request& request) override {
    seen_.push_back(request);
    const Attempt attempt = attempts_.front();
    if (attempts_.size() > 1) attempts_.pop_front();
    return attempt(request);
  }

 private:
  std::deque<Attempt> attempts_;
  std::vector<Request>& seen_;
};

class RemoteServerTest : public testing::Test {
 protected:
  Server server(std::deque<Attempt> attempts) {
    cli::RemotePlace place;
    place.url = "http://127.0.0.1:7780";
    place.key = "mk_key";
    place.request_id = "r-1";
    place.deadline = seconds{30};
    place.patience = seconds{2};
    return {place, std::make_unique<Script>(std::move(attempts), seen_), {clock_, random_}};
  }

  Call write() const {
    return {.method = "POST",
            .path = "/v1/deposits",
            .body = "{}",
            .id = OperationId{"op-1"},
            .deadline = clock_.now() + seconds{30},
            .effect = Effect::writes};
  }

  Call read() const { return {.path = "/v1/wallets/a", .deadline = clock_.now() + seconds{30}}; }

  Error error_of_asking(std::deque<Attempt> attempts, const Call& call) {
    Server asked = server(std::move(attempts));
    const auto reply = asked.ask(call);
    EXPECT_FALSE(reply.has_value());
    return reply ? Error{} : reply.error();
  }

  testkit::FakeClock clock_{testkit::FakeSleep::advances};
  SeededRandom random_{1};
  std::vector<Request> seen_;
};

TEST_F(RemoteServerTest, SendsKeyIdAndRequestId) {
  const auto reply = server({always(done())}).ask(write());
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->status, 201);
  EXPECT_FALSE(reply->was_lost);
  const http_client::Headers expected{{"Accept", "application/json"},
                                      {"Content-Type", "application/json"},
                                      {"Authorization", "Bearer mk_key"},
                                      {"X-Request-Id", "r-1"},
                                      {"Idempotency-Key", "op-1"}};
  EXPECT_EQ(seen_.front().headers, expected);
  EXPECT_EQ(seen_.front().url, "http://127.0.0.1:7780/v1/deposits");
}

TEST_F(RemoteServerTest, RepeatsWhatPassesWithTheSameIdAndBody) {
  const auto reply = server({lost(),
                             always(problem(409, "in_progress")),
                             always(problem(503, "unavailable")),
                             always(done(200))})
                         .ask(write());
  ASSERT_TRUE(reply.has_value());
  EXPECT_TRUE(reply->was_lost);
  ASSERT_EQ(seen_.size(), 4U);
  for (const Request& request : seen_) {
    EXPECT_EQ(request.headers, seen_.front().headers);
    EXPECT_EQ(request.body, seen_.front().body);
  }
}

TEST_F(RemoteServerTest, WhatDoesNotPassIsAnAnswerAtOnce) {
  for (const auto& [status, code] : {std::pair(422, "insufficient_funds"),
                                     std::pair(401, "unauthorized"),
                                     std::pair(403, "forbidden"),
                                     std::pair(400, "invalid_request"),
                                     std::pair(500, "internal")}) {
    seen_.clear();
    const auto reply = server({always(problem(status, code))}).ask(write());
    ASSERT_TRUE(reply.has_value()) << code;
    EXPECT_EQ(to_string(reply->problem->refusal.code), code);
    EXPECT_EQ(seen_.size(), 1U);
  }
}

TEST_F(RemoteServerTest, ALostAnswerIsUnknownAtTheDeadline) {
  const Instant begin = clock_.now();
  const Error error = error_of_asking({lost()}, write());
  EXPECT_EQ(error.code, Code::unknown);
  EXPECT_EQ(error.certainty, Certainty::unknown);
  EXPECT_LE(clock_.now(), begin + seconds{30});
  EXPECT_GE(clock_.now(), begin + seconds{25});
}

TEST_F(RemoteServerTest, AfterALostAnswerNothingElseSaysNo) {
  const Error busy = error_of_asking({lost(), always(problem(409, "lock_busy"))}, write());
  EXPECT_EQ(busy.code, Code::unknown);
  EXPECT_EQ(error_of_asking({lost(), not_sent()}, write()).code, Code::unknown);
  EXPECT_EQ(error_of_asking({lost(), not_sent(Retry::never)}, write()).code, Code::unknown);
}

TEST_F(RemoteServerTest, WhoeverRepeatsLostAnswersOnlyIsToldTheRestAtOnce) {
  Call call = write();
  call.again = Again::lost;
  for (const auto* code : {"lock_busy", "unavailable", "rate_limited", "contended"}) {
    seen_.clear();
    const auto reply = server({always(problem(409, code))}).ask(call);
    ASSERT_TRUE(reply && reply->problem) << code;
    EXPECT_EQ(reply->problem->code_text, code);
    EXPECT_EQ(seen_.size(), 1U);
  }
  seen_.clear();
  EXPECT_EQ(error_of_asking({not_sent()}, call).code, Code::unavailable);
  EXPECT_EQ(seen_.size(), 1U);
  // After a lost answer it goes on, also over what passes, but a lock's holder is an answer.
  const auto granted =
      server({lost(), always(problem(503, "unavailable")), not_sent(), always(done())}).ask(call);
  ASSERT_TRUE(granted);
  EXPECT_TRUE(granted->was_lost);
  const auto busy = server({lost(), always(problem(409, "lock_busy"))}).ask(call);
  ASSERT_TRUE(busy && busy->problem);
  EXPECT_TRUE(busy->was_lost);
  EXPECT_EQ(error_of_asking({lost(), not_sent()}, call).code, Code::unknown);
}

TEST_F(RemoteServerTest, ALostAnswerLeavesTimeToAskAgain) {
  Call call = write();
  call.again = Again::lost;
  call.deadline = clock_.now() + seconds{4};
  const Instant begin = clock_.now();
  ASSERT_TRUE(server({always(done())}).ask(call));
  EXPECT_EQ(seen_.front().deadline, begin + seconds{2});
}

TEST_F(RemoteServerTest, AReadIsNeverUnknown) {
  const Error error = error_of_asking({lost()}, read());
  EXPECT_EQ(error.code, Code::unavailable);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
}

TEST_F(RemoteServerTest, WhereNobodyAnswersItGivesUpSoon) {
  const Instant begin = clock_.now();
  const Error error = error_of_asking({not_sent()}, write());
  EXPECT_EQ(error.code, Code::unavailable);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
  EXPECT_GT(seen_.size(), 1U);
  EXPECT_LE(clock_.now(), begin + seconds{2});
  // Without trust in the certificate it does not even try again.
  seen_.clear();
  EXPECT_EQ(error_of_asking({not_sent(Retry::never)}, write()).code, Code::unavailable);
  EXPECT_EQ(seen_.size(), 1U);
}

TEST_F(RemoteServerTest, ItWaitsAsLongAsTheServerWants) {
  Answer busy = problem(503, "unavailable");
  busy.headers.emplace_back("retry-after", "7");
  const Instant begin = clock_.now();
  ASSERT_TRUE(server({always(busy), always(done())}).ask(write()).has_value());
  EXPECT_GE(clock_.now(), begin + seconds{7});
  // Longer than there is time: then there is no use in waiting.
  busy.headers.back().second = "3600";
  const Instant again = clock_.now();
  EXPECT_EQ(error_of_asking({always(busy)}, write()).code, Code::unavailable);
  EXPECT_LT(clock_.now(), again + seconds{1});
}

TEST_F(RemoteServerTest, NoAttemptTakesAllTheTime) {
  const Instant begin = clock_.now();
  static_cast<void>(server({always(done())}).ask(write()));
  EXPECT_EQ(seen_.front().deadline, begin + seconds{15});
  Call hurried = write();
  hurried.deadline = begin + seconds{4};
  static_cast<void>(server({always(done())}).ask(hurried));
  EXPECT_EQ(seen_.back().deadline, begin + seconds{4});
}

TEST_F(RemoteServerTest, NonsenseIsNeverAnAnswer) {
  const std::vector<std::pair<Answer, Code>> cases{
      {{200, {{"content-type", "text/html"}}, "<html>"}, Code::unknown},
      {{201, {{"content-type", "application/json"}}, "{\"outcome\":\"app"}, Code::unknown},
      {{201, {}, "{}"}, Code::unknown},
      {{502, {{"content-type", "text/html"}}, "<html>"}, Code::unknown},
      {{504, {{"content-type", "text/plain"}}, "timeout"}, Code::unknown},
      {{422, {{"content-type", "application/problem+json"}}, "{}"}, Code::unavailable},
      {{404, {{"content-type", "text/html"}}, "<html>"}, Code::unavailable},
      {{307, {{"location", "http://elsewhere.example"}}, ""}, Code::unavailable},
      // Whoever says that something was applied must say so with a receipt.
      {problem(500, "applied"), Code::unknown},
      {problem(422, "already_applied"), Code::unavailable}};
  for (const auto& [answer, code] : cases) {
    const Error error = error_of_asking({always(answer)}, write());
    EXPECT_EQ(to_string(error.code), to_string(code)) << answer.status << answer.body;
    const Error of_read = error_of_asking({always(answer)}, read());
    EXPECT_EQ(of_read.code, Code::unavailable) << answer.status << answer.body;
  }
}

TEST_F(RemoteServerTest, ACodeOfHttpAloneIsToldByItsStatus) {
  const auto code_of = [this](int status) {
    const auto reply = server({always(problem(status, "of_a_newer_server"))}).ask(write());
    return reply ? reply->problem->refusal.code : reply.error().code;
  };
  EXPECT_EQ(code_of(404), Code::invalid_request);
  EXPECT_EQ(code_of(413), Code::invalid_request);
  EXPECT_EQ(code_of(500), Code::internal);
  EXPECT_EQ(code_of(503), Code::unavailable);
}

Reply refused(Code code, bool was_lost, bool replayed = false) {
  Reply reply;
  reply.status = http_status(code);
  reply.problem.emplace();
  reply.problem->code = code;
  reply.problem->refusal.code = code;
  reply.was_lost = was_lost;
  reply.replayed = replayed;
  return reply;
}

TEST(Judgement, ARefusalAfterALostAnswerProvesSomethingOnlyWhereItIsForGood) {
  const auto code_after = [](Code code, bool was_lost, bool replayed = false) {
    const Reply reply = refused(code, was_lost, replayed);
    const auto outcome = judge_problem(reply, *reply.problem);
    return outcome ? code_of(*outcome) : outcome.error().code;
  };
  EXPECT_EQ(code_after(Code::insufficient_funds, false), Code::insufficient_funds);
  // The first attempt may arrive when the money is there.
  EXPECT_EQ(code_after(Code::insufficient_funds, true), Code::unknown);
  EXPECT_EQ(code_after(Code::condition_failed, true), Code::unknown);
  EXPECT_EQ(code_after(Code::unauthorized, true), Code::unknown);
  EXPECT_EQ(code_after(Code::internal, true), Code::unknown);
  // A refusal that is kept with the id stands for the first attempt too.
  EXPECT_EQ(code_after(Code::insufficient_funds, true, true), Code::insufficient_funds);
  EXPECT_EQ(code_after(Code::operation_mismatch, true), Code::operation_mismatch);
  EXPECT_EQ(code_after(Code::stale_fence, true), Code::stale_fence);
  EXPECT_EQ(code_after(Code::unauthorized, false), Code::unauthorized);
}

TEST(Percent, OnlyTheUnreservedStay) {
  EXPECT_EQ(percent_encoded("aZ0-._~"), "aZ0-._~");
  EXPECT_EQ(percent_encoded("@world/EUR"), "%40world%2FEUR");
  EXPECT_EQ(percent_encoded("a b%?#&+"), "a%20b%25%3F%23%26%2B");
  EXPECT_EQ(percent_encoded(".."), "%2E%2E");
}

}  // namespace
}  // namespace mizan::remote
