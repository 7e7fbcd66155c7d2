#include "store/sqlite/fences.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"

namespace mizan::sqlite {

Result<std::optional<FenceMark>> find_fence(Connection& connection, const Resource& resource) {
  Statement row = connection.statement(sqlite_sql::find_fence);
  row.bind(1, resource.view());
  auto found = row.step();
  if (!found) return found.error();
  if (!*found) return std::optional<FenceMark>();
  return std::optional(FenceMark{FenceToken{row.integer(0)}, LockOwner(row.text(1))});
}

Result<FenceAdvance> advance_fence(Connection& connection, const Fence& fence) {
  {
    Statement statement = connection.statement(sqlite_sql::advance_fence);
    statement.bind(1, fence.resource.view())
        .bind(2, fence.token.value())
        .bind(3, fence.owner.view());
    if (Status ran = statement.run(); !ran) return ran.error();
  }
  if (connection.changes() == 1) return FenceAdvance(FenceAccepted{});
  auto mark = find_fence(connection, fence.resource);
  if (!mark) return mark.error();
  return FenceAdvance(FenceStale{*mark ? (*mark)->token : FenceToken{}});
}

}  // namespace mizan::sqlite
