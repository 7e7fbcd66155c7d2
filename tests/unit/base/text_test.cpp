#include "base/text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(Utf8, accepts_every_length_and_its_borders) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("plain"));
  EXPECT_TRUE(is_valid_utf8("\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"));
  EXPECT_TRUE(is_valid_utf8("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
  EXPECT_TRUE(is_valid_utf8("\xed\x9f\xbf\xee\x80\x80"));  // Around the surrogates.
  EXPECT_TRUE(is_valid_utf8("میزان 天秤 ⚖"));
}

TEST(Utf8, refuses_what_rfc_3629_forbids) {
  EXPECT_FALSE(is_valid_utf8("\x80"));              // A continuation alone.
  EXPECT_FALSE(is_valid_utf8("\xc0\xaf"));          // Overlong.
  EXPECT_FALSE(is_valid_utf8("\xc1\xbf"));          // Overlong.
  EXPECT_FALSE(is_valid_utf8("\xe0\x9f\xbf"));      // Overlong.
  EXPECT_FALSE(is_valid_utf8("\xf0\x8f\xbf\xbf"));  // Overlong.
  EXPECT_FALSE(is_valid_utf8("\xed\xa0\x80"));      // A surrogate.
  EXPECT_FALSE(is_valid_utf8("\xed\xbf\xbf"));      // A surrogate.
  EXPECT_FALSE(is_valid_utf8("\xf4\x90\x80\x80"));  // Above U+10FFFF.
  EXPECT_FALSE(is_valid_utf8("\xf8\x88\x80\x80\x80"));
  EXPECT_FALSE(is_valid_utf8("\xff"));
  EXPECT_FALSE(is_valid_utf8("\xe2\x82"));   // Cut.
  EXPECT_FALSE(is_valid_utf8("\xe2\x82x"));  // Broken off.
}

TEST(Utf8, writes_what_it_reads) {
  for (const char32_t point :
       {U'\0', U'a', U'\x7f', U'\x80', U'\x7ff', U'\x800', U'\xffff', U'\x10000', U'\x10ffff'}) {
    std::string text;
    append_utf8(text, point);
    const CodePoint read = first_code_point(text);
    EXPECT_TRUE(read.valid);
    EXPECT_EQ(read.value, point);
    EXPECT_EQ(read.size, text.size());
  }
}

TEST(JsonString, escapes_what_json_demands_and_leaves_the_rest) {
  EXPECT_EQ(json(""), R"("")");
  EXPECT_EQ(json("a \"b\" \\ /"), R"("a \"b\" \\ /")");
  EXPECT_EQ(json("\n\r\t\b\f"), R"("\n\r\t\u0008\u000c")");
  EXPECT_EQ(json(std::string_view("\0\x1f\x7f", 3)), R"("\u0000\u001f\u007f")");
  EXPECT_EQ(json("میزان 😀"), "\"میزان 😀\"");
}

TEST(JsonString, is_valid_utf8_whatever_comes_in) {
  EXPECT_EQ(json("a\xff\xe2\x82z"), "\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"");
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  EXPECT_TRUE(is_valid_utf8(json(bytes)));
}

TEST(EscapeForLog, keeps_ordinary_text) {
  EXPECT_EQ(escape_for_log("wallet:1 میزان"), "wallet:1 میزان");
}

TEST(EscapeForLog, lets_nothing_break_or_forge_a_line) {
  EXPECT_EQ(escape_for_log("a\nlevel=error"), "a\\nlevel=error");
  EXPECT_EQ(escape_for_log("\r\t\x1b[31m\x7f"), "\\u000d\\u0009\\u001b[31m\\u007f");
  EXPECT_EQ(escape_for_log("a\"b\\c"), "a\\\"b\\\\c");
  EXPECT_EQ(escape_for_log("\xff"), "\\xff");
  EXPECT_EQ(escape_for_log("\u202e\u2028\u0085"), "\\u202e\\u2028\\u0085");
  EXPECT_EQ(escape_for_log(std::string_view("\0", 1)), "\\u0000");
}

TEST(EscapeForLog, cuts_long_text) {
  EXPECT_EQ(escape_for_log("abcdef", 3), "abc…");
  EXPECT_EQ(escape_for_log("abc", 3), "abc");
  EXPECT_TRUE(is_valid_utf8(escape_for_log("aaaé", 4)));
}

TEST(ParseUnsigned, reads_plain_whole_numbers_only) {
  EXPECT_EQ(parse_unsigned("0"), 0U);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615U);
  for (const char* text :
       {"", "-1", "+1", "01", "1 ", " 1", "1.0", "1e3", "0x1", "18446744073709551616"}) {
    EXPECT_FALSE(parse_unsigned(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace mizan
