#pragma once

#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/postgres/session.hpp"
#include "store/sql/rows.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::postgres {

// What the ledger keeps, looked up and read. Snapshots and transactions read through the same
// functions; the rows themselves are read by store/sql/rows.hpp.

/// Columns as in load_wallets_by_id.sql, behind the place in the list asked for.
[[nodiscard]] inline Result<WalletState> read_wallet_state(const Row& row) {
  return sql::read_wallet_state(row, 1);
}

/// An operation id as the journal stores it: a byte 01 and 16 bytes for a UUID, else its text.
[[nodiscard]] std::string operation_key(const OperationId& id);
[[nodiscard]] Parameters operation_keys(std::span<const OperationId* const> ids);
[[nodiscard]] OperationId read_operation_id(const Row& row, int column);

using WalletStates = std::vector<std::optional<WalletState>>;

/// Puts the rows of load_wallets_by_id.sql and its like into the order asked.
[[nodiscard]] Result<WalletStates> read_wallet_states(const Answer& answer, std::size_t count);

[[nodiscard]] Parameters wallet_ids(std::span<const WalletId> ids);
[[nodiscard]] Parameters wallet_numbers(std::span<const WalletNumber> numbers);

/// Those of the operations that are recorded, in the order asked.
[[nodiscard]] Result<std::vector<KnownOperation>> find_operations(
    Session& session, std::span<const OperationId* const> ids);

/// The same from the answer to find_operations.sql; asks further where an operation is recorded.
[[nodiscard]] Result<std::vector<KnownOperation>> read_known(
    Session& session, const Answer& answer, std::span<const OperationId* const> ids);

[[nodiscard]] Result<std::optional<RecordedOperation>> find_operation(Session& session,
                                                                      const OperationId& id);
[[nodiscard]] Result<std::optional<ReversibleOperation>> find_reversible(Session& session,
                                                                         const OperationId& id);
[[nodiscard]] Result<std::optional<HoldRecord>> find_hold_record(Session& session,
                                                                 const OperationId& id);
[[nodiscard]] Result<std::optional<Hold>> find_hold(Session& session, const OperationId& id);

[[nodiscard]] Result<std::vector<HoldRecord>> read_hold_records(const Answer& answer);

/// A currency that the user registered.
[[nodiscard]] Result<std::optional<Currency>> find_registered_currency(Session& session,
                                                                       const CurrencyCode& code);

}  // namespace mizan::postgres
