#include "store/memory/event_log.hpp"

#include "store/memory/view.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace mizan::memory {
namespace {

constexpr std::size_t limit_max = 1'000;

}  // namespace

std::size_t MemoryEventLog::count_committed() const {
  const auto& order = tables_.operation_order;
  std::size_t count = order.size();
  // What the one transaction under way has recorded stands at the end.
  while (count > 0 && tables_.operations.at(order[count - 1]).since > tables_.committed) --count;
  return count;
}

Result<EventPage> MemoryEventLog::read(EventPlace after, std::size_t limit) {
  if (limit < 1 || limit > limit_max) {
    return invalid_request("memory: events", "the limit must be from 1 to 1000");
  }
  const std::shared_lock lock(tables_.mutex);
  const View view(tables_, tables_.committed);
  EventPage page;
  page.next = after;
  const std::size_t end = count_committed();
  const auto begin = static_cast<std::size_t>(std::max<std::int64_t>(after.value(), 0));
  for (std::size_t i = begin; i < end; ++i) {
    if (page.items.size() == limit) {
      page.has_more = true;
      break;
    }
    page.next = EventPlace{static_cast<std::int64_t>(i) + 1};
    auto recorded = view.find_operation(tables_.operation_order[i]);
    if (!recorded || recorded->refusal) continue;
    recorded->receipt.reversed_by = nullptr;
    page.items.push_back({page.next, std::move(recorded->receipt)});
  }
  return page;
}

Result<EventPlace> MemoryEventLog::newest() {
  const std::shared_lock lock(tables_.mutex);
  return EventPlace{static_cast<std::int64_t>(count_committed())};
}

}  // namespace mizan::memory
