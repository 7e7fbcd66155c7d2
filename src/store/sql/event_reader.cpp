#include "store/sql/event_reader.hpp"

#include <algorithm>
#include <utility>

namespace mizan::sql {
namespace {

constexpr std::int64_t places_per_position = 1 << 20;
constexpr std::size_t limit_max = 1'000;

/// Rows that are looked at in one statement: further legs among them begin no event.
constexpr std::size_t rows_at_once = 4'000;

std::int64_t position_of(EventPlace place) noexcept {
  return place.value() / places_per_position;
}

/// A row that is to be looked at, and where the reader stands after it.
struct Candidate {
  EventPlace place;
  std::int64_t sequence = 0;
};

class Reader {
 public:
  Reader(EventSource& source, EventPlace after, std::size_t limit)
      : source_(source), limit_(limit) {
    page_.next = after;
  }

  Result<EventPage> run() {
    page_.has_more = true;
    while (page_.has_more && page_.items.size() < limit_) {
      if (Status went = go_on(); !went) return went.error();
    }
    return std::move(page_);
  }

 private:
  Status go_on() {
    const std::size_t wanted = limit_ - page_.items.size();
    auto batches = source_.list_batches(position_of(page_.next), wanted + 1);
    if (!batches) return batches.error();
    const bool is_all_listed = batches->size() <= wanted;
    const bool is_cut = collect(*batches);
    page_.has_more = is_cut || !is_all_listed;
    if (rows_.empty()) {
      if (!batches->empty()) page_.next = end_of_position(batches->back().position);
      return {};
    }
    auto is_all_taken = take(wanted);
    if (!is_all_taken) return is_all_taken.error();
    // Beyond whatever else may have the position, so that nobody looks there again.
    if (*is_all_taken && !is_cut) page_.next = end_of_position(batches->back().position);
    return {};
  }

  /// Fills `rows_`; answers whether there were more than are looked at at once.
  bool collect(std::span<const EventBatch> batches) {
    rows_.clear();
    for (const EventBatch& batch : batches) {
      for (std::int64_t i = 0; i < batch.row_count; ++i) {
        const EventPlace place{batch.position * places_per_position + i};
        if (place <= page_.next) continue;
        if (rows_.size() == rows_at_once) return true;
        rows_.push_back({place, batch.first_sequence + i});
      }
    }
    return false;
  }

  /// Adds what begins in `rows_` to the page; answers whether that was all of it.
  Result<bool> take(std::size_t wanted) {
    std::vector<std::int64_t> sequences;
    sequences.reserve(rows_.size());
    for (const Candidate& row : rows_) sequences.push_back(row.sequence);
    auto starts = source_.find_starts(sequences);
    if (!starts) return starts.error();
    EventPlace next = rows_.back().place;
    const bool is_all = starts->size() <= wanted;
    if (!is_all) {
      starts->resize(wanted);
      next = rows_[starts->back().index].place;
      page_.has_more = true;
    }
    std::vector<const OperationId*> ids;
    for (const EventStart& start : *starts) ids.push_back(&start.operation);
    auto operations = source_.find_operations(ids);
    if (!operations) return operations.error();
    if (operations->size() != ids.size()) {
      return internal_error("events: read", "an operation of the journal is not found by its id");
    }
    for (KnownOperation& known : *operations) {
      known.recorded.receipt.reversed_by = nullptr;
      page_.items.push_back(
          {rows_[(*starts)[known.index].index].place, std::move(known.recorded.receipt)});
    }
    page_.next = next;
    return is_all;
  }

  EventSource& source_;
  std::size_t limit_;
  EventPage page_;
  std::vector<Candidate> rows_;
};

}  // namespace

EventSource::~EventSource() = default;

Result<EventPage> read_events(EventSource& source, EventPlace after, std::size_t limit) {
  return Reader(source, after, limit).run();
}

EventPlace end_of_position(std::int64_t position) noexcept {
  return EventPlace{position * places_per_position + places_per_position - 1};
}

Status check_event_limit(std::size_t limit) {
  if (limit >= 1 && limit <= limit_max) return {};
  return invalid_request("events: read", "the limit must be from 1 to 1000");
}

}  // namespace mizan::sql
