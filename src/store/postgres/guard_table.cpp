#include "store/postgres/guard_table.hpp"

#include "store/postgres/fences.hpp"
#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/session.hpp"
#include "store/postgres/sql_session.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::postgres {
namespace {

constexpr std::chrono::seconds find_wait{10};

Parameters text(std::string_view value) {
  Parameters parameters;
  parameters.text(value);
  return parameters;
}

Result<std::optional<GuardRecord>> read_record(const Answer& answer) {
  if (answer.empty()) return std::optional<GuardRecord>();
  const Row row(answer, 0);
  GuardRecord record;
  const auto fingerprint = row.bytes(0);
  if (fingerprint.size() != record.fingerprint.size()) {
    return internal_error("postgres: find_admission", "a stored fingerprint is damaged");
  }
  std::copy(fingerprint.begin(), fingerprint.end(), record.fingerprint.begin());
  record.result = std::string(row.text(1));
  return std::optional(std::move(record));
}

class PostgresGuardTransaction final : public GuardTransaction {
 public:
  explicit PostgresGuardTransaction(Session session)
      : session_(std::move(session)), user_(session_) {}

  Result<Admission> admit(const OperationId& id,
                          const Fingerprint& fingerprint,
                          std::span<const Fence> fences) override {
    Parameters parameters = text(id.view());
    parameters.bytes(fingerprint);
    auto inserted = session_.ask(postgres_sql::insert_admission, parameters);
    if (!inserted) return inserted.error();
    if (inserted->affected() != 1) return find_admitted(id);
    FencesStale stale;
    for (const Fence& fence : fences) {
      auto advanced = advance_fence(session_, fence);
      if (!advanced) return advanced.error();
      if (const auto* newer = std::get_if<FenceStale>(&*advanced)) {
        stale.fences.push_back({fence.resource, newer->newest});
      }
    }
    if (!stale.fences.empty()) return Admission(std::move(stale));
    return Admission(Admitted{});
  }

  SqlSession& sql() override { return user_; }

  Status store_result(const OperationId& id, std::string_view result) override {
    Parameters parameters = text(id.view());
    parameters.bytes(std::as_bytes(std::span(result)));
    session_.send(postgres_sql::store_result, parameters);
    session_.send(postgres_sql::find_touched_tables, text(session_.connection().schema()));
    auto answers = session_.run();
    if (!answers) return answers.error();
    if (answers->front().affected() != 1) {
      return internal_error("postgres: store_result", "the operation was not admitted");
    }
    const Answer& touched = answers->back();
    if (touched.empty()) return {};
    // Names can hide from a look at the text, in functions and views; locks cannot.
    return invalid_request("postgres: guarded statement",
                           "the statements used " + std::string(Row(touched, 0).text(0)) +
                               ", which is the ledger's own");
  }

  Status commit() override { return session_.commit(); }

 private:
  Result<Admission> find_admitted(const OperationId& id) {
    auto answer = session_.ask(postgres_sql::find_admission, text(id.view()));
    if (!answer) return answer.error();
    auto record = read_record(*answer);
    if (!record) return record.error();
    if (!*record) return internal_error("postgres: admit", "a known operation is not there");
    return Admission(std::move(**record));
  }

  Session session_;
  UserSession user_;
};

}  // namespace

Result<std::optional<GuardRecord>> PostgresGuardTable::find(const OperationId& id) {
  const Deadline deadline = clock_.now() + find_wait;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  auto answer = lent->connection().ask(postgres_sql::find_admission, text(id.view()), deadline);
  if (!answer) return answer.error();
  return read_record(*answer);
}

Result<std::unique_ptr<GuardTransaction>> PostgresGuardTable::begin(Deadline deadline) {
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  return std::unique_ptr<GuardTransaction>(std::make_unique<PostgresGuardTransaction>(
      Session(std::move(*lent), clock_, deadline, Session::Kind::write)));
}

}  // namespace mizan::postgres
