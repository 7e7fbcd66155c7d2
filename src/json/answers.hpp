#pragma once

#include "mizan/code.hpp"
#include "mizan/event_log.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/outcome.hpp"
#include "mizan/store.hpp"
#include "mizan/wallet.hpp"

#include "json/document.hpp"
#include "json/problem.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace mizan::json {

// The reverse of shapes.hpp, for a client: what a server answered. Members that are missing or of
// the wrong form are problems, each named; members that this version does not know are passed over,
// so that a newer server can be asked.

[[nodiscard]] Parsed<Wallet> read_wallet(const Node& node);
[[nodiscard]] Parsed<WorldWallet> read_world_wallet(const Node& node);
[[nodiscard]] Parsed<Entry> read_entry(const Node& node);
[[nodiscard]] Parsed<BalanceAt> read_balance_at(const Node& node);
[[nodiscard]] Parsed<Currency> read_currency(const Node& node);

/// The shape does not tell the currency, except in the name of a `@world` wallet; else it is empty.
[[nodiscard]] Parsed<Hold> read_hold(const Node& node);

struct ReceiptAnswer {
  Receipt receipt;
  bool replayed = false;  ///< `outcome` was "already_applied".
};

[[nodiscard]] Parsed<ReceiptAnswer> read_receipt(const Node& node);

/// Of a type that this version knows. A hold in it comes without its currency, as above.
[[nodiscard]] Parsed<Event> read_event(const Node& node);

struct LeaseAnswer {
  LeaseGranted lease;
  LockOwner owner;
};

[[nodiscard]] Parsed<LeaseAnswer> read_lease(const Node& node);

/// A page of a listing: the items refer to the node.
struct ListAnswer {
  const std::vector<Node>* items = nullptr;  ///< Never null.
  std::optional<std::string> next_cursor;
};

[[nodiscard]] Parsed<ListAnswer> read_list(const Node& node);

/// What a problem says; what it does not say is absent or empty.
struct ProblemAnswer {
  std::string code_text;
  std::optional<Code> code;     ///< Absent where this version does not know it.
  bool may_be_applied = false;  ///< `applied` is not "no".
  std::optional<OperationId> operation;
  std::optional<std::chrono::milliseconds> expires_in;  ///< Of the lease of another one.
  Refusal refusal;  ///< Code, detail, the first pointer and the facts of the code.
};

[[nodiscard]] Parsed<ProblemAnswer> read_problem(const Node& node);

}  // namespace mizan::json
