#include "store/mariadb/guard_table.hpp"

#include "store/mariadb/fences.hpp"
#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/session.hpp"
#include "store/mariadb/sql_session.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::mariadb {
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
    return internal_error("mariadb: find_admission", "a stored fingerprint is damaged");
  }
  std::copy(fingerprint.begin(), fingerprint.end(), record.fingerprint.begin());
  record.result = std::string(row.text(1));
  return std::optional(std::move(record));
}

class MariadbGuardTransaction final : public GuardTransaction {
 public:
  explicit MariadbGuardTransaction(Session session)
      : session_(std::move(session)), user_(session_) {}

  Result<Admission> admit(const OperationId& id,
                          const Fingerprint& fingerprint,
                          std::span<const Fence> fences) override {
    Parameters parameters = text(id.view());
    parameters.bytes(fingerprint).time(session_.clock().wall_now());
    auto inserted = session_.insert(mariadb_sql::insert_admission, parameters);
    if (!inserted) return inserted.error();
    if (!*inserted) return find_admitted(id);
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
    Parameters parameters;
    parameters.bytes(std::as_bytes(std::span(result))).text(id.view());
    auto answer = session_.ask(mariadb_sql::store_result, parameters);
    if (!answer) return answer.error();
    if (answer->affected() == 1) return {};
    return internal_error("mariadb: store_result", "the operation was not admitted");
  }

  Status commit() override { return session_.commit(); }

 private:
  Result<Admission> find_admitted(const OperationId& id) {
    auto answer = session_.ask(mariadb_sql::find_admission, text(id.view()));
    if (!answer) return answer.error();
    auto record = read_record(*answer);
    if (!record) return record.error();
    if (!*record) return internal_error("mariadb: admit", "a known operation is not there");
    return Admission(std::move(**record));
  }

  Session session_;
  UserSession user_;
};

}  // namespace

Result<std::optional<GuardRecord>> MariadbGuardTable::find(const OperationId& id) {
  const Deadline deadline = clock_.now() + find_wait;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  auto answer = session.ask(mariadb_sql::find_admission, text(id.view()));
  if (!answer) return answer.error();
  return read_record(*answer);
}

Result<std::unique_ptr<GuardTransaction>> MariadbGuardTable::begin(Deadline deadline) {
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  return std::unique_ptr<GuardTransaction>(std::make_unique<MariadbGuardTransaction>(
      Session(std::move(*lent), clock_, deadline, Session::Kind::write)));
}

}  // namespace mizan::mariadb
