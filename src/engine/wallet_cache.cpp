#include "engine/wallet_cache.hpp"

#include "base/assert.hpp"

#include <array>
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
    if (!cell.is_used) return first_gone < cells_.size() ? first_gone : at;
    if (cell.wallet == nullptr) {
      if (first_gone == cells_.size()) first_gone = at;
    } else if (cell.hash == hash && cell.wallet->id == id) {
      return at;
    }
  }
}

CachedWallet* WalletCache::find(const WalletId& id) noexcept {
  return cells_[probe(id, hash_of(id))].wallet;
}

void WalletCache::find_all(std::span<const WalletId* const> ids,
                           std::span<CachedWallet*> found) noexcept {
  // First the cell is fetched, then the wallet that it points at, then the two are compared.
  constexpr std::size_t to_wallet = 6;
  constexpr std::size_t to_cell = 12;
  std::array<std::uint32_t, 16> hashes{};
  static_assert(to_cell < hashes.size());
  const std::size_t mask = cells_.size() - 1;
  for (std::size_t step = 0; step < ids.size() + to_cell; ++step) {
    if (step < ids.size()) {
      const std::uint32_t hash = hash_of(*ids[step]);
      hashes[step % hashes.size()] = hash;
      __builtin_prefetch(&cells_[hash & mask]);
    }
    if (step >= to_wallet && step - to_wallet < ids.size()) {
      const std::uint32_t hash = hashes[(step - to_wallet) % hashes.size()];
      const CachedWallet* wallet = cells_[hash & mask].wallet;
      if (wallet != nullptr) __builtin_prefetch(&wallet->id);
    }
    if (step >= to_cell) {
      const std::size_t i = step - to_cell;
      found[i] = cells_[probe(*ids[i], hashes[i % hashes.size()])].wallet;
    }
  }
}

CachedWallet* WalletCache::find(WalletNumber number) noexcept {
  const auto it = by_number_.find(number);
  return it == by_number_.end() ? nullptr : it->second;
}

CachedWallet& WalletCache::put(const WalletState& state) {
  const std::uint32_t hash = hash_of(state.id);
  Cell& cell = cells_[probe(state.id, hash)];
  if (cell.wallet != nullptr) {
    MIZAN_ASSERT(cell.wallet->number == state.number);
    *cell.wallet = CachedWallet{state};
    return *cell.wallet;
  }
  CachedWallet* wallet = nullptr;
  if (free_.empty()) {
    wallet = &wallets_.emplace_back(CachedWallet{state});
  } else {
    wallet = free_.back();
    free_.pop_back();
    *wallet = CachedWallet{state};
  }
  if (!cell.is_used) ++used_cells_;
  cell = {wallet, hash, true};
  by_number_.emplace(state.number, wallet);
  if (used_cells_ * 3 > cells_.size() * 2) grow();
  return *wallet;
}

void WalletCache::grow() {
  std::vector<Cell> old(std::max(
      first_cells, by_number_.size() * 4 > cells_.size() ? cells_.size() * 2 : cells_.size()));
  old.swap(cells_);
  used_cells_ = 0;
  const std::size_t mask = cells_.size() - 1;
  for (const Cell& cell : old) {
    if (cell.wallet == nullptr) continue;
    std::size_t at = cell.hash & mask;
    while (cells_[at].is_used) at = (at + 1) & mask;
    cells_[at] = cell;
    ++used_cells_;
  }
}

void WalletCache::drop(WalletNumber number) noexcept {
  const auto it = by_number_.find(number);
  if (it == by_number_.end()) return;
  CachedWallet* wallet = it->second;
  cells_[probe(wallet->id, hash_of(wallet->id))].wallet = nullptr;
  free_.push_back(wallet);
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
