#include "store/sql/hold_changes.hpp"

#include <gtest/gtest.h>

namespace mizan::sql {
namespace {

const OperationId first("op-1");
const OperationId second("op-2");

HoldChange creation(const char* id, std::int64_t amount) {
  HoldChange change;
  change.after.id = OperationId(id);
  change.after.amount = MinorUnits{amount};
  return change;
}

/// The hold captured up to `captured`.
HoldChange capture(const HoldRecord& before, std::int64_t captured) {
  HoldChange change;
  change.kind = HoldChange::Kind::change;
  change.after = before;
  change.after.captured = MinorUnits{captured};
  change.status_before = before.status;
  change.captured_before = before.captured;
  return change;
}

TEST(HoldChanges, a_hold_that_is_made_and_changed_is_written_once_as_it_ends) {
  HoldChanges changes;
  const HoldChange made = creation("h", 10);
  EXPECT_TRUE(changes.add(made, first));
  EXPECT_TRUE(changes.add(capture(made.after, 4), second));
  ASSERT_EQ(changes.created().size(), 1U);
  EXPECT_TRUE(changes.changed().empty());
  EXPECT_EQ(changes.created()[0].change.after.captured, MinorUnits{4});
  EXPECT_EQ(*changes.created()[0].operation, first);
}

TEST(HoldChanges, changes_of_a_stored_hold_keep_what_the_first_demands_and_the_last_leaves) {
  HoldChanges changes;
  HoldRecord stored = creation("h", 10).after;
  stored.captured = MinorUnits{1};
  const HoldChange once = capture(stored, 3);
  EXPECT_TRUE(changes.add(once, first));
  EXPECT_TRUE(changes.add(capture(once.after, 7), second));
  ASSERT_EQ(changes.changed().size(), 1U);
  EXPECT_EQ(changes.changed()[0].change.captured_before, MinorUnits{1});
  EXPECT_EQ(changes.changed()[0].change.after.captured, MinorUnits{7});
}

TEST(HoldChanges, a_change_that_does_not_go_on_from_the_one_before_is_refused) {
  HoldChanges changes;
  const HoldChange made = creation("h", 10);
  EXPECT_TRUE(changes.add(made, first));
  HoldRecord other = made.after;
  other.captured = MinorUnits{5};
  EXPECT_FALSE(changes.add(capture(other, 6), second));
  EXPECT_FALSE(changes.add(made, second)) << "made twice";
  EXPECT_TRUE(changes.add(creation("another", 1), second));
}

}  // namespace
}  // namespace mizan::sql
