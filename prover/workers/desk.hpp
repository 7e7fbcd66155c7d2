#pragma once

#include "mizan/ledger.hpp"

#include "prover/bench.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

[[nodiscard]] std::string error_line(const Error& error);

/// A store with ledgers and leases that answers lines: `apply …`, `wallet ID`, `create ID
/// CURRENCY`, `acquire`, `renew` and `release` as in protocol.hpp. Any thread may ask.
class Desk {
 public:
  static constexpr std::size_t words_count = 5;

  /// `words` are PLACE STRATEGY LEDGERS MUTANT LOCK. LOCK is `store`, `off` (everybody gets every
  /// lease) or `redis:PREFIX`.
  [[nodiscard]] static Result<std::unique_ptr<Desk>> open(std::span<const std::string_view> words,
                                                          StepHook on_step = {});

  [[nodiscard]] std::string answer(std::string_view line);

  [[nodiscard]] Store& store() const { return opened_.store(); }

  [[nodiscard]] Ledger& ledger(std::size_t index) const {
    return *ledgers_.at(index % ledgers_.size());
  }

  [[nodiscard]] LeaseTable& leases() {
    if (mutated_leases_) return *mutated_leases_;
    return replaced_leases_ ? *replaced_leases_ : store().leases();
  }

 private:
  Desk() = default;

  [[nodiscard]] Status open_leases(std::string_view lock, std::string_view mutant);

  OpenedStore opened_;
  std::unique_ptr<LeaseTable> replaced_leases_;  // Null: the store's own.
  std::unique_ptr<LeaseTable> mutated_leases_;   // Null: as they are.
  std::vector<std::unique_ptr<Ledger>> ledgers_;
};

}  // namespace mizan::prover
