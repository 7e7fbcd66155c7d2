#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mizan {

/// Randomness as a parameter, so that tests own it.
class Random {
 public:
  Random() = default;
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;
  virtual ~Random();

  virtual void fill(std::span<std::byte> bytes) = 0;

  [[nodiscard]] std::uint64_t next();

  /// Uniform over 0 … bound − 1, without the bias of a plain remainder. Requires bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
};

/// The machine's cryptographic randomness. Any thread may use it; lives for the whole program.
[[nodiscard]] Random& system_random();

/// The same bytes for the same seed, for tests, the prover and the bench (xoshiro256**, seeded
/// by splitmix64; Blackman and Vigna). One thread at a time. Never for secrets.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) noexcept;

  void fill(std::span<std::byte> bytes) override;

 private:
  std::uint64_t step() noexcept;

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace mizan
