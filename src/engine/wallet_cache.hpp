#pragma once

#include "mizan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace mizan::engine {

/// A cached wallet with its part in the running attempt.
struct CachedWallet : WalletState {
  std::uint64_t attempt = 0;          ///< The attempt that touched it last.
  std::uint64_t revision_before = 0;  ///< What a write of that attempt is guarded by.
  Slot slot = world_slot;         ///< Its place in that attempt's plan; world_slot: not written.
  bool entries_added = false;     ///< That attempt added entries, not only held money.
  bool relied_on = false;         ///< A refusal or condition of that attempt looked at it.
  bool must_stay = false;         ///< The condition of an operation that is to be applied did.
  bool fresh = false;             ///< Read in that attempt's own transaction.
  bool is_away = false;           ///< That attempt is in its COMMIT, while another may be decided.
  std::uint64_t passed_over = 0;  ///< The look through the queue that left an operation on it.
};

/// States of wallets that were written or read before. Never trusted: every transaction checks
/// the revision of what it relied on. One thread at a time. Pointers stay valid until `drop` of
/// that wallet or `clear`.
class WalletCache {
 public:
  WalletCache();

  [[nodiscard]] CachedWallet* find(const WalletId& id) noexcept;
  [[nodiscard]] CachedWallet* find(WalletNumber number) noexcept;

  /// `find` for many: `found[i]` is the wallet of `*ids[i]`. Looks ahead, so that the waits for
  /// memory of many look-ups run side by side.
  void find_all(std::span<const WalletId* const> ids, std::span<CachedWallet*> found) noexcept;

  /// Adds the state, or replaces the one that is there.
  CachedWallet& put(const WalletState& state);

  void drop(WalletNumber number) noexcept;
  void clear() noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return by_number_.size(); }

 private:
  /// Points at its wallet, so that a look-up outside the processor's caches costs two waits.
  struct Cell {
    CachedWallet* wallet = nullptr;
    std::uint32_t hash = 0;
    bool is_used = false;  ///< Without a wallet: there was one, and a search goes on behind it.
  };

  [[nodiscard]] std::size_t probe(const WalletId& id, std::uint32_t hash) const noexcept;
  void grow();

  std::deque<CachedWallet> wallets_;
  std::vector<CachedWallet*> free_;
  std::vector<Cell> cells_;  // Open addressing, a power of two, at most two thirds used.
  std::size_t used_cells_ = 0;
  std::unordered_map<WalletNumber, CachedWallet*> by_number_;
};

}  // namespace mizan::engine
