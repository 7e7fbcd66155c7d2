#include "json/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace mizan::json {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Problem, of_insufficient_funds_has_available_and_needed) {
  Refusal refusal;
  refusal.code = Code::insufficient_funds;
  refusal.detail = "alice has 0.40 EUR";
  refusal.pointer = "/legs/0/amount";
  refusal.wallet = WalletId{"alice"};
  refusal.available = MinorUnits{40};
  refusal.needed = MinorUnits{41};
  EXPECT_EQ(problem_object(refusal, {OperationId{"op-1"}, "r-1"}).text(),
            R"({"type":"urn:mizan:problem:insufficient_funds","title":"Insufficient funds",)"
            R"("status":422,"code":"insufficient_funds","detail":"alice has 0.40 EUR",)"
            R"("applied":"no","retryable":false,"operation":"op-1","request_id":"r-1",)"
            R"("errors":[{"pointer":"/legs/0/amount","code":"insufficient_funds",)"
            R"("detail":"alice has 0.40 EUR"}],)"
            R"("wallet":"alice","available":"40","needed":"41"})");
}

TEST(Problem, names_fields_as_the_request_spelt_them) {
  const Spelling plain;
  Spelling single;
  single.single_leg = true;
  Spelling array;
  array.fence_array = true;
  EXPECT_EQ(spelt_pointer("/legs/0/amount", plain), "/legs/0/amount");
  EXPECT_EQ(spelt_pointer("/legs/0/amount", single), "/amount");
  EXPECT_EQ(spelt_pointer("/conditions/0/version", single), "/conditions/0/version");
  EXPECT_EQ(spelt_pointer("/fence/token", plain), "/fence/token");
  EXPECT_EQ(spelt_pointer("/fence/token", array), "/fence/0/token");
  EXPECT_EQ(spelt_pointer("/fence/1/token", array), "/fence/1/token");
  EXPECT_EQ(spelt_pointer("/fence", array), "/fence");
}

TEST(Problem, of_an_item_names_the_field_by_its_place_in_the_batch) {
  Refusal refusal;
  refusal.code = Code::invalid_amount;
  const auto blamed = [&refusal](std::string pointer) {
    refusal.pointer = std::move(pointer);
    ProblemContext context;
    context.spelling.single_leg = true;
    context.place = "/operations/1";
    return problem_object(refusal, context).text();
  };
  const std::string amount = R"("errors":[{"pointer":"/operations/1/amount",)";
  EXPECT_THAT(blamed("/legs/0/amount"), HasSubstr(amount));
  EXPECT_THAT(blamed("/operations/1/legs/0/amount"), HasSubstr(amount)) << "it stands there";
}

TEST(Problem, leaves_out_what_does_not_apply) {
  Refusal refusal;
  refusal.code = Code::operation_mismatch;
  refusal.detail = "d";
  EXPECT_EQ(problem_object(refusal).text(),
            R"({"type":"urn:mizan:problem:operation_mismatch","title":"Operation mismatch",)"
            R"("status":422,"code":"operation_mismatch","detail":"d","applied":"no",)"
            R"("retryable":false})");
}

TEST(Problem, of_a_stale_fence_has_the_newest_token) {
  Refusal refusal;
  refusal.code = Code::stale_fence;
  refusal.newest_token = FenceToken{9};
  const std::string text = problem_object(refusal).text();
  EXPECT_THAT(text, HasSubstr(R"("status":409)"));
  EXPECT_THAT(text, HasSubstr(R"("newest_token":9)"));
}

