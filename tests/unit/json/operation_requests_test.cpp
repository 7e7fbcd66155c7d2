#include "json/requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace mizan::json {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OperationContext of(OperationType type) {
  return {type, OperationId{"op-1"}, std::nullopt};
}

OperationRequest read(std::string_view body, const OperationContext& context) {
  const Parsed<OperationRequest> request = parse_operation(body, context);
  if (request) return request.value();
  ADD_FAILURE() << body << ": " << to_error(request.error()).detail;
  return {};
}

/// "pointer code" of every problem, in order.
template <class T>
std::vector<std::string> problems_of(const Parsed<T>& parsed) {
  std::vector<std::string> problems;
  if (parsed) return {"accepted"};
  for (const FieldProblem& problem : parsed.error().problems) {
    EXPECT_FALSE(problem.detail.empty());
    problems.push_back(problem.pointer + " " + std::string(problem.code));
  }
  return problems;
}

std::vector<std::string> problems(std::string_view body,
                                  OperationType type = OperationType::transfer) {
  return problems_of(parse_operation(body, of(type)));
}

TEST(TransferRequest, reads_a_single_leg) {
  const OperationRequest request =
      read(R"({"from":"alice","to":"bob","amount":"1234","currency":"EUR"})",
           of(OperationType::transfer));
  EXPECT_EQ(request.operation.id.view(), "op-1");
  EXPECT_FALSE(request.dry_run);
  const auto& transfer = std::get<Transfer>(request.operation.body);
  ASSERT_EQ(transfer.legs.size(), 1U);
  EXPECT_EQ(transfer.legs[0].from.view(), "alice");
  EXPECT_EQ(transfer.legs[0].to.view(), "bob");
  EXPECT_EQ(transfer.legs[0].amount, MinorUnits{1234});
  EXPECT_EQ(transfer.legs[0].currency.view(), "EUR");
}

TEST(TransferRequest, reads_legs_and_everything_beside_them) {
  const OperationRequest request = read(
      R"({"id":"op-1","legs":[{"from":"a","to":"b","amount":"1"},{"from":"b","to":"c","amount":2}],
          "metadata":{"note":"rent"},"dry_run":true,
          "conditions":[{"wallet":"a","version":7,"min_balance":"-5","max_balance":9,
                         "min_available":"0"}],
          "fence":{"resource":"wallet:a","token":12,"owner":"me"}})",
      of(OperationType::transfer));
  EXPECT_TRUE(request.dry_run);
  EXPECT_EQ(std::get<Transfer>(request.operation.body).legs[1].amount, MinorUnits{2});
  EXPECT_EQ(request.operation.metadata.items().front().second, "rent");
  ASSERT_EQ(request.operation.conditions.size(), 1U);
  const Condition& condition = request.operation.conditions[0];
  EXPECT_EQ(condition.version, 7U);
  EXPECT_EQ(condition.min_balance, MinorUnits{-5});
  EXPECT_EQ(condition.max_balance, MinorUnits{9});
  EXPECT_EQ(condition.min_available, MinorUnits{0});
  ASSERT_EQ(request.operation.fences.size(), 1U);
  EXPECT_EQ(request.operation.fences[0].token, FenceToken{12});
  EXPECT_EQ(request.operation.fences[0].owner.view(), "me");
}

TEST(TransferRequest, reads_several_fences) {
  const OperationRequest request =
      read(R"({"from":"a","to":"b","amount":"1","fence":[{"resource":"a","token":1},
               {"resource":"b","token":"9223372036854775807"}]})",
           of(OperationType::transfer));
  ASSERT_EQ(request.operation.fences.size(), 2U);
  EXPECT_TRUE(request.operation.fences[0].owner.empty());
  EXPECT_EQ(request.operation.fences[1].token,
            FenceToken{std::numeric_limits<std::int64_t>::max()});
}

TEST(TransferRequest, has_either_legs_or_one_leg) {
  EXPECT_THAT(problems(R"({"legs":[{"from":"a","to":"b","amount":"1"}],"from":"a"})"),
              ElementsAre("/from conflict"));
  EXPECT_THAT(problems(R"({})"), ElementsAre("/from missing", "/to missing", "/amount missing"));
  EXPECT_THAT(problems(R"({"legs":[]})"), ElementsAre("/legs out_of_range"));
  EXPECT_THAT(problems(R"({"legs":{}})"), ElementsAre("/legs wrong_type"));
  EXPECT_THAT(problems(R"({"legs":[1]})"), ElementsAre("/legs/0 wrong_type"));
  EXPECT_THAT(problems(R"({"legs":[{"from":"a","to":"b","amount":"1"},{"from":"a b","too":1}]})"),
              ElementsAre("/legs/1/from invalid_value",
                          "/legs/1/to missing",
                          "/legs/1/amount missing",
                          "/legs/1/too unknown_field"));
}

