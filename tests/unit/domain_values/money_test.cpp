#include "mizan/money.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mizan {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

std::int64_t read(std::string_view text, int exponent) {
  const Result<MinorUnits> units = parse_decimal(text, static_cast<std::uint8_t>(exponent));
  EXPECT_TRUE(units.has_value()) << text << ": " << (units ? "" : units.error().detail);
  return units ? units->value() : 0;
}

std::string refusal(std::string_view text, int exponent) {
  const Result<MinorUnits> units = parse_decimal(text, static_cast<std::uint8_t>(exponent));
  if (units) return "accepted: " + std::string(text);
  EXPECT_EQ(units.error().code, Code::invalid_request);
  return units.error().detail;
}

TEST(ParseDecimal, scales_by_the_exponent_exactly) {
  EXPECT_EQ(read("12.34", 2), 1234);
  EXPECT_EQ(read("12.3", 2), 1230);
  EXPECT_EQ(read("12", 2), 1200);
  EXPECT_EQ(read("0.01", 2), 1);
  EXPECT_EQ(read("0", 2), 0);
  EXPECT_EQ(read("-0.5", 2), -50);
  EXPECT_EQ(read("1.234", 3), 1234);
  EXPECT_EQ(read("500", 0), 500);
  EXPECT_EQ(read("0.000000000000000001", 18), 1);
  EXPECT_EQ(read("9.223372036854775807", 18), int64_max);
  EXPECT_EQ(read("-9.223372036854775808", 18), int64_min);
}

