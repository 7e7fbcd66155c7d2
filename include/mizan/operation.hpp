#pragma once

#include "mizan/ids.hpp"
#include "mizan/metadata.hpp"
#include "mizan/money.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan {

/// Persisted; never renumber.
enum class OperationType : std::uint8_t {
  transfer = 1,
  deposit = 2,
  withdraw = 3,
  hold = 4,
  capture = 5,
  void_hold = 6,
  reverse = 7,
};

/// "transfer", "deposit", "withdraw", "hold", "capture", "void", "reverse".
[[nodiscard]] std::string_view to_string(OperationType type) noexcept;
[[nodiscard]] std::optional<OperationType> parse_operation_type(std::string_view text) noexcept;

inline constexpr std::size_t legs_max = 100;
inline constexpr std::size_t conditions_max = 100;
inline constexpr std::size_t fences_max = 16;

/// An amount from one wallet to another. Legs of an operation apply in order, all or none: each
/// is checked against what the legs before it left. `currency`, where given, is what the caller
/// believes both wallets hold; another one is a `currency_mismatch`.
struct Leg {
  WalletId from;
  WalletId to;
  MinorUnits amount;
  CurrencyCode currency;  ///< Empty: not stated.
};

struct Transfer {
  std::vector<Leg> legs;  ///< 1–100.
};

/// From `@world/<CURRENCY>` to `wallet`.
struct Deposit {
  WalletId wallet;
  MinorUnits amount;
  CurrencyCode currency;  ///< Empty: not stated.
};

/// From `wallet` to `@world/<CURRENCY>`.
struct Withdraw {
  WalletId wallet;
  MinorUnits amount;
  CurrencyCode currency;  ///< Empty: not stated.
};

/// Reserves money: lowers available, not balance. The hold's id is the operation's id.
struct CreateHold {
  WalletId wallet;
  MinorUnits amount;
  WalletId to;                                          ///< Empty: `@world`.
  std::optional<std::chrono::microseconds> expires_in;  ///< From the moment it is applied; > 0.
  CurrencyCode currency;                                ///< Empty: not stated.
};

/// Moves held money to the hold's `to`; nothing as amount means all that remains.
struct CaptureHold {
  OperationId hold;
  std::optional<MinorUnits> amount;
};

/// Gives what remains of a hold back to `available`.
struct VoidHold {
  OperationId hold;
};

/// Posts the legs of an applied transfer, deposit, withdrawal or capture backwards: from and to
/// exchanged, last leg first, under the same rules; at most once.
struct Reverse {
  OperationId operation;
};

using OperationBody =
    std::variant<Transfer, Deposit, Withdraw, CreateHold, CaptureHold, VoidHold, Reverse>;

/// Must hold when the decision is taken; otherwise `condition_failed`. Every part is optional.
struct Condition {
  WalletId wallet;
  std::optional<std::uint64_t> version;
  std::optional<MinorUnits> min_balance;
  std::optional<MinorUnits> max_balance;
  std::optional<MinorUnits> min_available;
};

/// A fencing token for the resource whose lock gave it. An equal token passes only for the same
/// owner, and only where the owner is stated.
struct Fence {
  Resource resource;
  FenceToken token;
  LockOwner owner;
};

/// One request to move money.
struct Operation {
  OperationId id;
  OperationBody body;
  Metadata metadata;
  std::vector<Condition> conditions;
  std::vector<Fence> fences;
};

[[nodiscard]] OperationType type_of(const OperationBody& body) noexcept;

/// What tells two requests with one operation id apart: the first 16 bytes of a BLAKE2b-256 over
/// every field except fences and conditions.
using Fingerprint = std::array<std::byte, 16>;

/// Form, not money: counts within limits, ids present, no `@` wallet named. `invalid_request`
/// names the field. The rules that depend on wallets are `domain::decide`'s.
[[nodiscard]] Status check_form(const Operation& operation);

}  // namespace mizan