TEST(TransferRequest, has_a_hundred_legs_at_most) {
  const auto body = [](int legs) {
    std::string text = R"({"legs":[)";
    for (int i = 0; i < legs; ++i) {
      text += std::string(i > 0 ? "," : "") + R"({"from":"a","to":"b","amount":"1"})";
    }
    return text + "]}";
  };
  EXPECT_THAT(problems(body(100)), ElementsAre("accepted"));
  EXPECT_THAT(problems(body(101)), ElementsAre("/legs out_of_range"));
}

TEST(Amounts, are_exact_integers_only) {
  const auto with_amount = [](std::string_view amount) {
    return R"({"from":"a","to":"b","amount":)" + std::string(amount) + "}";
  };
  for (const char* amount : {R"("1234")",
                             "1234",
                             "0",
                             "-5",
                             R"("-5")",
                             "9223372036854775807",
                             R"("-9223372036854775808")"}) {
    EXPECT_THAT(problems(with_amount(amount)), ElementsAre("accepted")) << amount;
  }
  for (const char* amount : {"12.0",
                             "1e3",
                             "1E3",
                             R"("12.0")",
                             R"("1e3")",
                             R"("0100")",
                             R"("+1")",
                             R"("")",
                             R"(" 1")",
                             "9223372036854775808",
                             "18446744073709551616",
                             "99999999999999999999999",
                             R"("9223372036854775808")",
                             "0.1"}) {
    EXPECT_THAT(problems(with_amount(amount)), ElementsAre("/amount invalid_value")) << amount;
  }
  for (const char* amount : {"null", "true", "[]", "{}"}) {
    EXPECT_THAT(problems(with_amount(amount)), ElementsAre("/amount wrong_type")) << amount;
  }
  // Not JSON at all.
  EXPECT_THAT(problems(with_amount("0100")), ElementsAre(" not_json"));
  EXPECT_THAT(
      to_error(
          parse_operation(with_amount("9223372036854775808"), of(OperationType::transfer)).error())
          .detail,
      HasSubstr("64 bits"));
}

TEST(OperationRequests, name_every_field_that_is_wrong_at_once) {
  EXPECT_THAT(problems(R"({"id":7,"from":"a b","to":null,"amount":1.5,"metadata":[],"dry_run":1,
                           "conditions":{},"fence":"x","nonsense":0})"),
              ElementsAre("/id wrong_type",
                          "/from invalid_value",
                          "/to wrong_type",
                          "/amount invalid_value",
                          "/metadata wrong_type",
                          "/conditions wrong_type",
                          "/fence wrong_type",
                          "/dry_run wrong_type",
                          "/nonsense unknown_field"));
}

TEST(OperationRequests, refuse_other_documents) {
  EXPECT_THAT(problems(""), ElementsAre(" not_json"));
  EXPECT_THAT(problems("[]"), ElementsAre(" wrong_type"));
  EXPECT_THAT(problems("null"), ElementsAre(" wrong_type"));
  EXPECT_THAT(problems(R"({"from":"a","from":"b"})"), ElementsAre("/from duplicate_key"));
  EXPECT_THAT(problems(R"({"a":)" + std::string(40, '[')),
              ElementsAre("/a/0/0/0/0/0/0/0/0/0/0/0/0/"
                          "0/0/0/0/0/0/0/0/0/0/0/0/0/0/"
                          "0/0/0/0 too_deep"));
}

TEST(OperationRequests, stop_counting_at_a_hundred_problems) {
  std::string body = R"({"from":"a","to":"b","amount":"1")";
  for (int i = 0; i < 150; ++i) body += ",\"x" + std::to_string(i) + "\":0";
  EXPECT_EQ(problems(body + "}").size(), 100U);
}

