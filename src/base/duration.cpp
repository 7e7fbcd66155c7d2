#include "base/duration.hpp"

#include "base/assert.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace mizan {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t milliseconds = 0;
};

constexpr std::array units = std::to_array<Unit>(
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}});
constexpr std::int64_t milliseconds_max = 36'600 * units[0].milliseconds;

constexpr std::string_view digits = "0123456789";

/// One `12h` of the text, taken off its front; nothing where there is none. `next_unit` makes the
/// units fall.
std::optional<std::int64_t> take_part(std::string_view& text, std::size_t& next_unit) noexcept {
  const std::size_t number_end = std::min(text.find_first_not_of(digits), text.size());
  const std::optional<std::uint64_t> count = parse_unsigned(text.substr(0, number_end));
  text.remove_prefix(number_end);
  const std::size_t unit_end = std::min(text.find_first_of(digits), text.size());
  const std::string_view name = text.substr(0, unit_end);
  text.remove_prefix(unit_end);
  const auto unit = std::find_if(
      units.begin(), units.end(), [name](const Unit& each) { return each.name == name; });
  if (!count || unit == units.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(unit - units.begin());
  const bool is_too_long =
      *count > static_cast<std::uint64_t>(milliseconds_max / unit->milliseconds);
  if (place < next_unit || is_too_long) return std::nullopt;
  next_unit = place + 1;
  return static_cast<std::int64_t>(*count) * unit->milliseconds;
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept {
  std::int64_t sum = 0;
  std::size_t next_unit = 0;
  while (!text.empty()) {
    const std::optional<std::int64_t> part = take_part(text, next_unit);
    if (!part) return std::nullopt;
    sum += *part;
  }
  if (sum == 0 || sum > milliseconds_max) return std::nullopt;
  return std::chrono::milliseconds{sum};
}

std::string format_duration(std::chrono::milliseconds duration) {
  MIZAN_ASSERT(duration.count() >= 0);
  std::string text;
  std::int64_t left = duration.count();
  for (const Unit& unit : units) {
    if (left < unit.milliseconds) continue;
    text += std::to_string(left / unit.milliseconds);
    text += unit.name;
    left %= unit.milliseconds;
  }
  return text.empty() ? "0ms" : text;
}

}  // namespace mizan
