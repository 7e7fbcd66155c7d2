#include "base/hash.hpp"

#include "base/assert.hpp"
#include "base/sodium.hpp"

#include <sodium.h>

#include <algorithm>

namespace mizan {

std::array<std::byte, 16> blake2b_128(std::span<const std::byte> bytes) noexcept {
  require_sodium();
  std::array<unsigned char, 32> digest{};
  const int status = crypto_generichash(digest.data(),
                                        digest.size(),
                                        reinterpret_cast<const unsigned char*>(bytes.data()),
                                        bytes.size(),
                                        nullptr,
                                        0);
  MIZAN_ASSERT(status == 0);
  std::array<std::byte, 16> first{};
  std::transform(digest.begin(), digest.begin() + first.size(), first.begin(), [](unsigned char c) {
    return std::byte{c};
  });
  return first;
}

}  // namespace mizan
