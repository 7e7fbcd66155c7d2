#include "store/postgres/fences.hpp"

#include "store/postgres/postgres_sql.hpp"

namespace mizan::postgres {

Result<std::optional<FenceMark>> find_fence(Session& session, const Resource& resource) {
  Parameters parameters;
  parameters.text(resource.view());
  auto answer = session.ask(postgres_sql::find_fence, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<FenceMark>();
  const Row row(*answer, 0);
  return std::optional(FenceMark{FenceToken{row.integer(0)}, LockOwner(row.text(1))});
}

Result<FenceAdvance> advance_fence(Session& session, const Fence& fence) {
  Parameters parameters;
  parameters.text(fence.resource.view()).integer(fence.token.value()).text(fence.owner.view());
  auto answer = session.ask(postgres_sql::advance_fence, parameters);
  if (!answer) return answer.error();
  if (answer->affected() == 1) return FenceAdvance(FenceAccepted{});
  auto mark = find_fence(session, fence.resource);
  if (!mark) return mark.error();
  return FenceAdvance(FenceStale{*mark ? (*mark)->token : FenceToken{}});
}

}  // namespace mizan::postgres
