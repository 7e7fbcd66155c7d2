#include "mizan/money.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace mizan {
namespace {

std::set<std::string> codes_with_exponent(int exponent) {
  std::set<std::string> codes;
  for (const Currency& currency : iso_currencies()) {
    if (currency.exponent == exponent) codes.insert(currency.code.str());
  }
  return codes;
}

TEST(IsoCurrencies, have_the_exponents_of_list_one) {
  EXPECT_EQ(codes_with_exponent(0),
            (std::set<std::string>{"BIF",
                                   "CLP",
                                   "DJF",
                                   "GNF",
                                   "ISK",
                                   "JPY",
                                   "KMF",
                                   "KRW",
                                   "PYG",
                                   "RWF",
                                   "UGX",
                                   "UYI",
                                   "VND",
                                   "VUV",
                                   "XAF",
                                   "XOF",
                                   "XPF",
                                   // Without a minor unit in the list.
                                   "XAG",
                                   "XAU",
                                   "XBA",
                                   "XBB",
                                   "XBC",
                                   "XBD",
                                   "XDR",
                                   "XPD",
                                   "XPT",
                                   "XSU",
                                   "XTS",
                                   "XUA",
                                   "XXX"}));
  EXPECT_EQ(codes_with_exponent(3),
            (std::set<std::string>{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}));
  EXPECT_EQ(codes_with_exponent(4), (std::set<std::string>{"CLF", "UYW"}));
  EXPECT_EQ(codes_with_exponent(2).size(), iso_currencies().size() - 30 - 7 - 2);
}

TEST(IsoCurrencies, are_those_in_use) {
  for (const char* code : {"AED", "EUR", "IRR", "SLE", "USD", "VED", "XAD", "XCG", "ZMW", "ZWG"}) {
    const auto currency = find_iso_currency(CurrencyCode{code});
    ASSERT_TRUE(currency.has_value()) << code;
    EXPECT_EQ(currency->code.view(), code);
    EXPECT_EQ(currency->exponent, 2);
  }
  for (const char* code :
       {"HRK", "BGN", "ANG", "SLL", "ZWL", "CUC", "DEM", "AAA", "ZZZ", "", "eur"}) {
    EXPECT_FALSE(find_iso_currency(CurrencyCode{code}).has_value()) << code;
  }
}

TEST(IsoCurrencies, all_are_found_and_well_formed) {
  for (const Currency& currency : iso_currencies()) {
    EXPECT_EQ(find_iso_currency(currency.code), currency);
    EXPECT_TRUE(parse_currency_code(currency.code.view()).has_value());
    EXPECT_EQ(currency.code.size(), 3U);
  }
}

}  // namespace
}  // namespace mizan
