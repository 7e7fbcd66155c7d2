#pragma once

#include "mizan/clock.hpp"
#include "mizan/operation.hpp"
#include "mizan/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan {

/// NULL, an integer, a double, a text. A guard's user may have tables with doubles; Mizan has none.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;
using SqlRow = std::vector<SqlValue>;

/// The user's own statements inside a guarded transaction. One thread at a time; valid only while
/// the work runs. Parameters are bound, never pasted. Transaction control (BEGIN, COMMIT,
/// ROLLBACK, SAVEPOINT, ATTACH, PRAGMA) and the ledger's own tables are refused.
class SqlSession {
 public:
  SqlSession() = default;
  SqlSession(const SqlSession&) = delete;
  SqlSession& operator=(const SqlSession&) = delete;
  virtual ~SqlSession();

  /// Runs one statement; answers the number of rows it changed.
  virtual Result<std::int64_t> execute(std::string_view statement,
                                       std::span<const SqlValue> parameters) = 0;
  virtual Result<std::vector<SqlRow>> query(std::string_view statement,
                                            std::span<const SqlValue> parameters) = 0;
};

/// What is recorded under a guarded operation's id.
struct GuardRecord {
  Fingerprint fingerprint{};
  std::string result;
};

/// A resource for which a newer token than ours was applied.
struct StaleFence {
  Resource resource;
  FenceToken newest;
};

/// Every fence that is stale, in the order asked; at least one.
struct FencesStale {
  std::vector<StaleFence> fences;
};

struct Admitted {};

using Admission = std::variant<Admitted, GuardRecord, FencesStale>;

/// One guarded transaction; destruction without commit rolls back. One thread at a time.
class GuardTransaction {
 public:
  GuardTransaction() = default;
  GuardTransaction(const GuardTransaction&) = delete;
  GuardTransaction& operator=(const GuardTransaction&) = delete;
  virtual ~GuardTransaction();

  /// Records the id and advances the fences, in that order; a known id answers its record.
  virtual Result<Admission> admit(const OperationId& id,
                                  const Fingerprint& fingerprint,
                                  std::span<const Fence> fences) = 0;
  virtual SqlSession& sql() = 0;
  virtual Status store_result(const OperationId& id, std::string_view result) = 0;
  virtual Status commit() = 0;
};

/// The port of the guard. Any thread may call it.
class GuardTable {
 public:
  GuardTable() = default;
  GuardTable(const GuardTable&) = delete;
  GuardTable& operator=(const GuardTable&) = delete;
  virtual ~GuardTable();

  virtual Result<std::optional<GuardRecord>> find(const OperationId& id) = 0;
  virtual Result<std::unique_ptr<GuardTransaction>> begin(Deadline deadline) = 0;
};

}  // namespace mizan
