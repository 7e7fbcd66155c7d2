#include "json/value.hpp"

#include "base/text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

namespace mizan::json {
namespace {

TEST(JsonValue, writes_each_kind) {
  EXPECT_EQ(Value(nullptr).text(), "null");
  EXPECT_EQ(Value(true).text(), "true");
  EXPECT_EQ(Value(false).text(), "false");
  EXPECT_EQ(Value(-7).text(), "-7");
  EXPECT_EQ(Value(std::uint8_t{200}).text(), "200");
  EXPECT_EQ(Value(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
  EXPECT_EQ(Value("a\"b").text(), R"("a\"b")");
  EXPECT_EQ(Value(std::string("x")).text(), R"("x")");
  EXPECT_EQ(Value(std::string_view("y")).text(), R"("y")");
  EXPECT_EQ(Value(CurrencyCode{"EUR"}).text(), R"("EUR")");
  EXPECT_EQ(Value(Timestamp{}).text(), R"("1970-01-01T00:00:00.000000Z")");
  EXPECT_EQ(Value(Metadata{}).text(), "{}");
}

TEST(JsonValue, writes_amounts_as_strings) {
  EXPECT_EQ(Value(MinorUnits{std::numeric_limits<std::int64_t>::min()}).text(),
            R"("-9223372036854775808")");
  EXPECT_EQ(Value(WideUnits{1} << 100).text(), R"("1267650600228229401496703205376")");
}

TEST(JsonValue, writes_decimals_shortest_and_never_what_json_lacks) {
  EXPECT_EQ(Value(0.1).text(), "0.1");
  EXPECT_EQ(Value(1500.0).text(), "1500");
  EXPECT_EQ(Value(std::numeric_limits<double>::quiet_NaN()).text(), "null");
  EXPECT_EQ(Value(std::numeric_limits<double>::infinity()).text(), "null");
}

TEST(JsonValue, writes_nothing_as_null) {
  EXPECT_EQ(Value(std::optional<MinorUnits>{}).text(), "null");
  EXPECT_EQ(Value(std::optional<MinorUnits>{MinorUnits{5}}).text(), R"("5")");
  EXPECT_EQ(Value(std::optional<bool>{false}).text(), "false");
}

TEST(JsonObject, keeps_the_order_and_stays_on_one_line) {
  Object inner;
  inner.set("n", 1);
  Object object;
  object.set("b", "two\nlines").set("a", Array().add(1).add("x").add(inner)).set("o", inner);
  EXPECT_EQ(object.text(), R"({"b":"two\nlines","a":[1,"x",{"n":1}],"o":{"n":1}})");
  EXPECT_EQ(Object().text(), "{}");
  EXPECT_EQ(Array().text(), "[]");
}

TEST(JsonObject, leaves_absent_members_out) {
  const std::optional<std::string> absent;
  const std::optional<std::string> present = "x";
  Object object;
  object.set_present("a", absent).set_present("b", present);
  EXPECT_EQ(object.text(), R"({"b":"x"})");
}

TEST(JsonObject, escapes_hostile_keys_and_texts) {
  Object object;
  object.set("k\"\n\xff", std::string_view("v\0\x1b\xc0", 4));
  EXPECT_EQ(object.text(), "{\"k\\\"\\n\xef\xbf\xbd\":\"v\\u0000\\u001b\xef\xbf\xbd\"}");
  EXPECT_TRUE(is_valid_utf8(object.text()));
}

}  // namespace
}  // namespace mizan::json
