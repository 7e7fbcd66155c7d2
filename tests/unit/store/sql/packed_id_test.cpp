#include "store/sql/packed_id.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mizan::sql {
namespace {

constexpr std::string_view uuid = "0193b1f4-7a3c-7def-8123-456789abcdef";

TEST(PackedId, a_canonical_uuid_survives_packing) {
  const auto packed = pack_uuid(uuid);
  ASSERT_TRUE(packed);
  EXPECT_EQ((*packed)[0], std::byte{0x01});
  EXPECT_EQ((*packed)[15], std::byte{0xef});
  EXPECT_EQ(unpack_uuid(*packed).view(), uuid);
}

TEST(PackedId, anything_that_would_not_come_back_to_the_byte_is_not_packed) {
  // Ids are compared byte for byte: an upper-case UUID is another id than the lower-case one.
  for (const std::string_view text : {"",
                                      "0193b1f4",
                                      "0193B1F4-7A3C-7DEF-8123-456789ABCDEF",
                                      "0193b1f47a3c7def8123456789abcdef",
                                      "0193b1f4-7a3c-7def-8123-456789abcdeg",
                                      "0193b1f4-7a3c-7def-8123_456789abcdef",
                                      "0193b1f4-7a3c-7def-8123-456789abcde",
                                      "0193b1f4-7a3c-7def-8123-456789abcdef0",
                                      "-193b1f4-7a3c-7def-8123-456789abcdef",
                                      "0193b1f4-7a3c-7def-8123-456789abcde "}) {
    EXPECT_FALSE(pack_uuid(text)) << text;
  }
}

TEST(PackedId, each_position_and_digit_counts) {
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    for (const char digit : std::string_view("0123456789abcdef")) {
      std::string text(uuid);
      if (text[i] == '-') continue;
      text[i] = digit;
      const auto packed = pack_uuid(text);
      ASSERT_TRUE(packed) << text;
      EXPECT_EQ(unpack_uuid(*packed).view(), text);
    }
  }
}

TEST(PackedId, bytes_sort_as_the_texts_do) {
  const std::string_view sorted[] = {"00000000-0000-0000-0000-000000000000",
                                     "0193b1f4-7a3c-7def-8123-456789abcdef",
                                     "0193b1f4-7a3c-7def-8123-456789abcdf0",
                                     "0193b1f4-7a3c-7def-9000-000000000000",
                                     "9fffffff-ffff-ffff-ffff-ffffffffffff",
                                     "a0000000-0000-0000-0000-000000000000",
                                     "ffffffff-ffff-ffff-ffff-ffffffffffff"};
  for (std::size_t i = 1; i < std::size(sorted); ++i) {
    EXPECT_LT(sorted[i - 1], sorted[i]);
    EXPECT_LT(*pack_uuid(sorted[i - 1]), *pack_uuid(sorted[i]));
  }
}

}  // namespace
}  // namespace mizan::sql
