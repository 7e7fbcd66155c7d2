#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace mizan {

/// The first 16 bytes of the 32-byte BLAKE2b digest (RFC 7693, no key). Any thread may call it.
[[nodiscard]] std::array<std::byte, 16> blake2b_128(std::span<const std::byte> bytes) noexcept;

}  // namespace mizan
