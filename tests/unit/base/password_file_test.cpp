#include "base/password_file.hpp"

#include "testkit/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace mizan {
namespace {

Result<std::string> read_as_password(std::string_view content) {
  const testkit::TempDir folder;
  const auto file = folder.path() / "password";
  std::ofstream(file) << content;
  return read_password_file(file);
}

TEST(PasswordFile, is_its_first_line_without_the_end) {
  for (const char* content : {"geheim", "geheim\n", "geheim\r\n", "geheim\nand more\n"}) {
    const auto password = read_as_password(content);
    ASSERT_TRUE(password) << content;
    EXPECT_EQ(*password, "geheim") << content;
  }
}

TEST(PasswordFile, that_is_missing_or_empty_is_refused_with_its_name) {
  EXPECT_FALSE(read_as_password(""));
  const auto missing = read_password_file("/nowhere/at-all");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::invalid_request);
  EXPECT_NE(missing.error().detail.find("/nowhere/at-all"), std::string::npos);
}

}  // namespace
}  // namespace mizan
