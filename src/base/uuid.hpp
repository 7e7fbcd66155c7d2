#pragma once

#include "mizan/clock.hpp"
#include "mizan/text.hpp"

#include "base/mutex.hpp"
#include "base/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace mizan {

/// A UUID as text: 36 lower-case characters. Fits into an operation id and a lock owner.
using Uuid = ShortText<struct UuidTag, 36>;

/// Makes UUIDs of version 7 (RFC 9562): ordered by time, so that they keep an index in cache.
/// Each is greater than the one before it, also within one millisecond and when the clock goes
/// back: the 12 bits after the time are a counter that carries into it (section 6.2, methods 1
/// and "fixed bit-length dedicated counter"). 62 bits are random.
///
/// Threads: any number may call `next` at once. Not to be used on both sides of a fork.
class UuidGenerator {
 public:
  /// Both must outlive it. `random` is used by one thread at a time.
  UuidGenerator(const Clock& clock, Random& random) noexcept;

  [[nodiscard]] Uuid next();

 private:
  struct Parts {
    std::uint64_t time_and_counter = 0;
    std::uint64_t random = 0;
  };

  Parts next_parts();
  std::uint64_t next_random() MIZAN_REQUIRES(mutex_);

  const Clock& clock_;
  Random& random_;
  Mutex mutex_;
  std::uint64_t last_ MIZAN_GUARDED_BY(mutex_) = 0;
  // One draw serves many ids: asking the kernel each time would cost more than all the rest.
  std::array<std::uint64_t, 64> drawn_ MIZAN_GUARDED_BY(mutex_){};
  std::size_t left_ MIZAN_GUARDED_BY(mutex_) = 0;
};

}  // namespace mizan
