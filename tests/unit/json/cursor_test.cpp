#include "json/cursor.hpp"

#include "base/base64.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace mizan::json {
namespace {

const WalletId alice{"alice"};
const WalletId odd{"a:b/c@d._-"};

TEST(Cursor, leads_back_to_where_the_page_ended) {
  for (const WalletId& wallet : {alice, odd, WalletId{std::string(64, 'z')}}) {
    EXPECT_EQ(parse_wallets_cursor(wallets_cursor(wallet)).value(), wallet);
    for (const std::uint64_t version :
         {std::uint64_t{0}, std::uint64_t{7}, std::numeric_limits<std::uint64_t>::max()}) {
      EXPECT_EQ(parse_entries_cursor(entries_cursor(wallet, version), wallet).value(), version);
    }
  }
}

TEST(Cursor, is_opaque_and_safe_in_a_query) {
  for (const std::string& text : {wallets_cursor(odd), entries_cursor(odd, 12)}) {
    EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789-_"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("a:b"), std::string::npos) << text;
  }
}

void expect_refused(const Error& error) {
  EXPECT_EQ(error.code, Code::invalid_request);
  EXPECT_EQ(error.where, "/cursor");
}

TEST(Cursor, that_no_page_ended_with_is_refused_by_the_name_of_the_field) {
  const std::string good = entries_cursor(alice, 12);
  const std::string leading_zero = to_base64url("e1:012:alice");
  for (const std::string& text : {std::string(),
                                  std::string("12"),
                                  std::string("alice"),
                                  good + "=",
                                  good + "A",
                                  good.substr(1),
                                  wallets_cursor(alice),
                                  leading_zero,
                                  to_base64url("e1:alice"),
                                  to_base64url("e1:-1:alice"),
                                  to_base64url("e1:18446744073709551616:alice")}) {
    const auto parsed = parse_entries_cursor(text, alice);
    ASSERT_FALSE(parsed) << text;
    expect_refused(parsed.error());
  }
  for (const std::string& text :
       {std::string(), std::string("alice"), good, to_base64url("w1:"), to_base64url("w1:a b")}) {
    const auto parsed = parse_wallets_cursor(text);
    ASSERT_FALSE(parsed) << text;
    expect_refused(parsed.error());
  }
}

TEST(Cursor, of_one_wallets_entries_is_no_good_for_another) {
  EXPECT_FALSE(parse_entries_cursor(entries_cursor(alice, 12), WalletId{"bob"}));
}

}  // namespace
}  // namespace mizan::json
