// Several statements in one round trip: how a connection sends them one behind the other and then
// reads their answers.

#include "store/mariadb/bindings.hpp"
#include "store/mariadb/connection.hpp"

#include <mysql.h>

#include <utility>

namespace mizan::mariadb {
namespace {

/// What may be on its way while nobody reads answers: two sides that both wait for the other to
/// read would wait for ever. Less than any socket takes in without a reader.
constexpr std::size_t ahead_max = std::size_t{32} << 10U;

std::size_t bytes_ahead(std::span<const Question> questions) {
  std::size_t bytes = 0;
  for (const Question& question : questions.subspan(1)) bytes += question.parameters.bytes();
  return bytes;
}

/// While there is one the library does not wait for answers.
class SendOnly {
 public:
  explicit SendOnly(MYSQL* link) noexcept : link_(link) { set(1); }

  SendOnly(const SendOnly&) = delete;
  SendOnly& operator=(const SendOnly&) = delete;

  ~SendOnly() { set(0); }

 private:
  void set(my_bool on) const noexcept {
    mysql_optionsv(link_, MARIADB_OPT_SKIP_READ_RESPONSE, &on);
  }

  MYSQL* link_;
};

}  // namespace

Answers Connection::ask_all(std::string_view begin,
                            std::span<const Question> questions,
                            Deadline deadline) {
  if (!is_lost_) failure_ = {};
  Answers answers = bytes_ahead(questions) > ahead_max ? ask_one_by_one(begin, questions, deadline)
                                                       : ask_at_once(begin, questions, deadline);
  if (answers.error) answers.failure = failure_;
  return answers;
}

Answers Connection::ask_at_once(std::string_view begin,
                                std::span<const Question> questions,
                                Deadline deadline) {
  for (const Question& question : questions) {
    Known& ours = known(question.statement);
    if (Status prepared = prepare(ours, deadline); !prepared) return {{}, prepared.error(), {}};
    if (mysql_stmt_param_count(ours.prepared) != question.parameters.columns().size()) {
      return {
          {}, internal_error("mariadb: " + ours.name, "it has another number of parameters"), {}};
    }
  }
  if (Status sent = send_all(begin, questions); !sent) return {{}, sent.error(), {}};
  return receive_all(begin, questions, deadline);
}

Answers Connection::ask_one_by_one(std::string_view begin,
                                   std::span<const Question> questions,
                                   Deadline deadline) {
  Answers answers;
  if (!begin.empty()) {
    if (Status begun = this->begin(begin, deadline); !begun) return {{}, begun.error(), {}};
  }
  for (const Question& question : questions) {
    auto answer = question.is_for_rows
                      ? ask_for_rows(question.statement, question.parameters, deadline)
                      : ask(question.statement, question.parameters, deadline);
    if (!answer) {
      answers.error = answer.error();
      return answers;
    }
    answers.all.push_back(std::move(*answer));
  }
  return answers;
}

Status Connection::send_all(std::string_view begin, std::span<const Question> questions) {
  const SendOnly send_only(handle_);
  if (!begin.empty()) {
    const Known& ours = known(begin);
    if (mysql_send_query(handle_, ours.text.data(), ours.text.size()) != 0) {
      return fail_link(ours.name);
    }
  }
  for (const Question& question : questions) {
    if (Status sent = send(known(question.statement), question); !sent) return sent;
  }
  return {};
}

Status Connection::send(const Known& statement, const Question& question) {
  const Parameters& parameters = question.parameters;
  ParameterBindings bindings(parameters, 0, parameters.rows());
  bool good = true;
  if (question.is_for_rows) {
    const auto count = static_cast<unsigned int>(parameters.rows());
    good = mysql_stmt_attr_set(statement.prepared, STMT_ATTR_ARRAY_SIZE, &count) == 0 &&
           mysql_stmt_bind_param(statement.prepared, bindings.of_rows()) == 0;
  } else if (!parameters.columns().empty()) {
    good = mysql_stmt_bind_param(statement.prepared, bindings.of_one()) == 0;
  }
  if (good && mysql_stmt_execute(statement.prepared) == 0) return {};
  return fail_statement(statement.prepared, statement.name);
}

Answers Connection::receive_all(std::string_view begin,
                                std::span<const Question> questions,
                                Deadline deadline) {
  Answers answers;
  if (!begin.empty()) {
    if (Status begun = receive_begin(begin); !begun) answers.error = begun.error();
  }
  // All answers are read, or the next statement would be taken for answered by one of them. The
  // error is the first one, unless the link ends: then nobody can ask any more what it meant.
  for (const Question& question : questions) {
    if (is_lost_) return answers;
    const Failure before = failure_;
    wait_until(deadline);
    auto answer = receive(known(question.statement));
    const bool is_first = !answers.error.has_value();
    if (answer && is_first) answers.all.push_back(std::move(*answer));
    if (!answer && (is_first || is_lost_)) answers.error = answer.error();
    if (!is_first && !is_lost_) failure_ = before;
  }
  return answers;
}

Status Connection::receive_begin(std::string_view begin) {
  if (mysql_read_query_result(handle_) == 0) return {};
  Error error = fail_link(known(begin).name);
  return peer_.is_node && is_wait_over(failure_) ? out_of_step() : error;
}

Result<Answer> Connection::receive(const Known& statement) {
  if (handle_->methods->db_read_execute_response(statement.prepared) != 0) {
    return fail_statement(statement.prepared, statement.name);
  }
  return read_answer(statement.prepared, statement.name);
}

}  // namespace mizan::mariadb
