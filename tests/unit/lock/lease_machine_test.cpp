#include "lock/core/lease_machine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace mizan::lock {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Every table below is about a lease of 10 s, sent at 0: it is renewed at 4 s (40 %), suspect at
// 8 s (80 %) and valid until 9.5 s (the TTL less a margin of 5 %).
constexpr LeaseTerms ten_seconds{seconds{10}, seconds{3'600}, true};

Instant at(int ms) {
  return Instant{seconds{1'000}} + milliseconds{ms};
}

LeaseMachine lease(const LeaseTerms& terms = ten_seconds) {
  return LeaseMachine(terms, at(0), terms.ttl);
}

constexpr LeaseActions nothing{};
constexpr LeaseActions renewal{.send_renewal = true};
constexpr LeaseActions suspect_notice{.tell_suspect = true};
constexpr LeaseActions loss_notice{.tell_lost = true};
constexpr LeaseActions renewal_and_suspect{.send_renewal = true, .tell_suspect = true};

std::string describe(const LeaseActions& actions) {
  std::string text;
  if (actions.send_renewal) text += " send_renewal";
  if (actions.tell_suspect) text += " tell_suspect";
  if (actions.tell_lost) text += " tell_lost";
  return text.empty() ? " nothing" : text;
}

struct Row {
  int at_ms;
  LeaseEvent event;
  LeaseActions actions;
  LeaseState state;
};

struct Story {
  std::string name;
  LeaseTerms terms;
  std::vector<Row> rows;
  std::optional<LeaseLoss> loss;
};

void PrintTo(const Story& story, std::ostream* out) {
  *out << story.name;
}

std::vector<Story> renewal_stories() {
  using enum LeaseState;
  return {{"renewed_at_forty_percent",
           ten_seconds,
           {{3'999, TimePassed{}, nothing, held},
            {4'000, TimePassed{}, renewal, held},
            {4'500, TimePassed{}, nothing, held},  // One at a time.
            {4'600, Renewed{at(4'000)}, nothing, held},
            {7'999, TimePassed{}, nothing, held},
            {8'000, TimePassed{}, renewal, held}},
           std::nullopt},
          {"validity_counts_from_the_moment_of_sending",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held},
            {9'000, Renewed{at(4'000)}, nothing, held},
            {13'499, RenewalUnknown{seconds{60}}, suspect_notice, suspect},
            {13'500, TimePassed{}, loss_notice, lost}},
           LeaseLoss::deadline},
          {"never_renewed_is_lost_by_deadline_once",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held},
            {8'000, TimePassed{}, suspect_notice, suspect},
            {9'499, TimePassed{}, nothing, suspect},
            {9'500, TimePassed{}, loss_notice, lost},
            {9'501, TimePassed{}, nothing, lost},
            {9'600, Renewed{at(4'000)}, nothing, lost},
            {9'700, RefusedNotMine{}, nothing, lost},
            {9'800, ServiceGone{}, nothing, lost},
            {9'900, GivenBack{}, nothing, lost}},
           LeaseLoss::deadline},
          {"a_failed_renewal_is_tried_again_soon_and_is_no_loss",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held},
            {4'100, RenewalUnknown{milliseconds{500}}, suspect_notice, suspect},
            {4'599, TimePassed{}, nothing, suspect},
            {4'600, TimePassed{}, renewal, suspect},
            {4'700, Renewed{at(4'600)}, nothing, held},
            {8'599, TimePassed{}, nothing, held},
            {8'600, TimePassed{}, renewal, held}},
           std::nullopt},
          {"unknown_renewals_never_reset_the_clock",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held},
            {6'000, RenewalUnknown{milliseconds{100}}, suspect_notice, suspect},
            {6'100, TimePassed{}, renewal, suspect},
            {9'400, RenewalUnknown{milliseconds{50}}, nothing, suspect},
            {9'450, TimePassed{}, renewal, suspect},
            {9'500, RenewalUnknown{milliseconds{50}}, loss_notice, lost}},
           LeaseLoss::deadline}};
}

std::vector<Story> loss_stories() {
  using enum LeaseState;
  return {{"suspect_is_told_once_per_lease_even_when_it_recovers",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held},
            {4'100, RenewalUnknown{milliseconds{100}}, suspect_notice, suspect},
            {4'200, TimePassed{}, renewal, suspect},
            {4'300, Renewed{at(4'200)}, nothing, held},
            {8'200, TimePassed{}, renewal, held},
            {8'300, RenewalUnknown{milliseconds{100}}, nothing, suspect}},
           std::nullopt},
          {"not_mine_is_definite",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held},
            {4'100, RefusedNotMine{}, loss_notice, lost},
            {9'500, TimePassed{}, nothing, lost}},
           LeaseLoss::not_mine},
          {"a_reply_after_the_deadline_brings_nothing_back",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held}, {9'500, Renewed{at(9'000)}, loss_notice, lost}},
           LeaseLoss::deadline},
          {"a_rejected_fence_loses_the_lease",
           ten_seconds,
           {{100, FenceRejected{}, loss_notice, lost}, {200, FenceRejected{}, nothing, lost}},
           LeaseLoss::fence_rejected},
          {"the_end_of_the_service_loses_the_lease",
           ten_seconds,
           {{100, ServiceGone{}, loss_notice, lost}},
           LeaseLoss::shutdown},
          {"a_released_lease_is_told_nothing_any_more",
           ten_seconds,
           {{4'000, TimePassed{}, renewal, held},
            {4'050, GivenBack{}, nothing, released},
            {4'100, RefusedNotMine{}, nothing, released},
            {4'200, RenewalUnknown{milliseconds{1}}, nothing, released},
            {9'500, TimePassed{}, nothing, released}},
           std::nullopt},
          {"a_release_after_the_deadline_finds_it_lost",
           ten_seconds,
           {{9'500, GivenBack{}, loss_notice, lost}},
           LeaseLoss::deadline}};
}

std::vector<Story> end_stories() {
  using enum LeaseState;
  return {{"without_renewal_it_simply_ends",
           {seconds{10}, seconds{3'600}, false},
           {{4'000, TimePassed{}, nothing, held},
            {8'000, TimePassed{}, nothing, held},
            {9'500, TimePassed{}, loss_notice, lost}},
           LeaseLoss::deadline},
          {"the_lifetime_ends_it_whatever_was_renewed",
           {seconds{10}, seconds{15}, true},
           {{4'000, TimePassed{}, renewal, held},
            {4'100, Renewed{at(4'000)}, nothing, held},  // Valid until 13.5 s.
            {8'000, TimePassed{}, renewal, held},
            {8'100, Renewed{at(8'000)}, nothing, held},  // Would be valid until 17.5 s.
            {12'000, TimePassed{}, nothing, held},       // Nothing left to gain.
            {14'999, TimePassed{}, nothing, held},
            {15'000, TimePassed{}, loss_notice, lost}},
           LeaseLoss::max_lifetime},
          {"a_lifetime_below_the_ttl_is_never_renewed",
           {seconds{10}, seconds{2}, true},
           {{1'999, TimePassed{}, nothing, held}, {2'000, TimePassed{}, loss_notice, lost}},
           LeaseLoss::max_lifetime},
          {"a_thread_that_slept_past_everything_tells_only_the_loss",
           ten_seconds,
           {{60'000, TimePassed{}, loss_notice, lost}},
           LeaseLoss::deadline},
          {"a_thread_that_slept_past_the_suspicion_still_renews",
           ten_seconds,
           {{9'000, TimePassed{}, renewal_and_suspect, suspect},
            {9'100, Renewed{at(9'000)}, nothing, held}},
           std::nullopt}};
}

std::vector<Story> stories() {
  std::vector<Story> all = renewal_stories();
  for (const auto& more : {loss_stories(), end_stories()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

class LeaseStories : public ::testing::TestWithParam<Story> {};

TEST_P(LeaseStories, go_as_written) {
  LeaseMachine machine = lease(GetParam().terms);
  int last_ms = 0;
  for (const Row& row : GetParam().rows) {
    const LeaseActions actions = machine.step(row.event, at(row.at_ms));
    EXPECT_EQ(actions, row.actions)
        << row.at_ms << " ms:" << describe(actions) << ", expected" << describe(row.actions);
    EXPECT_EQ(to_string(machine.state(at(row.at_ms))), to_string(row.state)) << row.at_ms << " ms";
    last_ms = row.at_ms;
  }
  EXPECT_EQ(machine.loss(at(last_ms)), GetParam().loss);
}

INSTANTIATE_TEST_SUITE_P(LeaseMachine,
                         LeaseStories,
                         ::testing::ValuesIn(stories()),
                         [](const auto& story) { return story.param.name; });

TEST(lease_machine, observers_see_the_end_before_anybody_steps) {
  const LeaseMachine machine = lease();
  EXPECT_EQ(machine.state(at(9'499)), LeaseState::held);
  EXPECT_EQ(machine.loss(at(9'499)), std::nullopt);
  EXPECT_EQ(machine.state(at(9'500)), LeaseState::lost);
  EXPECT_EQ(machine.loss(at(9'500)), LeaseLoss::deadline);
  EXPECT_FALSE(machine.is_over());
}

TEST(lease_machine, believes_the_smaller_of_the_ttl_and_what_was_granted) {
  EXPECT_EQ(LeaseMachine(ten_seconds, at(0), seconds{5}).valid_until(), at(4'500));
  EXPECT_EQ(LeaseMachine(ten_seconds, at(0), seconds{50}).valid_until(), at(9'500));
}

TEST(lease_machine, says_when_to_look_again) {
  LeaseMachine machine = lease();
  EXPECT_EQ(machine.wake_at(), at(4'000));
  machine.step(TimePassed{}, at(4'000));
  EXPECT_EQ(machine.wake_at(), at(8'000)) << "a renewal is under way; next it turns suspect";
  machine.step(TimePassed{}, at(8'000));
  EXPECT_EQ(machine.wake_at(), at(9'500)) << "then it ends";
  machine.step(TimePassed{}, at(9'500));
  EXPECT_EQ(machine.wake_at(), std::nullopt);
}

TEST_P(LeaseStories, never_look_twice_at_the_same_moment) {
  // Otherwise the watching thread would spin: stepping at `wake_at` must move `wake_at`.
  LeaseMachine machine = lease(GetParam().terms);
  Instant last_wake = at(0);
  while (const auto wake = machine.wake_at()) {
    ASSERT_GT(*wake, last_wake);
    machine.step(TimePassed{}, *wake);
    last_wake = *wake;
  }
}

TEST(lease_machine, keeps_a_margin_of_a_twentieth_within_bounds) {
  EXPECT_EQ(safety_margin(milliseconds{50}), milliseconds{5});
  EXPECT_EQ(safety_margin(seconds{10}), milliseconds{500});
  EXPECT_EQ(safety_margin(seconds{3'600}), seconds{1});
  EXPECT_EQ(retry_pause(seconds{10}), milliseconds{500});
}

}  // namespace
}  // namespace mizan::lock
