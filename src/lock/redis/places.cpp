#include "lock/redis/places.hpp"

#include <fmt/format.h>

namespace mizan::redis {
namespace {

std::string tag_of(std::string_view prefix, std::size_t bucket) {
  return fmt::format("{}:{:02}", prefix, bucket);
}

}  // namespace

std::uint16_t slot_of_tag(std::string_view tag) noexcept {
  // CRC-16/XMODEM, as the cluster specification has it.
  std::uint32_t crc = 0;
  for (const char byte : tag) {
    crc ^= static_cast<std::uint32_t>(static_cast<unsigned char>(byte)) << 8U;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
    }
    crc &= 0xffffU;
  }
  return static_cast<std::uint16_t>(crc % 16'384U);
}

std::size_t bucket_of(const Resource& resource) noexcept {
  // FNV-1a of 64 bits, with the halves joined: its lowest bits alone spread less.
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : resource.view()) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return static_cast<std::size_t>((hash ^ (hash >> 32U)) % bucket_count);
}

Place place_of(std::string_view prefix, const Resource& resource) {
  Place place;
  place.bucket = bucket_of(resource);
  const std::string tag = tag_of(prefix, place.bucket);
  place.slot = slot_of_tag(tag);
  place.lease = fmt::format("{{{}}}:lease:{}", tag, resource.view());
  place.counter = fmt::format("{{{}}}:counter", tag);
  return place;
}

std::string channel_of(std::string_view prefix, std::size_t bucket) {
  return fmt::format("{{{}}}:released", tag_of(prefix, bucket));
}

}  // namespace mizan::redis
