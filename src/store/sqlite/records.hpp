#pragma once

#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sql/rows.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::sqlite {

class Connection;
class Statement;

// What the ledger keeps, looked up and read. Snapshots and transactions read through the same
// functions; the rows themselves are read by store/sql/rows.hpp.

[[nodiscard]] std::int64_t to_integer(Timestamp time) noexcept;

using WalletStates = std::vector<std::optional<WalletState>>;

[[nodiscard]] Result<WalletStates> load_wallets(Connection& connection,
                                                std::span<const WalletId> ids);
[[nodiscard]] Result<WalletStates> load_wallets(Connection& connection,
                                                std::span<const WalletNumber> numbers);

[[nodiscard]] Result<std::optional<RecordedOperation>> find_operation(Connection& connection,
                                                                      const OperationId& id);
[[nodiscard]] Result<std::optional<ReversibleOperation>> find_reversible(Connection& connection,
                                                                         const OperationId& id);
[[nodiscard]] Result<std::optional<HoldRecord>> find_hold_record(Connection& connection,
                                                                 const OperationId& id);
[[nodiscard]] Result<std::optional<Hold>> find_hold(Connection& connection, const OperationId& id);

[[nodiscard]] Result<std::vector<HoldRecord>> read_hold_records(Statement& statement);

/// The id of a wallet; nothing for a number that is none's.
[[nodiscard]] Result<std::optional<WalletId>> find_wallet_id(Connection& connection,
                                                             WalletNumber number);

/// A currency that the user registered.
[[nodiscard]] Result<std::optional<Currency>> find_registered_currency(Connection& connection,
                                                                       const CurrencyCode& code);

}  // namespace mizan::sqlite
