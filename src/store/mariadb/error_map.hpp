#pragma once

#include "mizan/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace mizan::mariadb {

/// What the server, or the library that speaks to it, says of a failure.
struct Failure {
  std::uint32_t number = 0;
  std::string state;    ///< SQLSTATE.
  std::string message;  ///< As it was said; not escaped.
};

/// The one action for a native code, outside COMMIT. Nothing was applied, provided that the
/// transaction is rolled back: some codes end a statement only.
[[nodiscard]] Error map_error(const Failure& failure, std::string_view where);

/// The same for a COMMIT that was sent: only what the server certainly refused was not applied;
/// everything else leaves its fate unknown.
[[nodiscard]] Error map_commit_error(const Failure& failure);

/// The same for a statement of the user's: what its author got wrong is an `invalid_request`.
[[nodiscard]] Error map_user_error(const Failure& failure);

[[nodiscard]] bool is_duplicate(const Failure& failure) noexcept;

/// A CHECK of a table said no.
[[nodiscard]] bool is_constraint(const Failure& failure) noexcept;

/// The node is not part of its cluster's majority: another one may be.
[[nodiscard]] bool is_away(const Failure& failure) noexcept;

/// A wait took too long: for a lock, or for the other nodes of a cluster.
[[nodiscard]] bool is_wait_over(const Failure& failure) noexcept;

/// The session is over: there is nobody to roll back any more.
[[nodiscard]] bool is_link_lost(const Failure& failure) noexcept;

}  // namespace mizan::mariadb
