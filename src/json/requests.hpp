#pragma once

#include "mizan/ids.hpp"
#include "mizan/ledger.hpp"
#include "mizan/operation.hpp"
#include "mizan/wallet.hpp"

#include "json/problem.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace mizan::json {

// The bodies of requests (docs/guides/http.md). Everything that is not exactly of the form asked
// for is refused with each field named: unknown fields, repeated keys, wrong types, numbers that
// are not exact.
// What is accepted also has a good form by `check_form`.

/// What the request says outside its body.
struct OperationContext {
  OperationType type = OperationType::transfer;

  /// The header Idempotency-Key; the body's `id`, where both are given, must be the same.
  std::optional<OperationId> key;

  /// The hold or operation that the path names; absent: the body's `hold` or `operation` does.
  std::optional<OperationId> subject;
};

struct OperationRequest {
  Operation operation;
  std::optional<Strategy> strategy;  ///< Absent: the server's.
  bool dry_run = false;
  Spelling spelling;
};

/// An operation of `context.type`. An empty body stands for `{}` where no field is required.
[[nodiscard]] Parsed<OperationRequest> parse_operation(std::string_view body,
                                                       const OperationContext& context);

inline constexpr std::size_t batch_max = 10'000;
inline constexpr std::string_view batch_key = "operations";

struct BatchRequest {
  /// In the order of the request; an item that is malformed does not spoil the others.
  std::vector<Parsed<Operation>> operations;
  std::vector<Spelling> spellings;  ///< Of the operations.
  Atomicity atomicity = Atomicity::independent;
  std::optional<Strategy> strategy;  ///< Absent: the server's.
  bool dry_run = false;
};

/// The pointer to an item of a batch.
[[nodiscard]] std::string item_pointer(std::size_t index);

/// The item into which a pointer leads; nothing where it leads into none.
[[nodiscard]] std::optional<std::size_t> item_of(std::string_view pointer);

/// `{operations:[{id,type,…}…], atomic?, dry_run?, strategy?}`, read an item at a time: beside the
/// body and what is answered it takes the memory of one item.
[[nodiscard]] Parsed<BatchRequest> parse_batch(std::string_view body);

struct WalletRequest : NewWallet {
  bool dry_run = false;
};

/// `{id,currency,min_balance?,metadata?,dry_run?}`; a `min_balance` of null means no limit.
[[nodiscard]] Parsed<WalletRequest> parse_new_wallet(std::string_view body);

/// `{status?,min_balance?,metadata?}`, at least one of them.
[[nodiscard]] Parsed<WalletPatch> parse_wallet_patch(std::string_view body);

/// `{code,exponent}`.
[[nodiscard]] Parsed<Currency> parse_new_currency(std::string_view body);

struct LockRequest {
  std::chrono::milliseconds ttl{};
  LockOwner owner;  ///< Stated to repeat an acquisition whose answer was lost; empty: random.
  std::optional<std::chrono::milliseconds> wait;
};

/// `{ttl_ms,wait_ms?,owner?}`.
[[nodiscard]] Parsed<LockRequest> parse_lock_request(std::string_view body);

struct RenewRequest {
  LockOwner owner;
  std::chrono::milliseconds ttl{};
};

/// `{owner,ttl_ms}`.
[[nodiscard]] Parsed<RenewRequest> parse_renew_request(std::string_view body);

/// `{owner}`.
[[nodiscard]] Parsed<LockOwner> parse_release_request(std::string_view body);

}  // namespace mizan::json
