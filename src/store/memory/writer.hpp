#pragma once

#include "store/memory/tables.hpp"
#include "store/memory/view.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mizan::memory {

/// Changes rows on behalf of one transaction and can take everything back. Every change leaves
/// its inverse in the undo list; a commit forgets the list.
/// Requires: the caller holds `Tables::mutex` alone during each call but `view()`.
class Writer {
 public:
  explicit Writer(Tables& tables) : tables_(tables), view_(tables, tables.committed + 1) {}

  [[nodiscard]] const View& view() const noexcept { return view_; }

  void put_wallet(WalletRow row);
  void put_hold(const HoldRecord& record);
  void put_fence(const Fence& fence);
  void insert_wallet(const WalletId& id, WalletRow row);
  void insert_currency(const Currency& currency);
  void insert_operation(const OperationId& id, OperationRow row);
  void insert_reversal(const OperationId& reversed, const OperationId& reversed_by);

  /// Appends a leg and its entries; answers the sequence it got.
  Sequence append_leg(JournalLeg leg);

  /// Why the transaction must not commit, if it must not.
  [[nodiscard]] std::optional<std::string> broken_history() const;

  void commit();
  void roll_back();

 private:
  Tables& tables_;
  View view_;
  std::set<WalletNumber> touched_;
  std::vector<std::function<void(Tables&)>> undo_;
};

}  // namespace mizan::memory
