#pragma once

#include "mizan/result.hpp"

#include <string>
#include <vector>

namespace mizan::sqlite {

class Connection;

/// Where a file's schema is not what the migrations make.
struct SchemaDifference {
  std::string detail;     ///< Which object, what is wrong with it and what to do.
  bool is_vital = false;  ///< A table or an index that the program works with.
};

/// Compares a file of the newest schema version with an empty one that the migrations have just
/// made in memory. Tables and views of the user's own are no difference; what hangs on a table of
/// ours is one.
[[nodiscard]] Result<std::vector<SchemaDifference>> compare_schema(Connection& connection);

/// Refuses a file that lacks a table or an index, or has it otherwise than the migrations make it.
[[nodiscard]] Status require_objects(Connection& connection);

}  // namespace mizan::sqlite