TEST(OperationRequests, take_the_id_from_the_header_or_the_body) {
  constexpr std::string_view without = R"({"wallet":"a","amount":"1"})";
  constexpr std::string_view with = R"({"id":"op-2","wallet":"a","amount":"1"})";
  const auto deposit = OperationType::deposit;
  EXPECT_EQ(read(without, of(deposit)).operation.id.view(), "op-1");
  EXPECT_EQ(read(with, {deposit, std::nullopt, std::nullopt}).operation.id.view(), "op-2");
  EXPECT_EQ(read(with, {deposit, OperationId{"op-2"}, std::nullopt}).operation.id.view(), "op-2");
  EXPECT_THAT(problems(with, deposit), ElementsAre("/id conflict"));
  EXPECT_THAT(problems_of(parse_operation(without, {deposit, std::nullopt, std::nullopt})),
              ElementsAre("/id missing"));
  EXPECT_THAT(problems(R"({"id":"","wallet":"a","amount":"1"})", deposit),
              ElementsAre("/id invalid_value"));
}

TEST(OperationRequests, refuse_the_ledgers_own_wallets_where_the_text_named_them) {
  EXPECT_THAT(problems(R"({"from":"@world/EUR","to":"a","amount":"1"})"),
              ElementsAre("/from invalid_value"));
  EXPECT_THAT(problems(R"({"legs":[{"from":"a","to":"@world/EUR","amount":"1"}]})"),
              ElementsAre("/legs/0/to invalid_value"));
  EXPECT_THAT(problems(R"({"wallet":"@world/EUR","amount":"1"})", OperationType::deposit),
              ElementsAre("/wallet invalid_value"));
}

TEST(OperationRequests, read_conditions_and_fences_strictly) {
  const auto with = [](std::string_view member) {
    return R"({"from":"a","to":"b","amount":"1",)" + std::string(member) + "}";
  };
  EXPECT_THAT(problems(with(R"("conditions":[{"wallet":"a","version":-1}])")),
              ElementsAre("/conditions/0/version out_of_range"));
  EXPECT_THAT(problems(with(R"("conditions":[{"wallet":"a","version":"1"}])")),
              ElementsAre("/conditions/0/version wrong_type"));
  EXPECT_THAT(problems(with(R"("conditions":[{"version":1,"vresion":2}])")),
              ElementsAre("/conditions/0/wallet missing", "/conditions/0/vresion unknown_field"));
  EXPECT_THAT(problems(with(R"("conditions":[{"wallet":"a"}])")),
              ElementsAre("/conditions/0 invalid_value"));
  EXPECT_THAT(problems(with(R"("fence":{"resource":"a b","token":-1,"ttl":1})")),
              ElementsAre("/fence/resource invalid_value",
                          "/fence/token invalid_value",
                          "/fence/ttl unknown_field"));
  EXPECT_THAT(problems(with(R"("fence":{"resource":"a","token":9223372036854775808})")),
              ElementsAre("/fence/token invalid_value"));
  EXPECT_THAT(problems(with(R"("fence":[{"resource":"mizan:x","token":1}])")),
              ElementsAre("/fence/0/resource invalid_value"));
  EXPECT_THAT(problems(with(R"("fence":[{"resource":"a","token":1},{"resource":"a","token":2}])")),
              ElementsAre("/fence/1/resource invalid_value"));
  EXPECT_THAT(problems(with(R"("fence":{"resource":"mizan:x","token":1})")),
              ElementsAre("/fence/resource invalid_value"));
  EXPECT_THAT(problems(with(R"("fence":{})")),
              ElementsAre("/fence/resource missing", "/fence/token missing"));
  EXPECT_THAT(problems(with(R"("metadata":{"a":"x","b":1})")),
              ElementsAre("/metadata/b wrong_type"));
  EXPECT_THAT(problems(with(R"("metadata":{"a":"x","b/c":"x"})")),
              ElementsAre("/metadata/b~1c invalid_value"));
  std::string many = R"("metadata":{"0":"x")";
  for (int i = 1; i < 17; ++i) many += ",\"" + std::to_string(i) + R"(":"x")";
  EXPECT_THAT(problems(with(many + "}")), ElementsAre("/metadata invalid_value"));
}

