#include "store/postgres/connection.hpp"

#include "store/postgres/postgres_sql.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace mizan::postgres {
namespace {

/// What is not said of a password: a shorter one is the text of other things too, and the hole in
/// their place would tell it. (Neither the library nor the server quotes one on purpose.)
constexpr std::size_t hidden_size_min = 8;

/// The server bounds every statement by itself; only a link that fell silent reaches this.
constexpr std::chrono::milliseconds silence_max{500};

/// xid8 and pg_current_xact_id came with it.
constexpr std::int64_t version_min = 130'000;

Deadline with_silence(Deadline deadline) {
  return deadline > Deadline::max() - silence_max ? Deadline::max() : deadline + silence_max;
}

std::string name_of(std::string_view statement) {
  for (const auto& [name, text] : postgres_sql::all_statements) {
    if (text == statement) return std::string(name);
  }
  return "statement";
}

/// Our statements name the schema `mizan`, with a dot or at a statement's end; another name is put
/// in its place. It was checked when the options were.
std::string in_schema(std::string_view text, const std::string& schema) {
  constexpr std::string_view own = "mizan";
  std::string out;
  for (;;) {
    const std::size_t at = text.find(own);
    if (at == std::string_view::npos) return out += text;
    const std::size_t end = at + own.size();
    const bool is_schema = end < text.size() && (text[end] == '.' || text[end] == ';');
    out += text.substr(0, at);
    if (is_schema) {
      out += '"' + schema + '"';
    } else {
      out += own;
    }
    text.remove_prefix(end);
  }
}

std::string field(const pg_result* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text == nullptr ? std::string() : std::string(text);
}

void replace_all(std::string& text, std::string_view secret) {
  if (secret.size() < hidden_size_min) return;
  for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos; at += 3) {
    text.replace(at, secret.size(), "***");
  }
}

struct FreeOptions {
  void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
};

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const ConnectionSettings& settings,
                                                     const Clock& clock,
                                                     Deadline deadline) {
  std::unique_ptr<Connection> connection(new Connection(settings, clock));
  if (Status connected = connection->connect(deadline); !connected) return connected.error();
  if (Status greeted = connection->greet(deadline); !greeted) return greeted.error();
  return connection;
}

Connection::~Connection() {
  PQfinish(handle_);
}

Status Connection::connect(Deadline deadline) {
  // Those before the URL are defaults, those after it are not for the URL to change.
  const char* const keys[] = {"target_session_attrs",
                              "tcp_user_timeout",
                              "fallback_application_name",
                              "dbname",
                              "client_encoding",
                              settings_.password.empty() ? nullptr : "password",
                              nullptr};
  const char* const values[] = {"read-write",
                                "10000",
                                "mizan",
                                settings_.url.c_str(),
                                "UTF8",
                                settings_.password.c_str(),
                                nullptr};
  handle_ = PQconnectStartParams(keys, values, 1);
  if (handle_ == nullptr) return unavailable("postgres: connect", "out of memory");
  PQsetNoticeReceiver(handle_, &Connection::on_notice, this);
  // The library keeps no SQLSTATE of a refused login; spoken this way it is part of the message.
  PQsetErrorVerbosity(handle_, PQERRORS_VERBOSE);
  auto status = PQstatus(handle_) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (status != PGRES_POLLING_OK) {
    if (status == PGRES_POLLING_FAILED) {
      return map_error(login_failure(without_secrets(PQerrorMessage(handle_)),
                                     PQconnectionNeedsPassword(handle_) == 1),
                       "connect");
    }
    if (!wait_for_server(status == PGRES_POLLING_WRITING, deadline)) {
      return unavailable("postgres: connect", "the server did not answer in time");
    }
    status = PQconnectPoll(handle_);
  }
  PQsetErrorVerbosity(handle_, PQERRORS_DEFAULT);
  if (PQsetnonblocking(handle_, 1) != 0 || PQenterPipelineMode(handle_) != 1) {
    return internal_error("postgres: connect", "the connection cannot be pipelined");
  }
  return {};
}

Status Connection::greet(Deadline deadline) {
  const bool prepares = std::exchange(settings_.prepares, false);
  auto answer = ask(postgres_sql::read_connection, {}, deadline);
  if (!answer) return answer.error();
  const Row row(*answer, 0);
  peer_.version = row.integer(1);
  peer_.version_text = row.text(2);
  peer_.encoding = row.text(3);
  peer_.is_pooled = row.integer(0) != PQbackendPID(handle_);
  settings_.prepares = prepares && !peer_.is_pooled;
  if (peer_.version >= version_min) return {};
  return invalid_request("postgres: connect",
                         "the server is PostgreSQL " + peer_.version_text + "; 13 is the oldest " +
                             "that has what the ledger needs");
}

