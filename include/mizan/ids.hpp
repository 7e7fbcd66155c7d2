#pragma once

#include "mizan/result.hpp"
#include "mizan/text.hpp"

#include <cstdint>
#include <string_view>

namespace mizan {

/// Names one logical operation: 1–64 visible ASCII characters (0x21–0x7e), compared byte for byte.
using OperationId = ShortText<struct OperationIdTag, 64>;

/// Names a wallet: 1–64 of `A-Za-z0-9._:@/-`. Ids that begin with `@` belong to the ledger.
using WalletId = ShortText<struct WalletIdTag, 64>;

/// Names what a lock protects: 1–128 visible ASCII. What begins with `mizan:` is the ledger's.
using Resource = ShortText<struct ResourceTag, 128>;

/// Who holds a lease: 1–64 visible ASCII characters, random per acquisition. May be empty in a
/// fence that comes from somebody else's lock; then an equal token is refused.
using LockOwner = ShortText<struct LockOwnerTag, 64>;

/// Orders the acquisitions of one lock: newer is greater. Range 0 … 2^63−1. A token means nothing
/// for another resource (Kleppmann, "How to do distributed locking"; Chubby's sequencer).
using FenceToken = StrongNumber<struct FenceTokenTag, std::int64_t>;

/// Where a leg stands in the journal; grows by at least one per leg. 0 means "none".
using Sequence = StrongNumber<struct SequenceTag, std::int64_t>;

/// The store's own short name of a wallet, 1 or more; 0 is the `@world` wallet of the currency
/// of the leg's other side.
using WalletNumber = StrongNumber<struct WalletNumberTag, std::int64_t>;

inline constexpr WalletNumber world_number{0};

/// Each answers `invalid_request` naming the rule that the text breaks.
[[nodiscard]] Result<OperationId> parse_operation_id(std::string_view text);
[[nodiscard]] Result<WalletId> parse_wallet_id(std::string_view text);
[[nodiscard]] Result<Resource> parse_resource(std::string_view text);
[[nodiscard]] Result<LockOwner> parse_lock_owner(std::string_view text);
[[nodiscard]] Result<FenceToken> parse_fence_token(std::string_view text);

/// True for `@world/<CURRENCY>` and everything else that begins with `@`.
[[nodiscard]] bool is_system_wallet(const WalletId& id) noexcept;

}  // namespace mizan
