#include "remote/server.hpp"

#include "base/backoff.hpp"
#include "base/passing.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mizan::remote {
namespace {

constexpr const char* where = "server";
constexpr std::chrono::seconds attempt_min{5};
/// Of a call about a lease, which is of no use when half of its time went by.
constexpr std::chrono::milliseconds attempt_min_of_lease{500};

/// How soon the server wants to be asked again; nothing where it does not say.
std::optional<std::chrono::seconds> retry_after(const http_client::Answer& answer) {
  constexpr std::uint64_t day = 86'400;
  const auto seconds = parse_unsigned(answer.header("retry-after"));
  if (!seconds) return std::nullopt;
  return std::chrono::seconds{static_cast<std::int64_t>(std::min(*seconds, day))};
}

/// Is it worth while to ask again? What is applied at most once may be asked for in doubt, too.
bool is_worth_repeating(Code code) noexcept {
  return is_passing(code) || code == Code::unknown;
}

bool has_type(const http_client::Answer& answer, std::string_view type) {
  const std::string_view given = answer.header("content-type");
  return given.substr(0, given.find(';')) == type;
}

/// A code of HTTP alone (`route_not_found`, `body_too_large` …), or one of a newer server.
Code code_of_status(int status) noexcept {
  if (status == 408 || status == 503) return Code::unavailable;
  return status >= 400 && status < 500 ? Code::invalid_request : Code::internal;
}

}  // namespace

Error error_of(const json::ProblemAnswer& problem) {
  const Code code = problem.refusal.code;
  const bool is_unknown = code == Code::unknown || problem.may_be_applied;
  const Retry retry = is_worth_repeating(code) ? Retry::after_backoff : Retry::never;
  return {code,
          is_unknown ? Certainty::unknown : Certainty::not_applied,
          retry,
          problem.refusal.pointer.empty() ? where : problem.refusal.pointer,
          problem.refusal.detail};
}

Error not_mizan(const Server& server, std::string detail, Effect effect) {
  const std::string text = fmt::format("{} answers as no Mizan does: {}", server.name(), detail);
  if (effect == Effect::none) {
    return {Code::unavailable, Certainty::not_applied, Retry::never, where, text};
  }
  return {Code::unknown, Certainty::unknown, Retry::never, where, text};
}

Server::Server(cli::RemotePlace place,
               std::unique_ptr<http_client::Client> client,
               const Surroundings& around)
    : place_(std::move(place)), client_(std::move(client)), around_(around) {}

