#include "store/sql/event_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mizan::sql {
namespace {

struct Shape {
  std::int64_t transactions = 0;
  std::int64_t rows = 0;                ///< Of each transaction.
  std::int64_t rows_per_operation = 1;  ///< Of each operation in it.
};

class Journal final : public EventSource {
 public:
  explicit Journal(Shape shape)
      : transactions_(shape.transactions),
        rows_(shape.rows),
        per_operation_(shape.rows_per_operation) {}

  Result<std::vector<EventBatch>> list_batches(std::int64_t position, std::size_t limit) override {
    std::vector<EventBatch> batches;
    for (std::int64_t at = std::max<std::int64_t>(position, 1); at <= transactions_; ++at) {
      if (batches.size() == limit) break;
      batches.push_back({at, (at - 1) * rows_, rows_});
    }
    return batches;
  }

  Result<std::vector<EventStart>> find_starts(std::span<const std::int64_t> sequences) override {
    most_asked_ = std::max(most_asked_, sequences.size());
    std::vector<EventStart> starts;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      if (sequences[i] % per_operation_ != 0) continue;
      starts.push_back({i, OperationId(std::to_string(sequences[i]))});
    }
    return starts;
  }

  Result<std::vector<KnownOperation>> find_operations(
      std::span<const OperationId* const> ids) override {
    std::vector<KnownOperation> operations(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      operations[i].index = i;
      operations[i].recorded.receipt.id = *ids[i];
    }
    return operations;
  }

  [[nodiscard]] std::int64_t events() const { return transactions_ * rows_ / per_operation_; }

  [[nodiscard]] std::size_t most_asked() const { return most_asked_; }

 private:
  std::int64_t transactions_;
  std::int64_t rows_;
  std::int64_t per_operation_;
  std::size_t most_asked_ = 0;
};

/// Reads everything page by page and demands that each event is there once, in order.
void expect_all(Journal& journal, std::size_t limit, std::int64_t rows_per_operation) {
  EventPlace after;
  std::int64_t count = 0;
  for (bool has_more = true; has_more;) {
    const auto page = read_events(journal, after, limit);
    ASSERT_TRUE(page);
    ASSERT_LE(page->items.size(), limit);
    for (const Event& event : page->items) {
      ASSERT_GT(event.place, after);
      after = event.place;
      ASSERT_EQ(event.receipt.id.view(), std::to_string(count++ * rows_per_operation));
    }
    ASSERT_GE(page->next, after);
    after = page->next;
    has_more = page->has_more;
  }
  EXPECT_EQ(count, journal.events());
}

TEST(EventReader, looks_at_so_many_rows_at_once_and_leaves_nothing_out) {
  constexpr std::size_t rows_at_once = 4'000;
  for (const std::int64_t rows_per_operation : {1, 100}) {
    // 21,000 rows: the bound falls within a transaction, and within an operation's rows.
    Journal journal({30, 700, rows_per_operation});
    for (const std::size_t limit : {7U, 1'000U}) expect_all(journal, limit, rows_per_operation);
    EXPECT_EQ(journal.most_asked(), rows_at_once) << "as many as it may, and never more";
  }
}

TEST(EventReader, a_transaction_of_more_rows_than_it_looks_at_is_read_to_its_end) {
  Journal journal({3, 10'000, 5'000});
  expect_all(journal, 1, 5'000);
  expect_all(journal, 1'000, 5'000);
}

}  // namespace
}  // namespace mizan::sql
