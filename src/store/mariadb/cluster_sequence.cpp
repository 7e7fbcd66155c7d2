#include "store/mariadb/cluster_sequence.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace mizan::mariadb {
namespace {

/// 2025-01-01, in microseconds since 1970. From here on 63 bits last for 142 years.
constexpr std::int64_t beginning = 1'735'689'600'000'000;

/// Of one microsecond.
constexpr std::int64_t places = 2'048;

/// As many as a transaction may have rows.
constexpr std::int64_t rows_max = 1 << 20;

}  // namespace

std::optional<Sequence> cluster_sequence(Timestamp now, Sequence used, Random& random) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max() - rows_max - places;
  const std::int64_t time =
      std::clamp<std::int64_t>(now.time_since_epoch().count() - beginning,
                               0,
                               std::numeric_limits<std::int64_t>::max() / places - 1);
  const std::int64_t begin = std::max(time * places, used.value());
  if (begin >= last) return std::nullopt;
  const auto any = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(places)));
  return Sequence{begin + 1 + any};
}

}  // namespace mizan::mariadb
