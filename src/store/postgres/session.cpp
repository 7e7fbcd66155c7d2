#include "store/postgres/session.hpp"

#include "store/postgres/postgres_sql.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>

namespace mizan::postgres {
namespace {

using std::chrono::milliseconds;

/// A transaction without a deadline is bounded all the same.
constexpr milliseconds longest{600'000};

/// A client that fell silent past its deadline does not come back: the server ends its session.
constexpr milliseconds silence{5'000};

constexpr std::chrono::seconds rollback_wait{5};

/// After the deadline: less than what a connection waits longer than it is told.
constexpr milliseconds late_by_max{250};

milliseconds time_left(const Clock& clock, Deadline deadline) {
  const Instant now = clock.now();
  if (deadline <= now) return milliseconds(0);
  if (deadline - now > longest) return longest;
  return std::chrono::ceil<milliseconds>(deadline - now);
}

}  // namespace

Session::~Session() {
  if (state_ != State::open || connection().is_lost()) return;
  // Where this fails, the connection is closed, and the server rolls back.
  static_cast<void>(connection().ask(postgres_sql::rollback, {}, end_of_rollback()));
}

Deadline Session::end_of_rollback() const {
  const Instant now = clock_->now();
  const auto end = std::min<Deadline>(deadline_, now + rollback_wait);
  return std::max<Deadline>(end, now - late_by_max);
}

void Session::begin() {
  if (state_ != State::idle) return;
  state_ = State::open;
  connection().send(kind_ == Kind::read ? postgres_sql::begin_read : postgres_sql::begin_write);
  const milliseconds left = std::max(time_left(*clock_, deadline_), milliseconds(1));
  Parameters limits;
  limits.text(std::to_string(left.count())).text(std::to_string((left + silence).count()));
  connection().send(
      kind_ == Kind::ledger ? postgres_sql::limit_and_steer : postgres_sql::set_limits, limits);
  preamble_ = 2;
}

void Session::send(std::string_view statement, const Parameters& parameters) {
  begin();
  connection().send(statement, parameters);
}

void Session::send_user(const std::string& text, const Parameters& parameters) {
  begin();
  connection().send_user(text, parameters);
}

Result<std::vector<Answer>> Session::run() {
  auto answers = connection().run(deadline_);
  if (answers) drop_preamble(*answers);
  return answers;
}

void Session::drop_preamble(std::vector<Answer>& answers) {
  const std::size_t ours = std::exchange(preamble_, 0);
  answers.erase(answers.begin(), std::next(answers.begin(), static_cast<long>(ours)));
}

Result<Answer> Session::ask(std::string_view statement, const Parameters& parameters) {
  send(statement, parameters);
  auto answers = run();
  if (!answers) return answers.error();
  return std::move(answers->back());
}

Status Session::commit() {
  if (state_ == State::idle) {
    state_ = State::ended;
    return {};
  }
  auto committed = run_and_commit();
  if (!committed) return committed.error();
  return {};
}

Result<std::vector<Answer>> Session::run_and_commit() {
  if (state_ == State::ended) {
    return internal_error("postgres: commit", "the transaction was rolled back before");
  }
  if (time_left(*clock_, deadline_).count() == 0) {
    return unavailable("postgres: commit", "no time was left before the deadline");
  }
  auto answers = connection().commit(deadline_);
  // After a refusal of COMMIT the server has rolled back; after a lost link there is nothing to
  // say.
  if (!connection().in_transaction()) state_ = State::ended;
  if (answers) drop_preamble(*answers);
  return answers;
}

Result<Answer> Session::roll_back_and_ask(std::string_view statement,
                                          const Parameters& parameters) {
  state_ = State::ended;
  connection().send(postgres_sql::rollback);
  connection().send(statement, parameters);
  auto answers = connection().run(deadline_);
  if (!answers) return answers.error();
  return std::move(answers->back());
}

}  // namespace mizan::postgres