http_client::Request Server::request_of(const Call& call) const {
  http_client::Request request{.method = call.method,
                               .url = place_.url + call.path,
                               .headers = {{"Accept", "application/json"}},
                               .body = call.body};
  if (!call.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
  if (!place_.key.empty()) request.headers.emplace_back("Authorization", "Bearer " + place_.key);
  if (!place_.request_id.empty()) request.headers.emplace_back("X-Request-Id", place_.request_id);
  if (call.id) request.headers.emplace_back("Idempotency-Key", call.id->str());
  return request;
}

/// An error says that nobody can tell who answered what.
Result<Reply> Server::read_answer(const http_client::Answer& answer) const {
  const bool is_done = answer.status >= 200 && answer.status < 300;
  const char* type = is_done ? "application/json" : "application/problem+json";
  const auto strange = [this, &answer](std::string_view what) {
    // Who redirects, refuses a method or does not know a path has done nothing.
    const bool is_refused = answer.status >= 300 && answer.status < 500;
    Error error = not_mizan(*this,
                            fmt::format("status {}, {}", answer.status, what),
                            is_refused ? Effect::none : Effect::writes);
    // Somebody in between, whose server may come back.
    if (answer.status >= 500) error.retry = Retry::after_backoff;
    return error;
  };
  if (answer.status == 204) return Reply{.status = answer.status};
  if (!has_type(answer, type)) return strange(fmt::format("and its type is not {}", type));
  auto document = json::parse_document(answer.body);
  if (!document) return strange("and it is not whole JSON");
  Reply reply{.status = answer.status};
  reply.replayed = answer.header("idempotent-replayed") == "true";
  if (!is_done) {
    auto problem = json::read_problem(*document);
    if (!problem) return strange(json::to_error(problem.error()).detail);
    if (!problem->code) problem->refusal.code = code_of_status(answer.status);
    const Code code = problem->refusal.code;
    if (code == Code::applied || code == Code::already_applied) return strange("and no problem");
    reply.problem = std::move(*problem);
  }
  reply.document = std::move(*document);
  return reply;
}

/// One call with all its attempts.
class Server::Asking {
 public:
  Asking(Server& server, const Call& call)
      : server_(server),
        call_(call),
        backoff_(server.around_.random,
                 {.first = std::chrono::milliseconds{100}, .longest = std::chrono::seconds{2}}),
        began_(server.clock().now()) {}

  Result<Reply> run() {
    while (true) {
      auto reply = attempt(attempt_deadline());
      if (reply && !passes(*reply)) {
        reply->was_lost = was_lost_;
        return reply;
      }
      last_ = reply ? note(error_of(*reply->problem)) : reply.error();
      if (call_.again == Again::lost && !was_lost_) return reply ? std::move(reply) : final_error();
      const auto next = last_.retry == Retry::never ? std::nullopt : next_attempt();
      if (!next) return final_error();
      server_.clock().sleep_until(*next);
    }
  }

  /// An error is that no answer of Mizan's came.
  Result<Reply> attempt(Deadline deadline) {
    http_client::Request request = server_.request_of(call_);
    request.deadline = deadline;
    wait_ = std::nullopt;
    const auto answer = server_.client_->exchange(request);
    if (!answer) return note(answer.error());
    was_answered_ = true;
    auto reply = server_.read_answer(*answer);
    if (!reply) return note(std::move(reply).error());
    wait_ = retry_after(*answer);
    return reply;
  }

  [[nodiscard]] Error final_error() const {
    Error error = last_;
    if (call_.effect == Effect::none && error.code == Code::unknown) {
      error.code = Code::unavailable;
      error.certainty = Certainty::not_applied;
    }
    if (was_lost_ && error.code != Code::unknown) {
      error = {Code::unknown,
               Certainty::unknown,
               Retry::after_backoff,
               last_.where,
               fmt::format("the answer to an attempt was lost, and to the last one it was: {}",
                           last_.detail)};
    }
    return error;
  }

 private:
  [[nodiscard]] bool passes(const Reply& reply) const {
    if (!reply.problem) return false;
    const Code code = reply.problem->refusal.code;
    if (call_.again == Again::lost && code == Code::lock_busy) return false;
    return is_worth_repeating(code);
  }

  Error note(Error error) {
    if (call_.effect == Effect::writes && error.certainty == Certainty::unknown) was_lost_ = true;
    return error;
  }

  /// A part of the time, so that a connection that leads nowhere does not take all of it.
  [[nodiscard]] Deadline attempt_deadline() const {
    const Instant now = server_.clock().now();
    const auto left = call_.deadline - now;
    const Deadline::duration shortest =
        call_.again == Again::lost ? Deadline::duration(attempt_min_of_lease) : attempt_min;
    if (left <= shortest) return call_.deadline;
    return now + std::max(left / 2, shortest);
  }

  std::optional<Instant> next_attempt() {
    const Instant now = server_.clock().now();
    // Where nobody has ever answered nothing says that somebody will.
    const bool is_alone = !was_answered_ && !was_lost_;
    const Deadline until =
        is_alone ? std::min(call_.deadline, began_ + server_.place_.patience) : call_.deadline;
    if (now >= until) return std::nullopt;
    const auto next = backoff_.next(now, until);
    if (!next || !wait_) return next;
    const Instant wished = *next + *wait_;
    return wished < until ? std::optional(wished) : std::nullopt;
  }

  Server& server_;
  const Call& call_;
  Backoff backoff_;
  const Instant began_;
  Error last_;
  std::optional<std::chrono::seconds> wait_;
  bool was_lost_ = false;
  bool was_answered_ = false;
};

Result<Reply> Server::ask(const Call& call) {
  return Asking(*this, call).run();
}

Result<Reply> Server::ask_once(const Call& call) {
  return Asking(*this, call).attempt(call.deadline);
}

}  // namespace mizan::remote
