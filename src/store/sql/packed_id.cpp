#include "store/sql/packed_id.hpp"

#include <cstdint>

namespace mizan::sql {
namespace {

constexpr std::size_t uuid_size = 36;
constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> make_digits() {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(no_digit);
  for (std::uint8_t i = 0; i < 10; ++i) digits[static_cast<std::size_t>('0' + i)] = i;
  for (std::uint8_t i = 10; i < 16; ++i) digits[static_cast<std::size_t>('a' + i - 10)] = i;
  return digits;
}

constexpr std::array<std::uint8_t, 256> digits = make_digits();

/// Where the digits of each byte stand in the text.
constexpr std::array<std::uint8_t, 16> positions = {
    0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};

std::uint8_t digit_at(std::string_view text, std::size_t position) {
  return digits[static_cast<unsigned char>(text[position])];
}

}  // namespace

std::optional<PackedId> pack_uuid(std::string_view text) noexcept {
  if (text.size() != uuid_size) return std::nullopt;
  if (text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-') return std::nullopt;
  PackedId packed{};
  unsigned seen = 0;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const unsigned high = digit_at(text, positions[i]);
    const unsigned low = digit_at(text, positions[i] + std::size_t{1});
    seen |= high | low;
    packed[i] = static_cast<std::byte>((high << 4 | low) & 0xff);
  }
  if (seen > 0xf) return std::nullopt;
  return packed;
}

OperationId unpack_uuid(std::span<const std::byte, 16> bytes) noexcept {
  constexpr std::string_view hex = "0123456789abcdef";
  std::array<char, uuid_size> text{};
  text.fill('-');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto value = std::to_integer<unsigned>(bytes[i]);
    text[positions[i]] = hex[value >> 4];
    text[positions[i] + std::size_t{1}] = hex[value & 0xf];
  }
  return OperationId(std::string_view(text.data(), text.size()));
}

}  // namespace mizan::sql
