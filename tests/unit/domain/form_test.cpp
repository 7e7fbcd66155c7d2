#include "mizan/operation.hpp"

#include "testkit/builders.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace mizan {
namespace {

using testkit::capture;
using testkit::deposit;
using testkit::hold;
using testkit::reverse;
using testkit::transfer;
using testkit::void_hold;
using testkit::withdraw;

/// The field that is to blame, or "fine".
std::string blamed(const Operation& operation) {
  const Status form = check_form(operation);
  if (form) return "fine";
  EXPECT_EQ(form.error().code, Code::invalid_request);
  EXPECT_EQ(form.error().certainty, Certainty::not_applied);
  EXPECT_FALSE(form.error().detail.empty());
  return form.error().where;
}

Operation with_legs(std::size_t count) {
  Operation operation = transfer("op", "a", "b", 1);
  std::get<Transfer>(operation.body).legs.resize(count, Leg{WalletId{"a"}, WalletId{"b"}, {}, {}});
  return operation;
}

Operation with_conditions(std::size_t count) {
  Operation operation = transfer("op", "a", "b", 1);
  Condition condition;
  condition.wallet = WalletId{"a"};
  condition.version = 1;
  operation.conditions.resize(count, condition);
  return operation;
}

Operation with_fences(std::size_t count) {
  Operation operation = transfer("op", "a", "b", 1);
  for (std::size_t i = 0; i < count; ++i) {
    operation.fences.push_back(testkit::fence("door-" + std::to_string(i), 1));
  }
  return operation;
}

TEST(Form, of_ordinary_requests_is_fine) {
  for (const Operation& operation : std::vector<Operation>{transfer("op", "a", "b", 1),
                                                           deposit("op", "a", 1),
                                                           withdraw("op", "a", 1),
                                                           hold("op", "a", 1).to("b"),
                                                           capture("op", "h", 1),
                                                           void_hold("op", "h"),
                                                           reverse("op", "t")}) {
    EXPECT_EQ(blamed(operation), "fine");
  }
}

TEST(Form, does_not_judge_amounts_for_that_is_for_the_money_rules) {
  EXPECT_EQ(blamed(transfer("op", "a", "b", 0)), "fine");
  EXPECT_EQ(blamed(deposit("op", "a", -1)), "fine");
  EXPECT_EQ(blamed(transfer("op", "a", "a", 1)), "fine");
}

TEST(Form, asks_for_an_operation_id_of_visible_ascii) {
  EXPECT_EQ(blamed(deposit("", "a", 1)), "/id");
  EXPECT_EQ(blamed(deposit("a b", "a", 1)), "/id");
  EXPECT_EQ(blamed(deposit("a\n", "a", 1)), "/id");
  EXPECT_EQ(blamed(deposit("\xc3\xa9", "a", 1)), "/id");
  EXPECT_EQ(blamed(deposit("!~\"'\\", "a", 1)), "fine");
  EXPECT_EQ(blamed(deposit(std::string(64, 'x'), "a", 1)), "fine");
  EXPECT_EQ(blamed(capture("op", "")), "/hold");
  EXPECT_EQ(blamed(void_hold("op", " ")), "/hold");
  EXPECT_EQ(blamed(reverse("op", "")), "/operation");
}

TEST(Form, asks_for_wallet_ids_of_the_caller) {
  EXPECT_EQ(blamed(deposit("op", "", 1)), "/wallet");
  EXPECT_EQ(blamed(deposit("op", "a b", 1)), "/wallet");
  EXPECT_EQ(blamed(deposit("op", "@world/EUR", 1)), "/wallet");
  EXPECT_EQ(blamed(withdraw("op", "@me", 1)), "/wallet");
  EXPECT_EQ(blamed(hold("op", "@me", 1)), "/wallet");
  EXPECT_EQ(blamed(hold("op", "a", 1).to("@world/EUR")), "/to");
  EXPECT_EQ(blamed(hold("op", "a", 1).to("b b")), "/to");
  EXPECT_EQ(blamed(transfer("op", {{"a", "b", 1}, {"@world/EUR", "b", 1}})), "/legs/1/from");
  EXPECT_EQ(blamed(transfer("op", {{"a", "b", 1}, {"a", "", 1}})), "/legs/1/to");
  EXPECT_EQ(blamed(transfer("op", "a%", "b", 1)), "/legs/0/from");
  EXPECT_EQ(blamed(transfer("op", "A.z_0:9@x/y-", "b", 1)), "fine");
}

TEST(Form, limits_legs_conditions_and_fences) {
  EXPECT_EQ(blamed(with_legs(0)), "/legs");
  EXPECT_EQ(blamed(with_legs(100)), "fine");
  EXPECT_EQ(blamed(with_legs(101)), "/legs");
  EXPECT_EQ(blamed(with_conditions(100)), "fine");
  EXPECT_EQ(blamed(with_conditions(101)), "/conditions");
  EXPECT_EQ(blamed(with_fences(16)), "fine");
  EXPECT_EQ(blamed(with_fences(17)), "/fence");
}

TEST(Form, asks_a_condition_to_say_something) {
  Condition condition;
  condition.wallet = WalletId{"a"};
  EXPECT_EQ(blamed(deposit("op", "a", 1).condition(condition)), "/conditions/0");
  condition.wallet = WalletId{"@world/EUR"};
  condition.version = 1;
  EXPECT_EQ(blamed(deposit("op", "a", 1).condition(condition)), "/conditions/0/wallet");
}

TEST(Form, asks_for_tokens_that_are_tokens) {
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("door", 0)), "fine");
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("door", -1)), "/fence/token");
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("", 1)), "/fence/resource");
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("a door", 1)), "/fence/resource");
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("mizan:wallet/a", 1)), "/fence/resource");
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("wallet/a", 1)), "fine");
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("door", 1, "a b")), "/fence/owner");
  EXPECT_EQ(blamed(deposit("op", "a", 1).fence("door", 1).fence("door", 2)), "/fence/1/resource");
}

TEST(Form, limits_how_long_a_hold_may_stay) {
  EXPECT_EQ(blamed(hold("op", "a", 1).expires_in(std::chrono::microseconds(1))), "fine");
  EXPECT_EQ(blamed(hold("op", "a", 1).expires_in(std::chrono::microseconds(0))), "/expires_in");
  EXPECT_EQ(blamed(hold("op", "a", 1).expires_in(std::chrono::microseconds(-1))), "/expires_in");
  EXPECT_EQ(blamed(hold("op", "a", 1).expires_in(std::chrono::hours(24 * 3'660))), "fine");
  EXPECT_EQ(blamed(hold("op", "a", 1).expires_in(std::chrono::microseconds::max())), "/expires_in");
}

}  // namespace
}  // namespace mizan
