#include "base/random.hpp"

#include "base/assert.hpp"
#include "base/sodium.hpp"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace mizan {

namespace {

class SystemRandom final : public Random {
 public:
  SystemRandom() { require_sodium(); }

  void fill(std::span<std::byte> bytes) override { randombytes_buf(bytes.data(), bytes.size()); }
};

std::uint64_t splitmix(std::uint64_t& state) noexcept {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

}  // namespace

Random::~Random() = default;

std::uint64_t Random::next() {
  std::array<std::byte, sizeof(std::uint64_t)> bytes{};
  fill(bytes);
  return std::bit_cast<std::uint64_t>(bytes);
}

std::uint64_t Random::below(std::uint64_t bound) {
  MIZAN_ASSERT(bound > 0);
  const std::uint64_t rejected_below = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < rejected_below) drawn = next();
  return drawn % bound;
}

Random& system_random() {
  static SystemRandom random;
  return random;
}

SeededRandom::SeededRandom(std::uint64_t seed) noexcept {
  for (std::uint64_t& word : state_) word = splitmix(seed);
}

std::uint64_t SeededRandom::step() noexcept {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

void SeededRandom::fill(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t word = step();
    const std::size_t count = std::min(bytes.size(), sizeof(word));
    std::memcpy(bytes.data(), &word, count);
    bytes = bytes.subspan(count);
  }
}

}  // namespace mizan
