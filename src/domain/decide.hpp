#pragma once

#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"
#include "mizan/store.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace mizan::domain {

/// One side of a leg: a wallet that was found, one that does not exist, or the world.
struct Side {
  WalletState* state = nullptr;  ///< Null: the world, or a wallet that does not exist.
  bool is_world = false;

  [[nodiscard]] bool missing() const noexcept { return state == nullptr && !is_world; }
};

/// A leg whose wallets have been looked up.
struct ResolvedLeg {
  Side from;
  Side to;
  MinorUnits amount;
  CurrencyCode currency;              ///< What the caller stated; empty: nothing.
  const WalletId* from_id = nullptr;  ///< For naming what is missing; null: nothing can be.
  const WalletId* to_id = nullptr;
};

/// Everything that the decision about one operation may look at.
struct DecisionInput {
  const Operation* operation = nullptr;
  Fingerprint fingerprint{};
  Timestamp now;
  std::vector<ResolvedLeg> legs;     ///< In the order in which they apply; for a hold, one.
  const HoldRecord* hold = nullptr;  ///< Capture and void: the hold, where it exists.
  const ReversibleOperation* reversible = nullptr;  ///< Reverse: the operation, where it exists.
  std::vector<WalletState*> condition_wallets;      ///< As operation->conditions; null: missing.
};

/// A leg with its effect, still pointing at the states it changed.
struct DecidedLeg {
  WalletState* from = nullptr;  ///< Null: the world.
  WalletState* to = nullptr;
  MinorUnits amount;
  MinorUnits from_balance;
  std::uint64_t from_version = 0;
  MinorUnits to_balance;
  std::uint64_t to_version = 0;
};

/// What an accepted operation does. The states have been changed accordingly.
struct Decided {
  std::vector<DecidedLeg> legs;
  std::optional<HoldChange> hold;
  WalletState* hold_wallet = nullptr;  ///< Whose `held` changed, where one did.
};

using Decision = std::variant<Decided, Refusal>;

/// What the wallets say to it (docs/reference/outcomes.md: the refusals between the fence and the
/// write). Pure. Accepted: balances, held and versions of the states are changed to what they are
/// afterwards (revisions are not touched). Refused: the states are as before. When several refusals
/// apply the first by `Code` is given, within one code the first leg. Legs apply in order: each
/// debit is checked against what the legs before it left (so a wallet may pass money on that it
/// receives in the same operation).
[[nodiscard]] Decision decide(const DecisionInput& input);

/// Step 3: may an operation with this fence go on, given what is remembered for the resource?
[[nodiscard]] bool fence_passes(const std::optional<FenceMark>& mark, const Fence& fence) noexcept;

/// Of the fence at `index`. The ledger's own fences stand behind those of the request, which are
/// counted alone; one of them is no field of the request's, and none is blamed for it.
[[nodiscard]] Refusal stale_fence(const std::vector<Fence>& fences,
                                  std::size_t index,
                                  FenceToken newest);
[[nodiscard]] Refusal operation_mismatch(const OperationId& id);

/// The legs that undo `operation`, in the order in which they apply.
[[nodiscard]] std::vector<Leg> reversed_legs(const ReversibleOperation& operation);

[[nodiscard]] bool is_reversible(OperationType type) noexcept;

/// Is the hold past its deadline?
[[nodiscard]] bool is_due(const HoldRecord& hold, Timestamp now) noexcept;

/// What readers see at `now` of a hold, and of a wallet with `due` left of its holds that are due:
/// the end of a hold takes effect at its deadline, whenever it is written.
[[nodiscard]] Hold shown_at(Hold hold, Timestamp now) noexcept;
[[nodiscard]] Wallet without_due_holds(Wallet wallet, MinorUnits due) noexcept;

/// The end of a hold whose deadline passed; the wallet's `held` is changed accordingly.
[[nodiscard]] HoldChange expire(const HoldRecord& hold, WalletState& wallet);

/// May status and limit of the wallet become this? A refusal, or the state afterwards.
/// Closing needs balance 0 and nothing held; a closed wallet stays as it is, and to close it again
/// is no error; a limit above what is available now is `limit_exceeded`.
[[nodiscard]] std::variant<WalletState, Refusal> decide_patch(const WalletState& wallet,
                                                              const WalletPatch& patch);

/// balance − held. The rules keep it within 64 bits.
[[nodiscard]] MinorUnits available(const WalletState& wallet) noexcept;

}  // namespace mizan::domain
