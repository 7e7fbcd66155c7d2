#include "base/uuid.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <string_view>

namespace mizan {

namespace {

constexpr unsigned counter_bits = 12;
constexpr std::uint64_t time_max = (std::uint64_t{1} << 48U) - 1;

// A new millisecond starts its counter in the lower half, so that there is room to count.
constexpr std::uint64_t counter_start_mask = (std::uint64_t{1} << (counter_bits - 1)) - 1;

std::uint64_t unix_milliseconds(Timestamp time) noexcept {
  const auto since = std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch();
  return std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(since.count(), 0)), time_max);
}

// Writes the lowest `digits` hexadecimal digits of the number.
char* write_hex(char* out, std::uint64_t number, unsigned digits) noexcept {
  constexpr std::string_view alphabet = "0123456789abcdef";
  for (unsigned i = digits; i > 0; --i) *out++ = alphabet[(number >> (4 * (i - 1))) & 0xfU];
  return out;
}

}  // namespace

UuidGenerator::UuidGenerator(const Clock& clock, Random& random) noexcept
    : clock_(clock), random_(random) {}

std::uint64_t UuidGenerator::next_random() {
  if (left_ == 0) {
    random_.fill(std::as_writable_bytes(std::span(drawn_)));
    left_ = drawn_.size();
  }
  return drawn_[--left_];
}

UuidGenerator::Parts UuidGenerator::next_parts() {
  const std::uint64_t time = unix_milliseconds(clock_.wall_now());
  const MutexLock lock(mutex_);
  const std::uint64_t fresh = (time << counter_bits) | (next_random() & counter_start_mask);
  const bool is_later = (fresh >> counter_bits) > (last_ >> counter_bits);
  last_ = is_later ? fresh : last_ + 1;
  return {last_, next_random()};
}

Uuid UuidGenerator::next() {
  const Parts parts = next_parts();
  const std::uint64_t time = parts.time_and_counter >> counter_bits;
  const std::uint64_t counter = parts.time_and_counter & ((1U << counter_bits) - 1);
  std::array<char, Uuid::max_size> text{};
  char* out = write_hex(text.data(), time >> 16U, 8);
  *out++ = '-';
  out = write_hex(out, time, 4);
  *out++ = '-';
  out = write_hex(out, 0x7000U | counter, 4);
  *out++ = '-';
  out = write_hex(out, 0x8000U | (parts.random >> 50U), 4);  // Variant 10 and 14 random bits.
  *out++ = '-';
  write_hex(out, parts.random, 12);
  return Uuid{std::string_view(text.data(), text.size())};
}

}  // namespace mizan
