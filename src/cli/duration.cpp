#include "cli/duration.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace mizan::cli {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t milliseconds = 0;
};

constexpr std::array<Unit, 5> units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::int64_t milliseconds_max = 100 * 366 * units[0].milliseconds;

std::optional<std::size_t> find_unit(std::string_view name) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].name == name) return i;
  }
  return std::nullopt;
}

/// The sum, or nothing for a text that is no duration.
std::optional<std::int64_t> sum_up(std::string_view text) {
  std::int64_t sum = 0;
  std::size_t next_unit = 0;
  while (!text.empty()) {
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
    const auto count = parse_unsigned(text.substr(0, digits));
    text.remove_prefix(digits);
    const std::size_t letters = std::min(text.find_first_of("0123456789"), text.size());
    const auto unit = find_unit(text.substr(0, letters));
    text.remove_prefix(letters);
    if (!count || !unit || *unit < next_unit) return std::nullopt;
    next_unit = *unit + 1;
    const std::int64_t size = units[*unit].milliseconds;
    if (*count > static_cast<std::uint64_t>(milliseconds_max / size)) return std::nullopt;
    sum += static_cast<std::int64_t>(*count) * size;
    if (sum > milliseconds_max) return std::nullopt;
  }
  return sum;
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto sum = sum_up(text);
  if (!sum || *sum == 0) {
    return invalid_request("duration",
                           fmt::format("'{}' is no duration; write a number and ms, s, m, h or d, "
                                       "such as 500ms, 10s or 1h30m, up to 36600d",
                                       escape_for_log(text)));
  }
  return std::chrono::milliseconds{*sum};
}

std::string format_duration(std::chrono::milliseconds duration) {
  std::string text;
  std::int64_t left = duration.count();
  for (const Unit& unit : units) {
    if (left < unit.milliseconds) continue;
    text += fmt::format("{}{}", left / unit.milliseconds, unit.name);
    left %= unit.milliseconds;
  }
  return text.empty() ? "0ms" : text;
}

}  // namespace mizan::cli
