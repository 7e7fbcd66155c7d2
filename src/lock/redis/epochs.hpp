#pragma once

#include "mizan/clock.hpp"
#include "mizan/epoch_table.hpp"
#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include "base/mutex.hpp"
#include "lock/redis/places.hpp"

#include <array>
#include <compare>
#include <cstdint>

namespace mizan::redis {

/// A token's two parts. The epoch belongs to the database, the sequence to Redis.
struct Mark {
  std::int64_t epoch = 0;
  std::int64_t sequence = 0;

  friend auto operator<=>(const Mark&, const Mark&) = default;
};

/// 30 bits; then the epoch ends. Tokens stay below 2^53, which is exact in JSON everywhere, for
/// the first eight million epochs.
inline constexpr std::int64_t sequence_max = (std::int64_t{1} << 30U) - 1;
inline constexpr std::int64_t epoch_max = (std::int64_t{1} << 33U) - 1;

/// Requires both parts within their ranges.
[[nodiscard]] FenceToken to_token(const Mark& mark) noexcept;

/// The greatest mark whose token is not above this one, which need not be of our making.
[[nodiscard]] Mark to_mark(FenceToken token) noexcept;

/// Steps of ten minutes since 2020 at `now`; at least 0.
[[nodiscard]] std::int64_t clock_epoch(Timestamp now) noexcept;

/// For locks without a database: epochs by the wall clock, growing within this process.
class ClockEpochTable final : public EpochTable {
 public:
  Result<std::int64_t> next_epoch(std::int64_t above) override;

 private:
  Mutex mutex_;
  std::int64_t newest_ MIZAN_GUARDED_BY(mutex_) = 0;
};

/// The greatest token per bucket that this process was granted: a counter that is behind it has
/// been rolled back. Any thread may call it.
class SeenMarks {
 public:
  [[nodiscard]] Mark of(std::size_t bucket);
  void note(std::size_t bucket, const Mark& mark);

 private:
  Mutex mutex_;
  std::array<Mark, bucket_count> marks_ MIZAN_GUARDED_BY(mutex_){};
};

}  // namespace mizan::redis
