#include "base/granted.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

namespace mizan {
namespace {

using std::chrono::milliseconds;

Error refusal_of(AcquireOutcome outcome) {
  auto lease = granted(std::move(outcome), Resource{"wallet/alice"});
  return lease ? internal_error("test", "granted") : std::move(lease).error();
}

TEST(Granted, a_lock_of_somebody_else_is_named_with_the_time_it_has_left) {
  for (const Error& busy : {refusal_of(LockBusy{milliseconds(1'500)}),
                            refusal_of(LockWaitTimedOut{milliseconds(1'500)})}) {
    EXPECT_EQ(busy.code, Code::lock_busy);
    EXPECT_EQ(busy.certainty, Certainty::not_applied);
    EXPECT_EQ(busy.retry, Retry::after_backoff);
    EXPECT_EQ(busy.detail,
              "wallet/alice is held by somebody else, for 1s500ms more unless renewed");
  }
}

TEST(Granted, an_interrupted_wait_says_nothing_about_who_holds_the_lock) {
  const Error interrupted = refusal_of(LockWaitCancelled{});
  EXPECT_EQ(interrupted.code, Code::unavailable);
  EXPECT_EQ(interrupted.certainty, Certainty::not_applied);
}

TEST(NotBegun, leaves_no_doubt_about_work_that_was_not_begun) {
  const Error doubt{
      Code::unknown, Certainty::unknown, Retry::after_backoff, "postgres: commit", "link lost"};
  const Error told = not_begun(doubt);
  EXPECT_EQ(told.code, Code::unavailable);
  EXPECT_EQ(told.certainty, Certainty::not_applied);
  EXPECT_EQ(told.retry, Retry::after_backoff);
  EXPECT_EQ(told.where, "postgres: commit");
  EXPECT_EQ(told.detail,
            "the lock service did not say whether it granted the lock, so nothing was begun: link "
            "lost");
}

TEST(NotBegun, keeps_what_says_itself_that_nothing_was_done) {
  const Error told = not_begun(lock_busy(Resource{"r"}, std::nullopt));
  EXPECT_EQ(told.code, Code::lock_busy);
  EXPECT_EQ(told.detail, "r is held by somebody else");
}

TEST(LockBusyError, leaves_out_a_time_that_nobody_knows) {
  EXPECT_EQ(lock_busy(Resource{"r"}, std::nullopt).detail, "r is held by somebody else");
}

}  // namespace
}  // namespace mizan
