#pragma once

#include "mizan/result.hpp"

#include <string>
#include <string_view>

namespace mizan::postgres {

/// What the server, or the library that speaks to it, says of a failure.
struct Failure {
  std::string state;       ///< SQLSTATE; empty: the link was lost.
  std::string message;     ///< As it was said; not escaped.
  std::string constraint;  ///< Of a violation.
  bool is_fatal = false;   ///< The session is over.
};

/// Of a connection that was not made, from what the library says in its verbose form: the server's
/// SQLSTATE where it gave one, else `08001`.
[[nodiscard]] Failure login_failure(std::string_view message, bool lacks_password);

/// The one action for a native code, outside COMMIT. Nothing was applied.
[[nodiscard]] Error map_error(const Failure& failure, std::string_view where);

/// The same for a COMMIT that was sent: what the server refused was not applied; a lost link or the
/// end of the session leaves its fate unknown.
[[nodiscard]] Error map_commit_error(const Failure& failure);

/// The same for a statement of the user's: what its author got wrong is an `invalid_request`.
[[nodiscard]] Error map_user_error(const Failure& failure);

[[nodiscard]] bool is_duplicate(const Failure& failure) noexcept;

/// One of our statements did not write as many rows as it had to: it divides by zero then, so that
/// what follows it in the same round trip is not run.
[[nodiscard]] bool is_short_of_rows(const Failure& failure) noexcept;

}  // namespace mizan::postgres
