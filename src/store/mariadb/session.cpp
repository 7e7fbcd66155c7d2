#include "store/mariadb/session.hpp"

#include "store/mariadb/mariadb_sql.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mizan::mariadb {
namespace {

using std::chrono::milliseconds;

/// A transaction without a deadline is bounded all the same.
constexpr milliseconds longest{600'000};

constexpr std::chrono::seconds rollback_wait{5};

/// After the deadline: less than what a connection waits longer than it is told.
constexpr milliseconds late_by_max{250};

/// Of one statement of a reader; a server that says nothing for that long has fallen silent.
constexpr std::chrono::seconds read_longest{60};

milliseconds time_left(const Clock& clock, Deadline deadline) {
  const Instant now = clock.now();
  if (deadline <= now) return milliseconds(0);
  if (deadline - now > longest) return longest;
  return std::chrono::ceil<milliseconds>(deadline - now);
}

Error rolled_back(std::string_view where) {
  return internal_error("mariadb: " + std::string(where), "the transaction was rolled back before");
}

}  // namespace

Session::~Session() {
  if (state_ == State::open) roll_back();
}

void Session::roll_back() {
  state_ = State::ended;
  if (connection().is_lost()) return;
  // Where this fails, the connection is closed, and the server rolls back.
  static_cast<void>(connection().tell(mariadb_sql::rollback, {}, end_of_rollback()));
}

Deadline Session::end_of_rollback() const {
  const Instant now = clock_->now();
  const auto end = std::min<Deadline>(deadline_, now + rollback_wait);
  return std::max<Deadline>(end, now - late_by_max);
}

Result<std::string_view> Session::beginning() {
  if (state_ == State::open) return std::string_view();
  if (state_ == State::ended) return rolled_back("statement");
  const milliseconds left = time_left(*clock_, deadline_);
  if (left.count() == 0) {
    return unavailable("mariadb: begin", "no time was left before the deadline");
  }
  if (Status bounded = connection().bound_statements(left, deadline_); !bounded) {
    return bounded.error();
  }
  state_ = State::open;
  if (kind_ == Kind::observe) return std::string_view();
  if (kind_ == Kind::read) return mariadb_sql::begin_read;
  return connection().peer().is_node ? mariadb_sql::begin_node : mariadb_sql::begin_write;
}

Status Session::begin() {
  const auto statement = beginning();
  if (!statement) return statement.error();
  if (statement->empty()) return {};
  Status begun = connection().begin(*statement, patience());
  if (!begun) roll_back();
  return begun;
}

/// A snapshot has no deadline, but each of its statements ends some time.
Deadline Session::patience() const {
  if (kind_ == Kind::write) return deadline_;
  return std::min<Deadline>(deadline_, clock_->now() + read_longest);
}

Status Session::check_open() {
  if (kind_ == Kind::observe || connection().in_transaction()) return {};
  state_ = State::ended;
  return Error{Code::contended,
               Certainty::not_applied,
               Retry::now,
               "mariadb: statement",
               "the server ended the transaction by itself"};
}

Answers Session::ask_all(std::span<const Question> questions) {
  const auto begin = beginning();
  if (!begin) return {{}, begin.error(), {}};
  Answers answers = connection().ask_all(*begin, questions, patience());
  if (answers.error) {
    Error explained = explain(*answers.error);
    const bool is_overtaken = explained.code != answers.error->code;
    if (is_overtaken) answers = {{}, std::move(explained), {}};
    roll_back();
  } else if (Status open = check_open(); !open) {
    answers.error = open.error();
  }
  return answers;
}

Result<Answer> Session::ask(std::string_view statement, const Parameters& parameters) {
  const Question question{statement, parameters};
  Answers answers = ask_all(std::span(&question, 1));
  if (answers.error) return *std::move(answers.error);
  return std::move(answers.all.front());
}

Result<std::int64_t> Session::ask_for_rows(std::string_view statement, const Parameters& rows) {
  if (Status begun = begin(); !begun) return begun.error();
  auto answer = connection().ask_for_rows(statement, rows, deadline_);
  if (!answer) {
    Error error = explain(answer.error());
    roll_back();
    return error;
  }
  if (Status open = check_open(); !open) return open.error();
  return answer->affected();
}

Result<bool> Session::insert(std::string_view statement, const Parameters& parameters) {
  const auto begin = beginning();
  if (!begin) return begin.error();
  const Question question{statement, parameters};
  const Answers answers = connection().ask_all(*begin, std::span(&question, 1), patience());
  const bool is_there = answers.error && is_duplicate(connection().failure());
  if (answers.error && !is_there) {
    Error error = explain(*answers.error);
    roll_back();
    return error;
  }
  if (Status open = check_open(); !open) return open.error();
  return !is_there;
}

Status Session::tell(std::string_view statement, std::span<const std::int64_t> numbers) {
  if (Status begun = begin(); !begun) return begun;
  Status told = connection().tell(statement, numbers, deadline_);
  if (told) return check_open();
  roll_back();
  return told;
}

Result<Answer> Session::ask_user(const std::string& text, const Parameters& parameters) {
  if (Status begun = begin(); !begun) return begun.error();
  auto answer = connection().ask_user(text, parameters, deadline_);
  if (!answer) {
    Error error = explain(map_user_error(connection().failure()));
    roll_back();
    return error;
  }
  if (connection().in_transaction()) return answer;
  state_ = State::ended;
  return invalid_request("mariadb: guarded statement",
                         "the statement ended the guard's transaction");
}

Status Session::commit() {
  if (state_ == State::idle) {
    state_ = State::ended;
    return {};
  }
  if (state_ == State::ended) return rolled_back("commit");
  if (time_left(*clock_, deadline_).count() == 0) {
    return unavailable("mariadb: commit", "no time was left before the deadline");
  }
  Status committed = connection().commit(deadline_);
  // A refused COMMIT may have left the transaction open.
  if (!committed) roll_back();
  state_ = State::ended;
  return committed;
}

Error Session::explain(Error impossible) {
  Connection& server = connection();
  const bool may_be_overtaken = state_ == State::open && kind_ == Kind::write &&
                                server.peer().is_node && !server.is_lost() &&
                                impossible.retry != Retry::now;
  if (!may_be_overtaken) return impossible;
  if (server.tell(mariadb_sql::check_node, {}, patience())) return impossible;
  const Error said = map_commit_error(server.failure());
  return said.code == Code::contended ? said : impossible;
}

Result<Answer> Session::ask_afterwards(std::string_view statement, const Parameters& parameters) {
  if (state_ == State::open) roll_back();
  auto answer = connection().ask(statement, parameters, patience());
  if (!connection().is_lost()) roll_back();
  return answer;
}

}  // namespace mizan::mariadb
