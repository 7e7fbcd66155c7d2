#pragma once

#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

// One function per refusal: its code, its facts and its sentence, in one place.

namespace mizan::domain {

[[nodiscard]] Refusal wallet_not_found(const WalletId& id, std::size_t leg, std::string_view side);
[[nodiscard]] Refusal condition_wallet_not_found(const WalletId& id, std::size_t condition);
[[nodiscard]] Refusal wallet_not_active(const WalletState& wallet,
                                        std::size_t leg,
                                        std::string_view side);
[[nodiscard]] Refusal wallet_is_closed(const WalletState& wallet);
[[nodiscard]] Refusal currency_mismatch(const WalletState& a,
                                        const WalletState& b,
                                        std::size_t leg);
[[nodiscard]] Refusal stated_currency_mismatch(const WalletState& wallet,
                                               const CurrencyCode& stated,
                                               std::size_t leg);
[[nodiscard]] Refusal same_wallet(const WalletState& wallet, std::size_t leg);
[[nodiscard]] Refusal invalid_amount(MinorUnits amount, std::size_t leg);
[[nodiscard]] Refusal out_of_range(const WalletState& wallet,
                                   std::size_t leg,
                                   std::string_view side);
[[nodiscard]] Refusal exceeds_hold(const HoldRecord& hold, MinorUnits needed);
[[nodiscard]] Refusal limit_above_available(const WalletState& wallet, MinorUnits limit);
[[nodiscard]] Refusal not_empty(const WalletState& wallet);
[[nodiscard]] Refusal hold_not_open(const HoldRecord& hold, Timestamp now);
[[nodiscard]] Refusal hold_not_found(const OperationId& id);
[[nodiscard]] Refusal already_reversed(const OperationId& id);
[[nodiscard]] Refusal not_reversible(const OperationId& id, OperationType type);
[[nodiscard]] Refusal operation_not_found(const OperationId& id);
[[nodiscard]] Refusal condition_failed(std::vector<ConditionFailure> failures);
[[nodiscard]] Refusal insufficient_funds(const WalletState& wallet,
                                         MinorUnits needed,
                                         std::size_t leg);

}  // namespace mizan::domain
