#pragma once

#include "mizan/result.hpp"

#include <string_view>

namespace mizan::sqlite {

/// What an extended result code of SQLite means for the caller: the only place that knows.
/// `where` names the step; `message` is SQLite's own text about it.
[[nodiscard]] Error map_error(int extended_code, std::string_view where, std::string_view message);

/// Did a COMMIT that failed leave its transaction open, so that it can still be rolled back?
enum class CommitState : bool { open, ended };

/// As `map_error`, for a COMMIT. Where the transaction has ended, its frames may stand in the WAL
/// all the same, and a crash before the next commit would bring them back: the fate is unknown.
[[nodiscard]] Error map_commit_error(int extended_code,
                                     CommitState state,
                                     std::string_view message);

/// As `map_error`, for a statement that the user wrote: what it got wrong is its author's to mend.
[[nodiscard]] Error map_user_error(int extended_code, std::string_view message);

/// True for a violated unique index or primary key.
[[nodiscard]] bool is_duplicate(int extended_code) noexcept;

}  // namespace mizan::sqlite