TEST(ParseDecimal, reaches_the_ends_of_64_bits_and_no_further) {
  EXPECT_EQ(read("92233720368547758.07", 2), int64_max);
  EXPECT_EQ(read("-92233720368547758.08", 2), int64_min);
  EXPECT_EQ(read("9223372036854775807", 0), int64_max);
  EXPECT_THAT(refusal("92233720368547758.08", 2), HasSubstr("64 bits"));
  EXPECT_THAT(refusal("-92233720368547758.09", 2), HasSubstr("64 bits"));
  EXPECT_THAT(refusal("9223372036854775808", 0), HasSubstr("64 bits"));
  EXPECT_THAT(refusal("10", 18), HasSubstr("64 bits"));
  EXPECT_THAT(refusal(std::string(100'000, '9'), 2), HasSubstr("64 bits"));
}

TEST(ParseDecimal, names_the_rule_that_the_text_breaks) {
  EXPECT_THAT(refusal("", 2), HasSubstr("empty"));
  EXPECT_THAT(refusal("+5", 2), HasSubstr("plus sign"));
  EXPECT_THAT(refusal(".5", 2), HasSubstr("digit before the point"));
  EXPECT_THAT(refusal("-.5", 2), HasSubstr("digit before the point"));
  EXPECT_THAT(refusal("-", 2), HasSubstr("digit before the point"));
  EXPECT_THAT(refusal(".", 2), HasSubstr("digit before the point"));
  EXPECT_THAT(refusal("5.", 2), HasSubstr("digit after the point"));
  EXPECT_THAT(refusal("007", 2), HasSubstr("leading zeros"));
  EXPECT_THAT(refusal("-00.5", 2), HasSubstr("leading zeros"));
  EXPECT_THAT(refusal("12.345", 2), HasSubstr("at most 2 decimals"));
  EXPECT_THAT(refusal("12.340", 2), HasSubstr("at most 2 decimals"));
  EXPECT_THAT(refusal("1.5", 0), HasSubstr("no decimals"));
}

TEST(ParseDecimal, refuses_every_other_notation) {
  for (const char* text :
       {"1e3", "1E3",   "0x10", "NaN", "nan", "inf",   "-inf", "1,000", "1 000",     " 1", "1 ",
        "1\n", "1.2.3", "--1",  "-+1", "1-",  "1_000", "٣",    "１",    "12.34 EUR", "$5"}) {
    EXPECT_THAT(refusal(text, 2), HasSubstr("plain notation")) << text;
  }
  EXPECT_THAT(refusal(std::string_view("1\0", 2), 2), HasSubstr("plain notation"));
}

TEST(ParseDecimal, quotes_a_hostile_text_escaped_and_cut) {
  const std::string detail = refusal("1\x1b[2J\n" + std::string(5000, 'x'), 2);
  EXPECT_THAT(detail, HasSubstr("\\u001b[2J\\n"));
  EXPECT_LT(detail.size(), 400U);
}

TEST(ParseMinorUnits, reads_plain_integers) {
  EXPECT_EQ(parse_minor_units("0").value().value(), 0);
  EXPECT_EQ(parse_minor_units("-0").value().value(), 0);
  EXPECT_EQ(parse_minor_units("1234").value().value(), 1234);
  EXPECT_EQ(parse_minor_units("9223372036854775807").value().value(), int64_max);
  EXPECT_EQ(parse_minor_units("-9223372036854775808").value().value(), int64_min);
}

TEST(ParseMinorUnits, refuses_everything_else) {
  for (const char* text : {"",
                           "12.0",
                           "12.",
                           ".5",
                           "1e3",
                           "0100",
                           "00",
                           "-01",
                           "+1",
                           " 1",
                           "1 ",
                           "0x10",
                           "NaN",
                           "-",
                           "9223372036854775808",
                           "-9223372036854775809"}) {
    const Result<MinorUnits> units = parse_minor_units(text);
    ASSERT_FALSE(units.has_value()) << text;
    EXPECT_EQ(units.error().code, Code::invalid_request);
  }
  EXPECT_THAT(parse_minor_units("12.0").error().detail, HasSubstr("without a point"));
  EXPECT_THAT(parse_minor_units("9223372036854775808").error().detail, HasSubstr("64 bits"));
}

TEST(FormatDecimal, writes_all_decimals_of_the_currency) {
  EXPECT_EQ(format_decimal(MinorUnits{1234}, 2), "12.34");
  EXPECT_EQ(format_decimal(MinorUnits{5}, 2), "0.05");
  EXPECT_EQ(format_decimal(MinorUnits{0}, 2), "0.00");
  EXPECT_EQ(format_decimal(MinorUnits{-5}, 2), "-0.05");
  EXPECT_EQ(format_decimal(MinorUnits{-1234}, 0), "-1234");
  EXPECT_EQ(format_decimal(MinorUnits{0}, 0), "0");
  EXPECT_EQ(format_decimal(MinorUnits{1}, 18), "0.000000000000000001");
  EXPECT_EQ(format_decimal(MinorUnits{int64_min}, 0), "-9223372036854775808");
  EXPECT_EQ(format_decimal(MinorUnits{int64_min}, 2), "-92233720368547758.08");
  EXPECT_EQ(format_decimal(MinorUnits{int64_min}, 18), "-9.223372036854775808");
  EXPECT_EQ(format_decimal(MinorUnits{int64_max}, 18), "9.223372036854775807");
}

TEST(FormatDecimal, is_read_back_by_parse_decimal) {
  for (int exponent = 0; exponent <= exponent_max; ++exponent) {
    for (const std::int64_t units : {int64_min,
                                     int64_min + 1,
                                     std::int64_t{-1},
                                     std::int64_t{0},
                                     std::int64_t{1},
                                     std::int64_t{10},
                                     int64_max}) {
      const std::string text =
          format_decimal(MinorUnits{units}, static_cast<std::uint8_t>(exponent));
      EXPECT_EQ(read(text, exponent), units) << text;
    }
  }
}

TEST(WideUnits, are_written_over_their_whole_range) {
  constexpr WideUnits one = 1;
  constexpr WideUnits least = -(one << 126) * 2;
  constexpr WideUnits most = ((one << 126) - 1) * 2 + 1;
  EXPECT_EQ(to_string(WideUnits{0}), "0");
  EXPECT_EQ(to_string(WideUnits{-7}), "-7");
  EXPECT_EQ(to_string(least), "-170141183460469231731687303715884105728");
  EXPECT_EQ(to_string(most), "170141183460469231731687303715884105727");
  EXPECT_EQ(format_decimal(least, 2), "-1701411834604692317316873037158841057.28");
  EXPECT_EQ(format_decimal(WideUnits{int64_max} * 2, 2), "184467440737095516.14");
}

TEST(MinorUnitsArithmetic, answers_nothing_rather_than_wrap) {
  EXPECT_EQ(add(MinorUnits{1}, MinorUnits{2}), MinorUnits{3});
  EXPECT_EQ(add(MinorUnits{int64_max}, MinorUnits{1}), std::nullopt);
  EXPECT_EQ(add(MinorUnits{int64_min}, MinorUnits{-1}), std::nullopt);
  EXPECT_EQ(subtract(MinorUnits{int64_min}, MinorUnits{1}), std::nullopt);
  EXPECT_EQ(subtract(MinorUnits{0}, MinorUnits{int64_min}), std::nullopt);
  EXPECT_EQ(subtract(MinorUnits{-1}, MinorUnits{int64_min}), MinorUnits{int64_max});
}

TEST(CurrencyCode, has_three_to_ten_capitals_and_digits) {
  for (const char* text : {"EUR", "A12", "USDC", "POINTS2026"}) {
    EXPECT_EQ(parse_currency_code(text).value().view(), text);
  }
  for (const char* text : {"", "EU", "eur", "EuR", "1EU", "EUR ", "ABCDEFGHIJK", "E-R", "ÉUR"}) {
    const Result<CurrencyCode> code = parse_currency_code(text);
    ASSERT_FALSE(code.has_value()) << text;
    EXPECT_THAT(code.error().detail, HasSubstr("3 to 10"));
  }
}

TEST(WorldWallet, is_named_by_its_currency) {
  EXPECT_EQ(world_wallet(CurrencyCode{"EUR"}).view(), "@world/EUR");
  EXPECT_EQ(world_wallet(CurrencyCode{"POINTS2026"}).view(), "@world/POINTS2026");
  EXPECT_EQ(world_currency(WalletId{"@world/EUR"}), CurrencyCode{"EUR"});
  for (const char* id : {"@world",
                         "@world/",
                         "@world/eur",
                         "@world/EU",
                         "@world/EUR/x",
                         "@World/EUR",
                         "world/EUR",
                         "x@world/EUR",
                         "@world/ABCDEFGHIJK",
                         ""}) {
    EXPECT_EQ(world_currency(WalletId{id}), std::nullopt) << id;
  }
}

}  // namespace
}  // namespace mizan
