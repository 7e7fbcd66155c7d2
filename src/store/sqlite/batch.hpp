#pragma once

#include "mizan/operation.hpp"
#include "mizan/result.hpp"

#include "store/sql/history.hpp"
#include "store/sql/packed_id.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mizan::sqlite {

class Connection;

// The rows that a transaction writes, laid out flat. SQLite reads them through eponymous virtual
// tables (batch_journal, batch_balances), so that one INSERT … SELECT writes all of a table: a
// statement per row costs about twice as much (decision 0010).

/// The parts of a journal row that most rows lack.
struct JournalTexts {
  std::string subject;
  std::string refusal;
  std::string metadata;
};

/// A row to be; borrows from the plan it was made of.
struct JournalRow {
  const OperationId* id = nullptr;           ///< Null: a further leg of the row before.
  const Fingerprint* fingerprint = nullptr;  ///< As `id`.
  std::optional<sql::PackedId> packed_id;
  bool has_leg = false;
  std::uint32_t texts = 0;  ///< Index into Batch::texts plus one; 0: none.
  std::int64_t type = 0;
  std::int64_t at = 0;
  std::int64_t from_wallet = 0;
  std::int64_t to_wallet = 0;
  std::int64_t amount = 0;
  std::int64_t from_balance = 0;
  std::int64_t from_version = 0;
  std::int64_t to_balance = 0;
  std::int64_t to_version = 0;
  sql::EncodedLinks links;
};

struct BalanceRow {
  std::int64_t wallet = 0;
  std::int64_t balance = 0;
  std::int64_t held = 0;
  std::optional<std::int64_t> min_balance;
  std::int64_t status = 0;
  std::int64_t version = 0;
  std::int64_t revision_before = 0;
  std::int64_t revision_after = 0;
  std::int64_t balance_before = 0;
  std::int64_t version_before = 0;
  std::int64_t head = 0;
  std::int64_t block = 0;
};

struct Batch {
  std::vector<JournalRow> journal;
  std::vector<BalanceRow> balances;  ///< In order of wallets, each once.
  std::vector<JournalTexts> texts;

  // While the balances are written: how far the check has come, how many rows passed it, and those
  // that did not, by what was wrong with them.
  std::size_t checked = 0;
  std::size_t continued = 0;
  std::vector<WalletNumber> stale;   ///< The revision was another one.
  std::vector<WalletNumber> broken;  ///< The revision was right, balance or version were not.

  void clear();
};

/// Makes the batch readable by SQL on this connection, as `batch_journal` and `batch_balances`,
/// and its check as the function `is_continued`. The batch must outlive the connection, and must
/// not change while a statement reads it.
[[nodiscard]] Status register_batch_tables(Connection& connection, Batch& batch);

}  // namespace mizan::sqlite
