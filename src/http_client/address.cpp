#include "http_client/address.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace mizan::http_client {
namespace {

/// The first `bits` of an address are those of the network.
struct Network {
  std::array<unsigned char, 4> bytes;
  std::size_t bits;
};

// RFC 6890 and its successors: what is not reachable from everywhere.
constexpr std::array special{Network{{0, 0, 0, 0}, 8},
                             Network{{10, 0, 0, 0}, 8},
                             Network{{100, 64, 0, 0}, 10},
                             Network{{127, 0, 0, 0}, 8},
                             Network{{169, 254, 0, 0}, 16},
                             Network{{172, 16, 0, 0}, 12},
                             Network{{192, 0, 0, 0}, 24},
                             Network{{192, 0, 2, 0}, 24},
                             Network{{192, 88, 99, 0}, 24},
                             Network{{192, 168, 0, 0}, 16},
                             Network{{198, 18, 0, 0}, 15},
                             Network{{198, 51, 100, 0}, 24},
                             Network{{203, 0, 113, 0}, 24},
                             Network{{224, 0, 0, 0}, 4},
                             Network{{240, 0, 0, 0}, 4}};

std::uint32_t number_of(std::span<const unsigned char> bytes) noexcept {
  std::uint32_t number = 0;
  for (const unsigned char byte : bytes.first(4)) number = number << 8U | byte;
  return number;
}

bool is_public_ipv4(std::span<const unsigned char> bytes) noexcept {
  const std::uint32_t address = number_of(bytes);
  return std::none_of(special.begin(), special.end(), [address](const Network& network) {
    const std::size_t rest = 32 - network.bits;
    return address >> rest == number_of(network.bytes) >> rest;
  });
}

bool are_zero(std::span<const unsigned char> bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte == 0; });
}

/// Of the globally assigned addresses (2000::/3), those that stand for themselves.
bool is_public_ipv6(std::span<const unsigned char> bytes) noexcept {
  const std::uint32_t first = number_of(bytes);
  constexpr std::uint32_t mapped_mark = 0xffff;
  if (are_zero(bytes.first(10)) && (number_of(bytes.subspan(8)) & mapped_mark) == mapped_mark) {
    return is_public_ipv4(bytes.subspan(12));  // ::ffff:0:0/96
  }
  if (first == 0x0064ff9b && are_zero(bytes.subspan(4, 8))) {
    return is_public_ipv4(bytes.subspan(12));  // 64:ff9b::/96; others hold their address elsewhere.
  }
  if (first >> 16U == 0x2002) return is_public_ipv4(bytes.subspan(2));     // 6to4
  const bool is_special = first >> 9U == 0x20010000U >> 9U ||              // 2001::/23
                          first == 0x20010db8 || first >> 12U == 0x3fff0;  // Documentation.
  return first >> 29U == 1 && !is_special;
}

}  // namespace

bool is_public_address(std::span<const unsigned char> bytes) noexcept {
  constexpr std::size_t ipv4_size = 4;
  constexpr std::size_t ipv6_size = 16;
  if (bytes.size() == ipv4_size) return is_public_ipv4(bytes);
  return bytes.size() == ipv6_size && is_public_ipv6(bytes);
}

}  // namespace mizan::http_client