Connection::Known& Connection::known(std::string_view statement) {
  const auto [place, added] = known_.try_emplace(statement);
  if (added) place->second = {name_of(statement), in_schema(statement, settings_.schema), false};
  return place->second;
}

bool Connection::dispatch(const Pending& pending,
                          const std::string& text,
                          const Parameters& parameters) {
  const int count = static_cast<int>(parameters.size());
  std::vector<Oid> types;
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    types.push_back(static_cast<Oid>(parameters.types()[i]));
    values.push_back(parameters.value(i));
    lengths.push_back(parameters.length(i));
    formats.push_back(parameters.is_text(i) ? 0 : 1);
  }
  const bool is_ours = pending.known != nullptr;
  if (!is_ours || !settings_.prepares) {
    return PQsendQueryParams(handle_,
                             text.c_str(),
                             count,
                             types.data(),
                             values.data(),
                             lengths.data(),
                             formats.data(),
                             is_ours ? 1 : 0) == 1;
  }
  const char* name = pending.known->name.c_str();
  if (pending.prepares && PQsendPrepare(handle_, name, text.c_str(), count, types.data()) != 1) {
    return false;
  }
  return PQsendQueryPrepared(
             handle_, name, count, values.data(), lengths.data(), formats.data(), 1) == 1;
}

void Connection::send(std::string_view statement, const Parameters& parameters) {
  Known& ours = known(statement);
  Pending pending{&ours, settings_.prepares && !ours.is_prepared};
  ours.is_prepared = settings_.prepares;
  if (!is_lost_ && !dispatch(pending, ours.text, parameters)) lose(PQerrorMessage(handle_));
  queue_.push_back(pending);
}

void Connection::send_user(const std::string& text, const Parameters& parameters) {
  const Pending pending;
  if (!is_lost_ && !dispatch(pending, text, parameters)) lose(PQerrorMessage(handle_));
  queue_.push_back(pending);
}

Result<Answer> Connection::ask(std::string_view statement,
                               const Parameters& parameters,
                               Deadline deadline) {
  send(statement, parameters);
  auto answers = run(deadline);
  if (!answers) return answers.error();
  return std::move(answers->back());
}

Result<std::vector<Answer>> Connection::run(Deadline deadline) {
  has_failed_ = is_lost_;
  forget_told_failure();
  warning_.clear();
  if (!is_lost_ && PQpipelineSync(handle_) != 1) lose(PQerrorMessage(handle_));
  const Deadline end = with_silence(deadline);
  std::vector<Answer> answers;
  for (const Pending& pending : queue_) {
    auto answer = receive(pending, end);
    if (answer) answers.push_back(std::move(*answer));
  }
  answered_ = answers.size();
  queue_.clear();
  if (pg_result* sync = next_result(end); sync != nullptr) PQclear(sync);
  if (has_failed_) return map_error(failure_, where_);
  return answers;
}

std::optional<Answer> Connection::receive(const Pending& pending, Deadline deadline) {
  const int results = pending.prepares ? 2 : 1;
  std::optional<Answer> answer;
  for (int i = 0; i < results; ++i) {
    pg_result* result = next_result(deadline);
    if (result == nullptr) return std::nullopt;
    answer.emplace(result);
    const ExecStatusType status = PQresultStatus(result);
    const bool is_good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!is_good && i + 1 < results) pending.known->is_prepared = false;
    if (!is_good) note_failure(result, pending);
    // The end of this statement's results.
    if (pg_result* further = next_result(deadline); further != nullptr) PQclear(further);
  }
  if (has_failed_) return std::nullopt;
  return answer;
}

