#pragma once

#include "mizan/result.hpp"

#include "bench/pairing.hpp"

#include <string_view>

namespace mizan::bench {

/// What a careful person writes by hand with the same driver on the same disk: prepared
/// statements, and one durable transaction per transfer that inserts the id, debits where the
/// money is there, credits and commits. It keeps no entries, no versions, no fences and no
/// receipts, and answers no repeat. One thread at a time.
class Baseline {
 public:
  Baseline() = default;
  Baseline(const Baseline&) = delete;
  Baseline& operator=(const Baseline&) = delete;
  virtual ~Baseline() = default;

  /// For people.
  [[nodiscard]] virtual std::string_view what() const noexcept = 0;

  /// Transfers for `seconds`; answers how many per second.
  [[nodiscard]] virtual Result<double> measure(Pairing pairing, double seconds) = 0;

  /// The same by one caller; answers the median time of a transfer, in microseconds.
  [[nodiscard]] virtual Result<double> measure_one(Pairing pairing, double seconds) = 0;

  /// Money neither appeared nor vanished, and each transfer is there.
  [[nodiscard]] virtual Status verify() = 0;
};

}  // namespace mizan::bench
