#pragma once

#include "mizan/clock.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include "http/memory_budget.hpp"
#include "http/message.hpp"
#include "json/problem.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::http {

class Exchange;
struct Route;

/// Whoever waits for the answers: the connection.
class ExchangeOwner {
 public:
  ExchangeOwner() = default;
  ExchangeOwner(const ExchangeOwner&) = delete;
  ExchangeOwner& operator=(const ExchangeOwner&) = delete;
  virtual ~ExchangeOwner();

  /// The exchange has its answer. Any thread; `self` is this object, and whoever calls keeps no
  /// other hold of it.
  virtual void finished(std::shared_ptr<ExchangeOwner> self,
                        std::shared_ptr<Exchange> exchange) noexcept = 0;
};

/// What the target of a request means.
struct RouteMatch {
  const Route* route = nullptr;  ///< Null: nothing is there, or not for this method.
  std::string allow;             ///< The methods of the path, where only the method is wrong.
  std::array<std::string, 2> parameters;  ///< The path's, percent-decoded.
  bool bad_encoding = false;              ///< A percent escape that is none.
};

/// Whether a client may make its request.
struct Access {
  std::string key_id;  ///< Of the key that it came with; empty: none was asked for.
  std::optional<Error> refusal;
  bool is_misdirected = false;  ///< The host that the client means is none of this server's.

  [[nodiscard]] bool is_refused() const noexcept { return refusal || is_misdirected; }
};

/// One request and its one answer. Made by the connection; handlers keep a shared pointer while
/// they work on it.
/// Threads: the request does not change once it is handed to a handler; `answer` may be called by
/// any thread, once.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  explicit Exchange(std::shared_ptr<ExchangeOwner> owner) noexcept;

  Request request;
  RouteMatch match;
  Access access;
  std::string request_id;
  Instant began;  ///< When its first byte was there.

  [[nodiscard]] const std::string& parameter(std::size_t index) const {
    return match.parameters[index];
  }

  void answer(Response response);

  /// The ledger's answer; it becomes a response on the connection's own thread.
  void answer(Result<Outcome> outcome);

  /// Nobody waits for the answer any more: the client has closed its side.
  [[nodiscard]] bool is_abandoned() const noexcept {
    return abandoned_.load(std::memory_order_relaxed);
  }

  void abandon() noexcept { abandoned_.store(true, std::memory_order_relaxed); }

  // Of the connection and its thread.
  void mark_ready() noexcept { is_ready_ = true; }

  [[nodiscard]] bool is_ready() const noexcept { return is_ready_; }

  /// Others of its connection are still at work; set before it is handed to its handler.
  bool has_company = false;

  /// Of a handler that finds, beside others, that it must not run beside them: it returns without
  /// an answer and is asked again when they are done.
  void wait_to_be_alone() noexcept { is_alone_ = true; }

  [[nodiscard]] bool is_to_be_alone() const noexcept { return is_alone_; }

  MemoryShare body_share;
  std::shared_ptr<MemoryBudget> answers;  ///< What the answer counts in; null: it is not counted.

  bool closes = false;  ///< The client wants no other request on this connection.

  /// Moves the answer out; to be asked by the connection's thread once it was told.
  [[nodiscard]] Response take_response();

  /// Stays alive until it is answered, for handlers that have a plain pointer.
  [[nodiscard]] Exchange* keep_alive();

  std::optional<OperationId> operation;  ///< What it is about, for logs; set before the answer.
  json::Spelling spelling;               ///< Of the operation's fields; set before the answer.

  /// What a problem says of it.
  [[nodiscard]] json::ProblemContext problem_context() const;

 private:
  MemoryShare answer_share_;  // As long as the answer is not written out.
  void tell();

  std::shared_ptr<ExchangeOwner> owner_;  // Shared: the connection lives while anybody answers.
  std::shared_ptr<Exchange> self_;        // Shared: itself, while somebody has a plain pointer.
  std::optional<Response> response_;
  std::optional<Result<Outcome>> outcome_;
  std::atomic<bool> abandoned_{false};
  bool is_alone_ = false;
  bool is_ready_ = false;
};

}  // namespace mizan::http
