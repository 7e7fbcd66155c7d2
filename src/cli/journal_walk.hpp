#pragma once

#include "mizan/ids.hpp"
#include "mizan/money.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "cli/backend.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace mizan::cli {

/// Reads the whole journal of a snapshot in commit order, operation by operation, in bounded
/// memory. Receipts come without `hold`, `reverses` and `reversed_by`. One thread at a time.
class JournalWalk final : public Journal {
 public:
  explicit JournalWalk(Snapshot& snapshot) noexcept : snapshot_(snapshot) {}

  Result<std::optional<JournalOperation>> next() override;

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
