#pragma once

#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::sqlite {

class Connection;
class Statement;

// Rows as values. Snapshots and transactions read through the same functions. A file can hold
// whatever somebody wrote into it, so what the rest of the program takes for granted is checked
// here: a row that breaks it is an `internal` error that names the row.

/// `row` says which it is, such as "journal sequence 7"; `what` says what is wrong with it.
[[nodiscard]] Error damaged_row(std::string_view row, std::string_view what);

[[nodiscard]] std::string journal_row(Sequence sequence);

/// Adds the row's name to what its decoder said.
[[nodiscard]] Error in_row(std::string_view row, const Error& error);

[[nodiscard]] Result<OperationType> read_type(const Statement& row, int column, Sequence sequence);
[[nodiscard]] Result<WalletStatus> read_status(const Statement& row,
                                               int column,
                                               const WalletId& wallet);

[[nodiscard]] std::int64_t to_integer(Timestamp time) noexcept;
[[nodiscard]] Timestamp to_timestamp(std::int64_t microseconds) noexcept;

/// Columns as in load_wallet_by_id.sql.
[[nodiscard]] Result<WalletState> read_wallet_state(const Statement& row);

/// Columns as in find_wallet.sql.
[[nodiscard]] Result<Wallet> read_wallet(const Statement& row);

/// The first eight columns as in find_hold.sql.
[[nodiscard]] Result<HoldRecord> read_hold_record(const Statement& row);

/// `name` says which row it is.
[[nodiscard]] Result<Metadata> read_metadata(const Statement& row,
                                             int column,
                                             std::string_view name);

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
