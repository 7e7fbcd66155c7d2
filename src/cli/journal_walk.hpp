#pragma once

#include "mizan/ids.hpp"
#include "mizan/money.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace mizan::cli {

/// One operation as the journal has it, with names instead of numbers.
struct JournalOperation {
  Receipt receipt;                   ///< Without `hold`, `reverses` and `reversed_by`.
  std::vector<Sequence> sequences;   ///< Of each leg.
  std::vector<Currency> currencies;  ///< Of each leg.
};

/// Reads the whole journal of a snapshot in commit order, operation by operation, in bounded
/// memory. One thread at a time.
class JournalWalk {
 public:
  explicit JournalWalk(Snapshot& snapshot) noexcept : snapshot_(snapshot) {}

  /// The next operation; nothing at the end.
  [[nodiscard]] Result<std::optional<JournalOperation>> next();

 private:
  struct Side {
    WalletId id;
    Currency currency;
  };

  Status load_page();
  Result<Side> load_side(WalletNumber number);
  Status add_leg(JournalOperation& operation, const JournalLeg& leg);

  Snapshot& snapshot_;
  std::vector<JournalLeg> page_;
  std::size_t at_ = 0;
  Sequence after_{0};
  bool at_end_ = false;
  std::unordered_map<WalletNumber, Side> sides_;  // Emptied when it grows too large.
};

}  // namespace mizan::cli
