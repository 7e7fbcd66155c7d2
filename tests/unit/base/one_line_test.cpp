#include "base/one_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mizan {
namespace {

TEST(OneLine, is_what_was_said_without_its_line_breaks) {
  EXPECT_EQ(one_line("relation \"mizan.wallets\" does not exist\n"),
            "relation \"mizan.wallets\" does not exist");
  EXPECT_EQ(one_line("Connection refused\n\tIs the server running?\r\n"),
            "Connection refused Is the server running?");
  EXPECT_EQ(one_line("a\\b  c"), "a\\b c");
  EXPECT_EQ(one_line(""), "");
  EXPECT_EQ(one_line(std::string(600, 'x')), std::string(512, 'x') + "…");
  EXPECT_EQ(one_line(" \n\t "), "");
}

TEST(OneLine, keeps_what_a_terminal_would_obey_from_it) {
  for (const std::string_view text : {"\x1b[31m", "a\x07", "\x7f", "\xff\xfe", "\xc2\x9b"}) {
    const std::string line = one_line(text);
    EXPECT_EQ(line.find(text), std::string::npos) << line;
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
  EXPECT_EQ(one_line("größer"), "größer");
}

}  // namespace
}  // namespace mizan
