#include "webhook/retry.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace mizan::webhook {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_asked{std::chrono::hours{24}};

constexpr std::array<std::string_view, 12> months{
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// `Sun, 06 Nov 1994 08:49:37 GMT`, rewritten as RFC 3339.
std::optional<Timestamp> read_http_date(std::string_view text) {
  constexpr std::size_t size = 29;
  if (text.size() != size || !text.ends_with(" GMT") || text.substr(3, 2) != ", ") {
    return std::nullopt;
  }
  const auto month = std::find(months.begin(), months.end(), text.substr(8, 3));
  if (month == months.end()) return std::nullopt;
  const auto number = std::to_string(month - months.begin() + 1);
  std::string date(text.substr(12, 4));
  date.append(number.size() == 1 ? "-0" : "-").append(number);
  date.append("-").append(text.substr(5, 2)).append("T").append(text.substr(17, 8)).append("Z");
  return parse_rfc3339(date);
}

}  // namespace

milliseconds retry_wait(const RetryOptions& options, std::uint32_t attempts, Random& random) {
  milliseconds wait = options.first;
  for (std::uint32_t i = 1; i < attempts && wait < options.longest; ++i) wait *= options.factor;
  wait = std::min(wait, options.longest);
  constexpr std::uint64_t steps = 401;
  const auto thousandths = static_cast<std::int64_t>(800 + random.below(steps));
  return milliseconds(wait.count() * thousandths / 1'000);
}

std::optional<milliseconds> read_retry_after(std::string_view text, Timestamp now) {
  if (const auto seconds = parse_unsigned(text)) {
    const auto most = static_cast<std::uint64_t>(longest_asked.count() / 1'000);
    return milliseconds(static_cast<std::int64_t>(std::min(*seconds, most)) * 1'000);
  }
  const auto date = read_http_date(text);
  if (!date) return std::nullopt;
  const auto wait = std::chrono::ceil<milliseconds>(*date - now);
  return std::clamp(wait, milliseconds(0), longest_asked);
}

}  // namespace mizan::webhook
