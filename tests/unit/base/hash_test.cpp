#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mizan {
namespace {

std::string hex(std::string_view text) {
  std::string out;
  for (const std::byte byte : blake2b_128(std::as_bytes(std::span(text)))) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[std::to_integer<std::size_t>(byte >> 4)];
    out += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return out;
}

// The expected values are from another implementation: Python's
// hashlib.blake2b(text, digest_size=32).hexdigest()[:32].
TEST(Blake2b, is_the_first_half_of_the_256_bit_digest) {
  EXPECT_EQ(hex(""), "0e5751c026e543b2e8ab2eb06099daa1");
  EXPECT_EQ(hex("abc"), "bddd813c634239723171ef3fee98579b");
  EXPECT_EQ(hex(std::string(1000, 'x')), "ab75119ede14ef06ebf31f745fb655ed");
}

}  // namespace
}  // namespace mizan
