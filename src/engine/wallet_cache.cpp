#include "engine/wallet_cache.hpp"

#include "base/assert.hpp"

#include <functional>

namespace mizan::engine {
namespace {

constexpr std::size_t first_cells = 1024;

std::uint32_t hash_of(const WalletId& id) noexcept {
  const std::size_t hash = std::hash<WalletId>{}(id);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

WalletCache::WalletCache() : cells_(first_cells) {}

std::size_t WalletCache::probe(const WalletId& id, std::uint32_t hash) const noexcept {
  const std::size_t mask = cells_.size() - 1;
  std::size_t first_gone = cells_.size();
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Cell& cell = cells_[at];
    if (cell.index == empty) return first_gone < cells_.size() ? first_gone : at;
    if (cell.index == gone) {
      if (first_gone == cells_.size()) first_gone = at;
    } else if (cell.hash == hash && wallets_[cell.index].id == id) {
      return at;
    }
  }
}

CachedWallet* WalletCache::find(const WalletId& id) noexcept {
  const Cell& cell = cells_[probe(id, hash_of(id))];
  return cell.index >= gone ? nullptr : &wallets_[cell.index];
}

CachedWallet* WalletCache::find(WalletNumber number) noexcept {
  const auto it = by_number_.find(number);
  return it == by_number_.end() ? nullptr : &wallets_[it->second];
}

CachedWallet& WalletCache::put(const WalletState& state) {
  const std::uint32_t hash = hash_of(state.id);
  Cell& cell = cells_[probe(state.id, hash)];
  if (cell.index < gone) {
    CachedWallet& wallet = wallets_[cell.index];
    MIZAN_ASSERT(wallet.number == state.number);
    wallet = CachedWallet{state};
    return wallet;
  }
  std::uint32_t index = 0;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(wallets_.size());
    wallets_.push_back(CachedWallet{state});
  } else {
    index = free_.back();
    free_.pop_back();
    wallets_[index] = CachedWallet{state};
  }
  if (cell.index == empty) ++used_cells_;
  cell = {hash, index};
  by_number_.emplace(state.number, index);
  if (used_cells_ * 3 > cells_.size() * 2) grow();
  return wallets_[index];
}

void WalletCache::grow() {
  std::vector<Cell> old(std::max(
      first_cells, by_number_.size() * 4 > cells_.size() ? cells_.size() * 2 : cells_.size()));
  old.swap(cells_);
  used_cells_ = 0;
  const std::size_t mask = cells_.size() - 1;
  for (const Cell& cell : old) {
    if (cell.index >= gone) continue;
    std::size_t at = cell.hash & mask;
    while (cells_[at].index != empty) at = (at + 1) & mask;
    cells_[at] = cell;
    ++used_cells_;
  }
}

void WalletCache::drop(WalletNumber number) noexcept {
  const auto it = by_number_.find(number);
  if (it == by_number_.end()) return;
  const std::uint32_t index = it->second;
  const WalletId id = wallets_[index].id;
  cells_[probe(id, hash_of(id))].index = gone;
  free_.push_back(index);
  by_number_.erase(it);
}

void WalletCache::clear() noexcept {
  wallets_.clear();
  free_.clear();
  by_number_.clear();
  cells_.assign(first_cells, Cell{});
  used_cells_ = 0;
}

}  // namespace mizan::engine
