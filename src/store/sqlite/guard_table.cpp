#include "store/sqlite/guard_table.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/fences.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sql_session.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::sqlite {
namespace {

Result<std::optional<GuardRecord>> find_record(Connection& connection, const OperationId& id) {
  Statement row = connection.statement(sqlite_sql::find_admission);
  row.bind(1, id.view());
  auto found = row.step();
  if (!found) return found.error();
  if (!*found) return std::optional<GuardRecord>();
  GuardRecord record;
  const auto fingerprint = row.bytes(0);
  if (fingerprint.size() != record.fingerprint.size()) {
    return internal_error("sqlite: find_admission", "a stored fingerprint is damaged");
  }
  std::copy(fingerprint.begin(), fingerprint.end(), record.fingerprint.begin());
  record.result = std::string(row.text(1));
  return std::optional(std::move(record));
}

class SqliteGuardTransaction final : public GuardTransaction {
 public:
  explicit SqliteGuardTransaction(WriteScope scope)
      : scope_(std::move(scope)), session_(scope_.connection()) {}

  Result<Admission> admit(const OperationId& id,
                          const Fingerprint& fingerprint,
                          std::span<const Fence> fences) override {
    {
      Statement statement = connection().statement(sqlite_sql::insert_admission);
      statement.bind(1, id.view())
          .bind(2, std::span<const std::byte>(fingerprint))
          .bind(3, to_integer(scope_.clock().wall_now()));
      if (Status ran = statement.run(); !ran) return ran.error();
    }
    if (connection().changes() != 1) return find_admitted(id);
    FencesStale stale;
    for (const Fence& fence : fences) {
      auto advanced = advance_fence(connection(), fence);
      if (!advanced) return advanced.error();
      if (const auto* newer = std::get_if<FenceStale>(&*advanced)) {
        stale.fences.push_back({fence.resource, newer->newest});
      }
    }
    if (!stale.fences.empty()) return Admission(std::move(stale));
    return Admission(Admitted{});
  }

  SqlSession& sql() override { return session_; }

  Status store_result(const OperationId& id, std::string_view result) override {
    if (!connection().in_transaction()) {
      return invalid_request("sqlite: store_result", "a statement rolled the transaction back");
    }
    Statement statement = connection().statement(sqlite_sql::store_result);
    statement.bind(1, id.view()).bind(2, result);
    if (Status ran = statement.run(); !ran) return ran;
    if (connection().changes() == 1) return {};
    return internal_error("sqlite: store_result", "the operation was not admitted");
  }

  Status commit() override { return scope_.commit(); }

 private:
  [[nodiscard]] Connection& connection() const noexcept { return scope_.connection(); }

  Result<Admission> find_admitted(const OperationId& id) {
    auto record = find_record(connection(), id);
    if (!record) return record.error();
    if (!*record) return internal_error("sqlite: admit", "a known operation is not there");
    return Admission(std::move(**record));
  }

  WriteScope scope_;
  UserSession session_;
};

}  // namespace

Result<std::optional<GuardRecord>> SqliteGuardTable::find(const OperationId& id) {
  auto lent = readers_.lend();
  if (!lent) return lent.error();
  return find_record(lent->connection(), id);
}

Result<std::unique_ptr<GuardTransaction>> SqliteGuardTable::begin(Deadline deadline) {
  if (writer_ == nullptr) {
    return invalid_request("sqlite: guard", "the file was opened for reading only");
  }
  auto scope = writer_->begin(deadline);
  if (!scope) return scope.error();
  return std::unique_ptr<GuardTransaction>(
      std::make_unique<SqliteGuardTransaction>(std::move(*scope)));
}

}  // namespace mizan::sqlite
