#include "store/mariadb/fences.hpp"

#include "store/mariadb/mariadb_sql.hpp"

namespace mizan::mariadb {

Result<std::optional<FenceMark>> find_fence(Session& session, const Resource& resource) {
  Parameters parameters;
  parameters.text(resource.view());
  auto answer = session.ask(mariadb_sql::find_fence, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<FenceMark>();
  const Row row(*answer, 0);
  return std::optional(FenceMark{FenceToken{row.integer(0)}, LockOwner(row.text(1))});
}

Result<FenceAdvance> advance_fence(Session& session, const Fence& fence) {
  Parameters advance;
  advance.integer(fence.token.value())
      .text(fence.owner.view())
      .flag(session.connection().peer().is_node)
      .text(fence.resource.view())
      .integer(fence.token.value())
      .integer(fence.token.value())
      .text(fence.owner.view())
      .text(fence.owner.view());
  Parameters first;
  first.text(fence.resource.view()).integer(fence.token.value()).text(fence.owner.view());
  // Where somebody else remembers the resource's first token meanwhile, ours is compared with it.
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto advanced = session.ask(mariadb_sql::advance_fence, advance);
    if (!advanced) return advanced.error();
    if (advanced->affected() == 1) return FenceAdvance(FenceAccepted{});
    auto mark = find_fence(session, fence.resource);
    if (!mark) return mark.error();
    if (*mark) return FenceAdvance(FenceStale{(*mark)->token});
    auto inserted = session.insert(mariadb_sql::insert_fence, first);
    if (!inserted) return inserted.error();
    if (*inserted) return FenceAdvance(FenceAccepted{});
  }
  return internal_error("mariadb: advance_fence", "a token is there and is not");
}

}  // namespace mizan::mariadb
