#pragma once

#include "mizan/clock.hpp"
#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include "cli/context.hpp"
#include "http_client/client.hpp"
#include "json/answers.hpp"
#include "json/document.hpp"
#include "remote/remote.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mizan::remote {

/// What an attempt whose answer is lost may have done.
enum class Effect : std::uint8_t { none, writes };

/// When a question is asked again.
enum class Again : std::uint8_t {
  passing,  ///< Where there was no answer, or one that passes.
  lost,     ///< Where an answer may have been lost. A lock that somebody else holds is an answer.
};

/// One question, which may be asked again: it reads, or the server knows it again by its id.
struct Call {
  std::string method = "GET";
  std::string path = {};  ///< With its query; percent-encoded.
  std::string body = {};  ///< JSON; empty for none.
  std::optional<OperationId> id = {};
  Deadline deadline = {};
  Effect effect = Effect::none;
  Again again = Again::passing;
};

/// A whole answer of Mizan's.
struct Reply {
  int status = 0;
  json::Node document = {};
  std::optional<json::ProblemAnswer> problem = {};  ///< Absent: it was done.
  bool replayed = false;

  /// An attempt before this one may have reached the server, and its answer was lost. It may still
  /// be on its way: only what no later event can change is known by this answer.
  bool was_lost = false;
};

/// A running server. Any thread may ask.
class Server {
 public:
  Server(cli::RemotePlace place,
         std::unique_ptr<http_client::Client> client,
         const Surroundings& around);

  /// Asks until there is an answer that will not pass by itself, or the deadline, with jitter in
  /// between and never sooner than the server wants.
  ///
  /// Returns:  what was done, or a problem that repeating does not mend (with Again::lost: any that
  ///           was the first answer).
  /// Errors:   the last one that would have passed (`unavailable`, `lock_busy`, `in_progress`, …);
  ///           `unknown` where an attempt of a writing call may have been acted on.
  [[nodiscard]] Result<Reply> ask(const Call& call);

  /// Asks once; every answer of Mizan's is one, whether it would pass or not.
  [[nodiscard]] Result<Reply> ask_once(const Call& call);

  [[nodiscard]] Deadline deadline() const { return around_.clock.now() + place_.deadline; }

  [[nodiscard]] const Clock& clock() const noexcept { return around_.clock; }

  [[nodiscard]] std::optional<Strategy> strategy() const noexcept { return place_.strategy; }

  /// `https://shop.example:8443`, for people.
  [[nodiscard]] const std::string& name() const noexcept { return place_.url; }

 private:
  class Asking;

  [[nodiscard]] http_client::Request request_of(const Call& call) const;
  [[nodiscard]] Result<Reply> read_answer(const http_client::Answer& answer) const;

  cli::RemotePlace place_;
  std::unique_ptr<http_client::Client> client_;
  Surroundings around_;
};

/// The error that a problem is for callers; its place is the field that the problem names.
[[nodiscard]] Error error_of(const json::ProblemAnswer& problem);

/// An answer that no Mizan gives: `unknown` for a call that writes, `unavailable` for another.
[[nodiscard]] Error not_mizan(const Server& server, std::string detail, Effect effect);

/// The value, or that the answer is none of Mizan's.
template <class T>
[[nodiscard]] Result<T> accept(const Server& server, json::Parsed<T> parsed, Effect effect) {
  if (parsed) return std::move(parsed).value();
  return not_mizan(server, json::to_error(parsed.error()).detail, effect);
}

}  // namespace mizan::remote