TEST(OperationRequests, read_deposits_withdrawals_and_holds) {
  const auto deposit = read(R"({"wallet":"a","amount":"5"})", of(OperationType::deposit));
  EXPECT_EQ(std::get<Deposit>(deposit.operation.body).amount, MinorUnits{5});
  EXPECT_TRUE(std::get<Deposit>(deposit.operation.body).currency.empty());
  const auto withdraw =
      read(R"({"wallet":"a","amount":"6","currency":"JPY"})", of(OperationType::withdraw));
  EXPECT_EQ(std::get<Withdraw>(withdraw.operation.body).amount, MinorUnits{6});
  EXPECT_EQ(std::get<Withdraw>(withdraw.operation.body).currency.view(), "JPY");
  const auto hold =
      read(R"({"wallet":"a","amount":"7","to":"b","expires_in":"1h30m"})", of(OperationType::hold));
  const auto& created = std::get<CreateHold>(hold.operation.body);
  EXPECT_EQ(created.amount, MinorUnits{7});
  EXPECT_EQ(created.to.view(), "b");
  EXPECT_EQ(created.expires_in, std::chrono::minutes{90});
}

TEST(OperationRequests, read_when_a_hold_expires) {
  const auto with = [](std::string_view expiry) {
    return R"({"wallet":"a","amount":"7","expires_in":)" + std::string(expiry) + "}";
  };
  const auto expiry = [&](std::string_view text) {
    const auto request = read(with(text), of(OperationType::hold));
    return std::get<CreateHold>(request.operation.body).expires_in;
  };
  EXPECT_EQ(expiry("90"), std::chrono::seconds{90});
  EXPECT_EQ(expiry(R"("250ms")"), std::chrono::milliseconds{250});
  for (const char* text : {"0", "-1", "99999999999"}) {
    EXPECT_THAT(problems(with(text), OperationType::hold), ElementsAre("/expires_in out_of_range"))
        << text;
  }
  for (const char* text : {R"("")", R"("0s")", R"("90")", R"("1 h")"}) {
    EXPECT_THAT(problems(with(text), OperationType::hold), ElementsAre("/expires_in invalid_value"))
        << text;
  }
  EXPECT_THAT(problems(with("1.5"), OperationType::hold), ElementsAre("/expires_in wrong_type"));
  EXPECT_THAT(problems(with("null"), OperationType::hold), ElementsAre("/expires_in wrong_type"));
}

TEST(OperationRequests, take_their_subject_from_the_path) {
  const auto on = [](OperationType type) {
    return OperationContext{type, OperationId{"op-1"}, OperationId{"h-1"}};
  };
  const auto all = read("", on(OperationType::capture));
  EXPECT_EQ(std::get<CaptureHold>(all.operation.body).hold.view(), "h-1");
  EXPECT_EQ(std::get<CaptureHold>(all.operation.body).amount, std::nullopt);
  const auto part = read(R"({"amount":"3"})", on(OperationType::capture));
  EXPECT_EQ(std::get<CaptureHold>(part.operation.body).amount, MinorUnits{3});
  EXPECT_EQ(std::get<VoidHold>(read("{}", on(OperationType::void_hold)).operation.body).hold.view(),
            "h-1");
  EXPECT_EQ(std::get<Reverse>(read("", on(OperationType::reverse)).operation.body).operation.view(),
            "h-1");
  EXPECT_THAT(problems_of(parse_operation(R"({"hold":"h-2"})", on(OperationType::void_hold))),
              ElementsAre("/hold unknown_field"));
  EXPECT_THAT(problems("{}", OperationType::void_hold), ElementsAre("/hold missing"));
  EXPECT_THAT(problems("{}", OperationType::reverse), ElementsAre("/operation missing"));
}

TEST(BatchRequests, read_each_item_for_itself) {
  const Parsed<BatchRequest> batch = parse_batch(
      R"({"operations":[{"id":"1","type":"deposit","wallet":"a","amount":"5"},
                        {"id":"2","type":"deposit","wallet":"a"},
                        {"type":"void","hold":"h"},
                        {"id":"4","type":"pay"},
                        7,
                        {"id":"6","type":"transfer","from":"@x","to":"b","amount":"1"},
                        {"id":"7","type":"capture","hold":"h","amount":3},
                        {"id":"8","type":"reverse","operation":"1","dry_run":true}]})");
  const auto& operations = batch.value().operations;
  ASSERT_EQ(operations.size(), 8U);
  EXPECT_EQ(batch.value().atomicity, Atomicity::independent);
  EXPECT_EQ(std::get<Deposit>(operations[0].value().body).amount, MinorUnits{5});
  EXPECT_THAT(problems_of(operations[1]), ElementsAre("/operations/1/amount missing"));
  EXPECT_THAT(problems_of(operations[2]), ElementsAre("/operations/2/id missing"));
  EXPECT_THAT(problems_of(operations[3]), ElementsAre("/operations/3/type invalid_value"));
  EXPECT_THAT(problems_of(operations[4]), ElementsAre("/operations/4 wrong_type"));
  EXPECT_THAT(problems_of(operations[5]), ElementsAre("/operations/5/from invalid_value"));
  EXPECT_EQ(std::get<CaptureHold>(operations[6].value().body).amount, MinorUnits{3});
  EXPECT_THAT(problems_of(operations[7]), ElementsAre("/operations/7/dry_run unknown_field"));
}