void Connection::note_failure(pg_result* result, const Pending& pending) {
  if (has_failed_) return;  // What was not run because of an earlier failure says nothing new.
  has_failed_ = true;
  where_ = pending.known == nullptr ? "guarded statement" : pending.known->name;
  const std::string severity = field(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  failure_ = {field(result, PG_DIAG_SQLSTATE),
              field(result, PG_DIAG_MESSAGE_PRIMARY),
              field(result, PG_DIAG_CONSTRAINT_NAME),
              severity == "FATAL" || severity == "PANIC"};
  if (failure_.state.empty()) {
    lose(PQresultErrorMessage(result));
  } else if (failure_.is_fatal) {
    is_lost_ = true;
  }
}

void Connection::lose(std::string_view message) {
  is_lost_ = true;
  if (has_failed_ && !failure_.state.empty()) return;
  has_failed_ = true;
  if (where_.empty()) where_ = "link";
  failure_ = {{}, without_secrets(message), {}, true};
}

/// Of a link that was lost behind a statement's failure: that one has been told, and says nothing
/// of what is asked next.
void Connection::forget_told_failure() {
  if (!is_lost_ || failure_.is_fatal) return;
  where_ = "link";
  failure_ = {{}, "the connection is lost", {}, true};
}

pg_result* Connection::next_result(Deadline deadline) {
  while (!is_lost_ || PQisBusy(handle_) == 0) {
    const int unsent = is_lost_ ? 0 : PQflush(handle_);
    if (PQisBusy(handle_) == 0) return PQgetResult(handle_);
    if (unsent >= 0 && !wait_for_server(unsent == 1, deadline)) {
      lose("the server said nothing for too long");
    } else if (unsent < 0 || PQconsumeInput(handle_) == 0) {
      lose(PQerrorMessage(handle_));
    }
    if (is_lost_) return nullptr;
  }
  return nullptr;
}

bool Connection::wait_for_server(bool for_writing, Deadline deadline) {
  for (;;) {
    const auto slice = std::chrono::ceil<std::chrono::milliseconds>(clock_.wait_slice(deadline));
    if (slice.count() <= 0) return false;
    pollfd ready{PQsocket(handle_), POLLIN, 0};
    if (for_writing) ready.events = static_cast<short>(ready.events | POLLOUT);
    const int polled = ::poll(&ready, 1, static_cast<int>(slice.count()));
    if (polled > 0) return true;
    if (polled < 0 && errno != EINTR) return false;
  }
}

Result<std::vector<Answer>> Connection::commit(Deadline deadline) {
  forget_told_failure();
  if (is_lost_) return map_error(failure_, "commit");  // It was never sent.
  const std::size_t before = queue_.size();
  send(postgres_sql::commit);
  auto answers = run(deadline);
  if (!answers) {
    // What the server says of a statement before it was said before it: answers come in order.
    const bool was_reached = answered_ == before || failure_.state.empty();
    if (was_reached) return map_commit_error(failure_);
    return answers;
  }
  if (Status committed = check_commit(answers->back()); !committed) return committed.error();
  answers->pop_back();
  return answers;
}

Status Connection::check_commit(const Answer& commit) const {
  if (commit.command() != "COMMIT") {
    return internal_error("postgres: commit", "the server rolled the transaction back");
  }
  // Such as: committed here, but the wait for the standby was given up.
  if (!warning_.empty()) return map_commit_error({{}, warning_, {}, false});
  return {};
}

Status Connection::run_script(std::string_view script, std::string_view name) {
  if (is_lost_ || PQexitPipelineMode(handle_) != 1 || PQsetnonblocking(handle_, 0) != 0) {
    return map_error(failure_, name);
  }
  const Answer answer(PQexec(handle_, in_schema(script, settings_.schema).c_str()));
  const ExecStatusType status = PQresultStatus(answer.handle());
  const bool is_good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
  has_failed_ = false;
  where_ = name;
  if (!is_good) note_failure(answer.handle(), {});
  where_ = name;
  if (!is_lost_ && (PQsetnonblocking(handle_, 1) != 0 || PQenterPipelineMode(handle_) != 1)) {
    lose("the connection cannot be pipelined any more");
  }
  if (has_failed_) return map_error(failure_, where_);
  return {};
}

bool Connection::is_alive() {
  if (is_lost_ || PQstatus(handle_) != CONNECTION_OK) return false;
  pollfd ready{PQsocket(handle_), POLLIN, 0};
  if (::poll(&ready, 1, 0) == 0) return true;
  // An idle connection has nothing to say but good-bye, or a notice.
  return PQconsumeInput(handle_) == 1 && PQstatus(handle_) == CONNECTION_OK &&
         (ready.revents & (POLLHUP | POLLERR)) == 0;
}

bool Connection::in_transaction() const noexcept {
  return PQtransactionStatus(handle_) != PQTRANS_IDLE;
}

std::string Connection::without_secrets(std::string_view text) const {
  std::string out(text);
  replace_all(out, settings_.password);
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(PQconninfo(handle_));
  for (const PQconninfoOption* one = options.get(); one != nullptr && one->keyword != nullptr;
       ++one) {
    const bool is_secret = std::strstr(one->keyword, "password") != nullptr;
    if (is_secret && one->val != nullptr) replace_all(out, one->val);
  }
  return out;
}

void Connection::on_notice(void* self, const pg_result* notice) {
  if (field(notice, PG_DIAG_SEVERITY_NONLOCALIZED) != "WARNING") return;
  static_cast<Connection*>(self)->warning_ = field(notice, PG_DIAG_MESSAGE_PRIMARY);
}

}  // namespace mizan::postgres
