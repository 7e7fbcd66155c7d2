#pragma once

#include "mizan/code.hpp"
#include "mizan/event_log.hpp"
#include "mizan/ids.hpp"
#include "mizan/ledger.hpp"
#include "mizan/money.hpp"
#include "mizan/outcome.hpp"
#include "mizan/store.hpp"
#include "mizan/wallet.hpp"

#include "json/value.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace mizan::json {

// The shapes that HTTP and the command line share: amounts are strings of minor units,
// counters numbers, times RFC 3339 in UTC with microseconds. `.text()` gives one line.

[[nodiscard]] Object to_object(const Wallet& wallet);

/// The same members as of any wallet; those that a derived wallet does not have are null.
[[nodiscard]] Object to_object(const WorldWallet& wallet);

/// `outcome` is `applied`, or `already_applied` for a replay of the same receipt.
[[nodiscard]] Object to_object(const Receipt& receipt, Code outcome);

/// Appends the text of that object without building it: the one answer that is written often.
void append_receipt(std::string& out, const Receipt& receipt, Code outcome);

/// An event: `operation.applied` with the operation as its data. `cursor` is where to go on after
/// it.
[[nodiscard]] Object to_object(const Event& event);

/// What tells an event from all others: the same for the same operation, also after a restore.
[[nodiscard]] std::string event_id(const Event& event);

/// The type of an event, as those who choose among types write it.
[[nodiscard]] std::string_view event_type(const Event& event) noexcept;

[[nodiscard]] Object to_object(const Entry& entry);
[[nodiscard]] Object to_object(const Hold& hold);
[[nodiscard]] Object to_object(const Currency& currency);
[[nodiscard]] Object to_object(const Finding& finding);
[[nodiscard]] Object to_object(const Violation& violation);
[[nodiscard]] Object to_object(const VerifyReport& report);
[[nodiscard]] Object to_object(const BalanceAt& balance);

/// A lease that was granted to `fence.owner`.
[[nodiscard]] Object lease_object(const Fence& fence, std::chrono::milliseconds expires_in);

/// A page of a listing; `next_cursor` is null at the end.
[[nodiscard]] Object list_object(const Array& items, const std::optional<std::string>& next_cursor);

/// "ok", "warning" or "problem".
[[nodiscard]] std::string_view to_string(Finding::Level level) noexcept;

}  // namespace mizan::json