TEST(Problem, of_a_failed_condition_has_expected_and_actual) {
  Refusal refusal;
  refusal.code = Code::condition_failed;
  refusal.pointer = "/conditions/1/version";
  refusal.failures = {{WalletId{"alice"}, "version", "3", "4", 1},
                      {WalletId{"bob"}, "min_balance", "100", "-5", 2}};
  const std::string text = problem_object(refusal).text();
  EXPECT_THAT(text, HasSubstr(R"("status":412)"));
  EXPECT_THAT(text, HasSubstr(R"("wallet":"alice","field":"version","expected":3,"actual":4,)"));
  EXPECT_THAT(text,
              HasSubstr(R"("failures":[{"wallet":"alice","field":"version","expected":3,)"
                        R"("actual":4},{"wallet":"bob","field":"min_balance",)"
                        R"("expected":"100","actual":"-5"}])"));
  EXPECT_THAT(text,
              HasSubstr(R"("errors":[{"pointer":"/conditions/1/version",)"
                        R"("code":"condition_failed",)"
                        R"("detail":"version of alice expected 3, is 4"},)"
                        R"({"pointer":"/conditions/2/min_balance","code":"condition_failed",)"
                        R"("detail":"min_balance of bob expected 100, is -5"}])"))
      << "each of them";
}

TEST(Problem, says_whether_money_may_have_moved) {
  const Error unknown{Code::unknown, Certainty::unknown, Retry::after_backoff, "commit", "d"};
  const std::string text = problem_object(unknown).text();
  EXPECT_THAT(text, HasSubstr(R"("status":504)"));
  EXPECT_THAT(text, HasSubstr(R"("applied":"unknown","retryable":true)"));
  EXPECT_THAT(problem_object(unavailable("w", "d")).text(),
              HasSubstr(R"("status":503,"code":"unavailable","detail":"d","applied":"no",)"
                        R"("retryable":true)"));
  EXPECT_THAT(problem_object(internal_error("w", "d")).text(),
              HasSubstr(R"("applied":"no","retryable":false)"));
}

TEST(Problem, of_a_malformed_operation_names_the_field) {
  EXPECT_THAT(
      problem_object(invalid_request("/wallet", "no")).text(),
      HasSubstr(R"("errors":[{"pointer":"/wallet","code":"invalid_value","detail":"no"}])"));
  EXPECT_THAT(problem_object(invalid_request("sqlite: open", "no")).text(),
              HasSubstr(R"("errors":[{"pointer":"","code":"invalid_value","detail":"no"}])"))
      << "about the whole";
  EXPECT_THAT(problem_object(internal_error("/wallet", "no")).text(), Not(HasSubstr("errors")));
}

TEST(Problem, of_an_invalid_request_names_every_field) {
  const InvalidRequest invalid{{{"/amount", field_code::missing, "this field is required"},
                                {"/fro\nm", field_code::unknown_field, "no such field"}}};
  const std::string text = problem_object(invalid).text();
  EXPECT_THAT(text, HasSubstr(R"("status":400,"code":"invalid_request")"));
  EXPECT_THAT(text, HasSubstr(R"~("detail":"/amount: this field is required (and 1 more)")~"));
  EXPECT_THAT(text,
              HasSubstr(R"("errors":[{"pointer":"/amount","code":"missing",)"
                        R"("detail":"this field is required"},{"pointer":"/fro\nm",)"
                        R"("code":"unknown_field","detail":"no such field"}])"));
}

TEST(Problem, becomes_an_error_with_nothing_unescaped) {
  const Error error = to_error({{{"/a\n\x1b", field_code::unknown_field, "no such field"}}});
  EXPECT_EQ(error.code, Code::invalid_request);
  EXPECT_EQ(error.where, "/a\\n\\u001b");
  EXPECT_EQ(error.detail, "/a\\n\\u001b: no such field");
}

TEST(OutcomeObject, is_the_operation_or_its_problem) {
  Receipt receipt;
  receipt.id = OperationId{"op-1"};
  EXPECT_THAT(outcome_object(Applied{receipt}).text(), HasSubstr(R"("outcome":"applied")"));
  EXPECT_THAT(outcome_object(AlreadyApplied{receipt}).text(),
              HasSubstr(R"("outcome":"already_applied")"));
  auto refusal = std::make_shared<Refusal>();
  refusal->code = Code::wallet_not_found;
  EXPECT_THAT(outcome_object(Refused{refusal, false}).text(),
              HasSubstr(R"("title":"Wallet not found","status":404)"));
}

}  // namespace
}  // namespace mizan::json
