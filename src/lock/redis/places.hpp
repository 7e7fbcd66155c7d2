#pragma once

#include "mizan/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mizan::redis {

/// Resources share this many counters, so that their number does not grow with the resources.
/// Never changed: everybody who shares locks must find the same counter.
inline constexpr std::size_t bucket_count = 64;

/// The slot of a cluster (0 … 16,383) that keeps the keys with this hash tag.
[[nodiscard]] std::uint16_t slot_of_tag(std::string_view tag) noexcept;

/// Which of the buckets a resource is in; the same on every machine.
[[nodiscard]] std::size_t bucket_of(const Resource& resource) noexcept;

/// The keys of a resource; all of a bucket share a hash tag, and so a slot.
struct Place {
  std::size_t bucket = 0;
  std::uint16_t slot = 0;
  std::string lease;    ///< Key of the lease.
  std::string counter;  ///< Key of the bucket's counter.
};

[[nodiscard]] Place place_of(std::string_view prefix, const Resource& resource);

/// Where the releases of a bucket are announced.
[[nodiscard]] std::string channel_of(std::string_view prefix, std::size_t bucket);

}  // namespace mizan::redis
