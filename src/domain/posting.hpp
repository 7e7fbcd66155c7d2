#pragma once

#include "domain/decide.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// What legs do to the states of their wallets.

namespace mizan::domain {

[[nodiscard]] constexpr WideUnits wide(MinorUnits units) noexcept {
  return units.value();
}

/// Does it fit into 64 bits?
[[nodiscard]] bool in_range(WideUnits units) noexcept;

/// Puts wallets back as they were unless the decision is kept.
class Undo {
 public:
  Undo() = default;
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  ~Undo() {
    for (auto it = more_.rbegin(); it != more_.rend(); ++it) it->restore();
    while (few_count_ > 0) few_[--few_count_].restore();
  }

  void remember(WalletState& wallet) {
    const Before before{&wallet, wallet.balance, wallet.held, wallet.version};
    if (few_count_ < few_.size()) {
      few_[few_count_++] = before;
    } else {
      more_.push_back(before);
    }
  }

  void keep() {
    few_count_ = 0;
    more_.clear();
  }

 private:
  struct Before {
    WalletState* wallet = nullptr;
    MinorUnits balance;
    MinorUnits held;
    std::uint64_t version = 0;

    void restore() const {
      wallet->balance = balance;
      wallet->held = held;
      wallet->version = version;
    }
  };

  std::array<Before, 2> few_;  // One leg's; most operations have no other and need no memory.
  std::size_t few_count_ = 0;
  std::vector<Before> more_;
};

/// Debits and credits in order. The first leg that would leave 64 bits is remembered apart from
/// the first one without funds, because the range (step 4) precedes the funds (step 5).
struct Effect {
  std::vector<DecidedLeg> legs;
  std::optional<Refusal> out_of_range;
  std::optional<Refusal> no_funds;
};

enum class Funds : std::uint8_t { required, reserved };

/// May `amount` leave the wallet, or be reserved on it?
[[nodiscard]] bool has_funds(const WalletState& wallet, MinorUnits amount);

/// Posts the legs of the input to the states of their wallets, each of which `undo` remembers.
[[nodiscard]] Effect post(const DecisionInput& input, Funds funds, Undo& undo);

}  // namespace mizan::domain
