#include "mizan/ids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mizan {
namespace {

using ::testing::HasSubstr;

TEST(OperationId, is_visible_ascii_of_1_to_64_characters) {
  EXPECT_EQ(parse_operation_id("!").value().view(), "!");
  EXPECT_EQ(parse_operation_id("~a'\";--").value().view(), "~a'\";--");
  const std::string longest(64, 'x');
  EXPECT_EQ(parse_operation_id(longest).value().view(), longest);
  EXPECT_THAT(parse_operation_id("").error().detail, HasSubstr("is empty"));
  EXPECT_THAT(parse_operation_id(longest + "x").error().detail, HasSubstr("this one has 65"));
  for (const char* text : {"a b", "a\n", "\x7f", "é", "\x80"}) {
    EXPECT_THAT(parse_operation_id(text).error().detail, HasSubstr("visible ASCII")) << text;
  }
  EXPECT_FALSE(parse_operation_id(std::string_view("a\0", 2)).has_value());
}

TEST(OperationId, is_compared_byte_for_byte) {
  EXPECT_NE(parse_operation_id("a").value(), parse_operation_id("A").value());
}

TEST(WalletId, consists_of_its_64_characters) {
  const std::string all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
  EXPECT_EQ(parse_wallet_id(all).value().view(), all);
  EXPECT_EQ(parse_wallet_id(":@/-").value().view(), ":@/-");
  EXPECT_FALSE(parse_wallet_id(all + "a").has_value());
  EXPECT_FALSE(parse_wallet_id("").has_value());
  std::string accepted;
  for (int c = 0; c < 256; ++c) {
    const std::string text(1, static_cast<char>(c));
    if (parse_wallet_id(text)) accepted += text;
  }
  EXPECT_EQ(accepted.size(), 26U + 26U + 10U + 6U) << accepted;
}

TEST(WalletId, says_which_character_is_wrong) {
  EXPECT_THAT(parse_wallet_id("ab*c").error().detail,
              HasSubstr("character 3 of \"ab*c\" is \"*\""));
  EXPECT_THAT(parse_wallet_id("a\n").error().detail, HasSubstr("is \"\\n\""));
  EXPECT_THAT(parse_wallet_id("é").error().detail, HasSubstr("is \"é\""));
  EXPECT_EQ(parse_wallet_id("a b").error().code, Code::invalid_request);
  EXPECT_EQ(parse_wallet_id("a b").error().where, "wallet id");
}

TEST(WalletId, belongs_to_the_ledger_when_it_begins_with_an_at_sign) {
  EXPECT_TRUE(is_system_wallet(WalletId{"@world/EUR"}));
  EXPECT_TRUE(is_system_wallet(WalletId{"@"}));
  EXPECT_FALSE(is_system_wallet(WalletId{"a@b"}));
  EXPECT_FALSE(is_system_wallet(WalletId{}));
}

TEST(Resource, may_be_twice_as_long) {
  EXPECT_TRUE(parse_resource(std::string(128, 'r')).has_value());
  EXPECT_FALSE(parse_resource(std::string(129, 'r')).has_value());
  EXPECT_FALSE(parse_resource("").has_value());
  EXPECT_FALSE(parse_resource("a b").has_value());
}

TEST(Resource, belongs_to_the_ledger_when_it_begins_with_its_name) {
  for (const char* name : {"mizan:wallet/alice", "mizan:hold/x", "mizan:webhook/wh_1", "mizan:"}) {
    const auto resource = parse_resource(name);
    ASSERT_FALSE(resource) << name;
    EXPECT_EQ(resource.error().code, Code::invalid_request);
    EXPECT_EQ(resource.error().where, "resource");
    EXPECT_NE(resource.error().detail.find("belongs to the ledger"), std::string::npos);
  }
  for (const char* name : {"mizan", "wallet/alice", "webhook:wh_1", "MIZAN:x", "my-mizan:x"}) {
    EXPECT_TRUE(parse_resource(name)) << name;
  }
}

TEST(LockOwner, is_visible_ascii_of_1_to_64_characters) {
  EXPECT_TRUE(parse_lock_owner(std::string(64, 'o')).has_value());
  EXPECT_FALSE(parse_lock_owner(std::string(65, 'o')).has_value());
  EXPECT_FALSE(parse_lock_owner("").has_value());
  EXPECT_FALSE(parse_lock_owner("a\tb").has_value());
}

TEST(FenceToken, is_a_whole_number_of_63_bits) {
  EXPECT_EQ(parse_fence_token("0").value(), FenceToken{0});
  EXPECT_EQ(parse_fence_token("9223372036854775807").value(),
            FenceToken{std::numeric_limits<std::int64_t>::max()});
  for (const char* text :
       {"", "-1", "+1", "01", "1.0", "1 ", "9223372036854775808", "18446744073709551616", "one"}) {
    ASSERT_FALSE(parse_fence_token(text).has_value()) << text;
    EXPECT_THAT(parse_fence_token(text).error().detail, HasSubstr("whole number"));
  }
}

}  // namespace
}  // namespace mizan
