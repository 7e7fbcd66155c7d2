#pragma once

#include "mizan/clock.hpp"
#include "mizan/code.hpp"
#include "mizan/operation.hpp"
#include "mizan/wallet.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mizan {

/// Persisted; never renumber.
enum class HoldStatus : std::uint8_t { open = 0, captured = 1, voided = 2, expired = 3 };

[[nodiscard]] std::string_view to_string(HoldStatus status) noexcept;

/// Reserved money as readers see it. remaining = amount − captured while open, else 0.
struct Hold {
  OperationId id;
  WalletId wallet;
  WalletId to;  ///< `@world/<CURRENCY>` where none was named.
  CurrencyCode currency;
  MinorUnits amount;
  MinorUnits captured;
  HoldStatus status = HoldStatus::open;
  std::optional<Timestamp> expires_at;
  Timestamp created_at;
};

[[nodiscard]] MinorUnits remaining(const Hold& hold) noexcept;

/// What one leg did. Balance and version are after the leg; both absent for `@world` wallets.
struct LegReceipt {
  WalletId from;
  WalletId to;
  MinorUnits amount;
  CurrencyCode currency;
  std::optional<MinorUnits> from_balance;
  std::optional<std::uint64_t> from_version;
  std::optional<MinorUnits> to_balance;
  std::optional<std::uint64_t> to_version;
};

/// The record of an applied operation; the same, to the letter, at every repeat, except that
/// `reversed_by` is as of the reading.
struct Receipt {
  OperationId id;
  OperationType type = OperationType::transfer;
  Timestamp applied_at;
  std::vector<LegReceipt> legs;
  Metadata metadata;
  std::shared_ptr<const Hold> hold;  ///< As a hold, capture or void left it. Shared: immutable.
  std::shared_ptr<const OperationId> reverses;     ///< For reverse. Shared: immutable.
  std::shared_ptr<const OperationId> reversed_by;  ///< Set once somebody reversed it.
};

/// One expectation of a condition that did not hold.
struct ConditionFailure {
  WalletId wallet;
  std::string field;     ///< "version", "min_balance", "max_balance" or "min_available".
  std::string expected;  ///< Decimal digits, minor units for amounts.
  std::string actual;
  std::size_t condition = 0;  ///< Which of the operation's conditions.
};

/// The facts behind a refusal; what does not apply to the code is absent.
struct Refusal {
  Code code = Code::invalid_request;
  std::string detail;  ///< For people.
  /// JSON pointer to the request's field, e.g. "/legs/0/from"; empty where none is to blame. Of an
  /// item that another one of its batch kept from being applied: "/operations/1/legs/0/from".
  std::string pointer;
  std::optional<WalletId> wallet;
  std::optional<MinorUnits> available;
  std::optional<MinorUnits> needed;
  std::optional<FenceToken> newest_token;
  std::vector<ConditionFailure> failures;
};

struct Applied {
  Receipt receipt;
};

/// Same id, same content: the first answer again.
struct AlreadyApplied {
  Receipt receipt;
};

/// Nothing was applied by this request. `replayed`: a stored (final) refusal given again.
struct Refused {
  std::shared_ptr<const Refusal> refusal;  ///< Never null. Shared: immutable, small in a batch.
  bool replayed = false;
};

/// The answer of the money rules to one operation.
using Outcome = std::variant<Applied, AlreadyApplied, Refused>;

[[nodiscard]] Code code_of(const Outcome& outcome) noexcept;

/// The receipt of an applied or already applied operation, else null.
[[nodiscard]] const Receipt* receipt_of(const Outcome& outcome) noexcept;

/// One line of a statement: what a leg did to one wallet.
struct Entry {
  WalletId wallet;
  std::uint64_t version = 0;
  OperationId operation;
  OperationType type = OperationType::transfer;
  MinorUnits change;
  MinorUnits balance;
  WalletId counterparty;
  Timestamp at;
  Metadata metadata;
  Sequence sequence;  ///< Where the leg stands in the journal.
};

}  // namespace mizan
