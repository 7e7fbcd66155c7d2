#include "store/sql/refusal_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan::sql {
namespace {

Refusal full_refusal() {
  Refusal refusal;
  refusal.code = Code::condition_failed;
  refusal.detail = "a \"quoted\" text\\ with\na line, a tab\t, a bell \a and ü";
  refusal.pointer = "/legs/0/from";
  refusal.wallet = WalletId("alice");
  refusal.available = MinorUnits{INT64_MIN};
  refusal.needed = MinorUnits{INT64_MAX};
  refusal.newest_token = FenceToken{7};
  refusal.failures.push_back({WalletId("alice"), "version", "3", "4"});
  refusal.failures.push_back({WalletId("bob"), "min_balance", "-5", "-6", 3});
  return refusal;
}

TEST(RefusalText, every_fact_survives) {
  const Refusal before = full_refusal();
  const auto after = decode_refusal(encode_refusal(before));
  ASSERT_TRUE(after) << after.error().detail;
  EXPECT_EQ((*after)->code, before.code);
  EXPECT_EQ((*after)->detail, before.detail);
  EXPECT_EQ((*after)->pointer, before.pointer);
  EXPECT_EQ((*after)->wallet, before.wallet);
  EXPECT_EQ((*after)->available, before.available);
  EXPECT_EQ((*after)->needed, before.needed);
  EXPECT_EQ((*after)->newest_token, before.newest_token);
  ASSERT_EQ((*after)->failures.size(), before.failures.size());
  for (std::size_t i = 0; i < before.failures.size(); ++i) {
    EXPECT_EQ((*after)->failures[i].wallet, before.failures[i].wallet);
    EXPECT_EQ((*after)->failures[i].field, before.failures[i].field);
    EXPECT_EQ((*after)->failures[i].expected, before.failures[i].expected);
    EXPECT_EQ((*after)->failures[i].actual, before.failures[i].actual);
    EXPECT_EQ((*after)->failures[i].condition, before.failures[i].condition);
  }
}

TEST(RefusalText, facts_that_do_not_apply_stay_absent) {
  Refusal refusal;
  refusal.code = Code::wallet_frozen;
  EXPECT_EQ(encode_refusal(refusal), R"({"code":"wallet_frozen","detail":""})");
  const auto after = decode_refusal(encode_refusal(refusal));
  ASSERT_TRUE(after);
  EXPECT_FALSE((*after)->wallet);
  EXPECT_FALSE((*after)->available);
  EXPECT_FALSE((*after)->needed);
  EXPECT_FALSE((*after)->newest_token);
  EXPECT_TRUE((*after)->failures.empty());
}

TEST(RefusalText, every_shorter_beginning_of_a_text_is_refused) {
  const std::string text = encode_refusal(full_refusal());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(decode_refusal(text.substr(0, size))) << text.substr(0, size);
  }
  EXPECT_FALSE(decode_refusal(text + " "));
}

TEST(RefusalText, unknown_codes_names_and_numbers_are_refused) {
  EXPECT_FALSE(decode_refusal(R"({"code":"no_such_code"})"));
  EXPECT_FALSE(decode_refusal(R"({"colour":"red"})"));
  EXPECT_FALSE(decode_refusal(R"({"needed":"12x"})"));
  EXPECT_FALSE(decode_refusal(R"({"needed":""})"));
  EXPECT_FALSE(decode_refusal(R"({"failures":[{"mood":"bad"}]})"));
  EXPECT_FALSE(decode_refusal(R"({"failures":[{"condition":"-1"}]})"));
  EXPECT_FALSE(decode_refusal(R"({"detail":"\ud800"})"));
}

}  // namespace
}  // namespace mizan::sql