TEST(BatchRequests, know_the_item_into_which_a_pointer_leads) {
  for (const std::size_t index : {0U, 1U, 10U, 9'999U}) {
    EXPECT_EQ(item_of(item_pointer(index)), index);
    EXPECT_EQ(item_of(item_pointer(index) + "/legs/3/amount"), index);
  }
  for (const char* const pointer :
       {"", "/operations", "/operations/", "/operations/x", "/legs/0"}) {
    EXPECT_EQ(item_of(pointer), std::nullopt) << pointer;
  }
}

TEST(BatchRequests, may_be_atomic) {
  constexpr std::string_view item = R"({"id":"1","type":"void","hold":"h"})";
  const std::string items = "\"operations\":[" + std::string(item) + "]";
  EXPECT_EQ(parse_batch("{" + items + R"(,"atomic":true})").value().atomicity,
            Atomicity::all_or_none);
  EXPECT_EQ(parse_batch("{" + items + R"(,"atomic":false})").value().atomicity,
            Atomicity::independent);
  EXPECT_THAT(problems_of(parse_batch("{" + items + R"(,"atomic":"yes"})")),
              ElementsAre("/atomic wrong_type"));
}

TEST(BatchRequests, have_1_to_10000_items) {
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":[]})")),
              ElementsAre("/operations out_of_range"));
  EXPECT_THAT(problems_of(parse_batch("{}")), ElementsAre("/operations missing"));
  std::string items = "0";
  for (int i = 1; i < 10'000; ++i) items += ",0";
  EXPECT_EQ(parse_batch("{\"operations\":[" + items + "]}").value().operations.size(), 10'000U);
  EXPECT_THAT(problems_of(parse_batch("{\"operations\":[" + items + ",0]}")),
              ElementsAre("/operations out_of_range"));
  // What follows is not looked at.
  EXPECT_THAT(problems_of(parse_batch("{\"operations\":[" + items + ",")),
              ElementsAre("/operations out_of_range"));
}

TEST(BatchRequests, keep_no_more_than_they_need_to_tell_what_is_wrong) {
  std::string many = "{\"id\":[0";
  for (int i = 0; i < 100'000; ++i) many += ",0";
  EXPECT_THAT(problems_of(parse_batch("{\"operations\":[0," + many + "]}]}")),
              ElementsAre("/operations/1 out_of_range"));

  std::string fields = "{\"type\":\"void\"";
  for (int i = 0; i < 90; ++i) fields += ",\"" + std::to_string(i) + "\":0";
  std::string items = fields + "}";
  for (int i = 1; i < 200; ++i) items += "," + fields + "}";
  const auto batch = parse_batch("{\"operations\":[" + items + "]}");
  ASSERT_TRUE(batch);
  EXPECT_GT(batch->operations.front().error().problems.size(), 90U);
  EXPECT_EQ(batch->operations.back().error().problems.size(), 1U);
}

TEST(BatchRequests, say_where_the_text_is_wrong) {
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":[{"id":"1"},{"a":1,"a":2}]})")),
              ElementsAre("/operations/1/a duplicate_key"));
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":[0],"operations":[0]})")),
              ElementsAre("/operations duplicate_key"));
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":[0,]})")), ElementsAre(" not_json"));
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":[0)")), ElementsAre(" not_json"));
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":{"0":0}})")),
              ElementsAre("/operations wrong_type"));
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":[0],"x":1})")),
              ElementsAre("/x unknown_field"));
  const std::string deep(31, '[');
  EXPECT_THAT(problems_of(parse_batch(R"({"operations":[)" + deep)),
              ElementsAre("/operations" + [] {
                std::string pointer;
                for (int i = 0; i < 30; ++i) pointer += "/0";
                return pointer;
              }() + " too_deep"));
}

}  // namespace
}  // namespace mizan::json
