#include "json/requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mizan::json {
namespace {

using ::testing::ElementsAre;

template <class T>
std::vector<std::string> problems(const Parsed<T>& parsed) {
  std::vector<std::string> problems;
  if (parsed) return {"accepted"};
  for (const FieldProblem& problem : parsed.error().problems) {
    problems.push_back(problem.pointer + " " + std::string(problem.code));
  }
  return problems;
}

TEST(NewWalletRequest, has_a_limit_of_zero_unless_it_says_otherwise) {
  const auto limit = [](std::string_view member) {
    return parse_new_wallet(R"({"id":"a","currency":"EUR")" + std::string(member) + "}")
        .value()
        .min_balance;
  };
  EXPECT_EQ(limit(""), MinorUnits{0});
  EXPECT_EQ(limit(R"(,"min_balance":"-500")"), MinorUnits{-500});
  EXPECT_EQ(limit(R"(,"min_balance":-500)"), MinorUnits{-500});
  EXPECT_EQ(limit(R"(,"min_balance":null)"), std::nullopt);
}

TEST(NewWalletRequest, reads_id_currency_and_metadata) {
  const NewWallet wallet =
      parse_new_wallet(R"({"id":"a","currency":"EUR","metadata":{"k":"v"}})").value();
  EXPECT_EQ(wallet.id.view(), "a");
  EXPECT_EQ(wallet.currency.view(), "EUR");
  EXPECT_EQ(wallet.metadata.items().front().first, "k");
}

TEST(NewWalletRequest, names_what_is_wrong) {
  EXPECT_THAT(problems(parse_new_wallet("{}")), ElementsAre("/id missing", "/currency missing"));
  EXPECT_THAT(problems(parse_new_wallet(
                  R"({"id":"@a","currency":"eur","min_balance":"none","balance":"5"})")),
              ElementsAre("/id invalid_value",
                          "/currency invalid_value",
                          "/min_balance invalid_value",
                          "/balance unknown_field"));
}

TEST(WalletPatchRequest, changes_what_it_names) {
  const WalletPatch status = parse_wallet_patch(R"({"status":"frozen"})").value();
  EXPECT_EQ(status.status, WalletStatus::frozen);
  EXPECT_FALSE(status.min_balance.has_value());
  EXPECT_FALSE(status.metadata.has_value());
  const WalletPatch unlimited = parse_wallet_patch(R"({"min_balance":null})").value();
  ASSERT_TRUE(unlimited.min_balance.has_value());
  EXPECT_EQ(*unlimited.min_balance, std::nullopt);
  const WalletPatch limited = parse_wallet_patch(R"({"min_balance":"-1","metadata":{}})").value();
  ASSERT_TRUE(limited.min_balance.has_value());
  EXPECT_EQ(*limited.min_balance, MinorUnits{-1});
  EXPECT_EQ(limited.metadata, Metadata{});
}

TEST(WalletPatchRequest, names_what_is_wrong) {
  EXPECT_THAT(problems(parse_wallet_patch("{}")), ElementsAre(" missing"));
  EXPECT_THAT(problems(parse_wallet_patch(R"({"status":"gone","version":1})")),
              ElementsAre("/status invalid_value", "/version unknown_field"));
}

TEST(LockRequests, bound_their_times) {
  const LockRequest request = parse_lock_request(R"({"ttl_ms":10000,"wait_ms":0})").value();
  EXPECT_EQ(request.ttl, std::chrono::seconds{10});
  EXPECT_EQ(request.wait, std::chrono::milliseconds{0});
  EXPECT_FALSE(parse_lock_request(R"({"ttl_ms":50})").value().wait.has_value());
  EXPECT_THAT(problems(parse_lock_request("{}")), ElementsAre("/ttl_ms missing"));
  EXPECT_THAT(problems(parse_lock_request(R"({"ttl_ms":49,"wait_ms":3600001})")),
              ElementsAre("/ttl_ms out_of_range", "/wait_ms out_of_range"));
  EXPECT_THAT(problems(parse_lock_request(R"({"ttl_ms":3600001})")),
              ElementsAre("/ttl_ms out_of_range"));
  EXPECT_THAT(problems(parse_lock_request(R"({"ttl_ms":"10s"})")),
              ElementsAre("/ttl_ms wrong_type"));
}

TEST(LockRequests, renew_and_release_by_owner) {
  const RenewRequest renew = parse_renew_request(R"({"owner":"o","ttl_ms":50})").value();
  EXPECT_EQ(renew.owner.view(), "o");
  EXPECT_EQ(renew.ttl, std::chrono::milliseconds{50});
  EXPECT_EQ(parse_release_request(R"({"owner":"o"})").value().view(), "o");
  EXPECT_THAT(problems(parse_release_request(R"({"owner":""})")),
              ElementsAre("/owner invalid_value"));
  EXPECT_THAT(problems(parse_renew_request("{}")),
              ElementsAre("/owner missing", "/ttl_ms missing"));
}

}  // namespace
}  // namespace mizan::json
