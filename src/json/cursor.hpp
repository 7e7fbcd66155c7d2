#pragma once

#include "mizan/event_log.hpp"
#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// Where a page of a list ended, as a text that says nothing to those who carry it. A cursor is good
// for the list that gave it, for ever: wallets and entries are never removed. Malformed ones, and
// those of another list, are an `invalid_request` for the field /cursor.

namespace mizan::json {

/// The wallets after this one.
[[nodiscard]] std::string wallets_cursor(const WalletId& after);
[[nodiscard]] Result<WalletId> parse_wallets_cursor(std::string_view text);

/// The entries of `wallet` before this version.
[[nodiscard]] std::string entries_cursor(const WalletId& wallet, std::uint64_t before_version);
[[nodiscard]] Result<std::uint64_t> parse_entries_cursor(std::string_view text,
                                                         const WalletId& wallet);

/// The events after this place. `after` as the field that is at fault where it is malformed.
[[nodiscard]] std::string events_cursor(EventPlace after);
[[nodiscard]] Result<EventPlace> parse_events_cursor(std::string_view text);

}  // namespace mizan::json
