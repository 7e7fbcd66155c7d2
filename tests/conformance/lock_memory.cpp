#include "mizan/lock.hpp"

#include "testkit/fake_clock.hpp"
#include "tests/conformance/lock_conformance.hpp"

namespace mizan::conformance {
namespace {

class MemoryWorld final : public LockWorld {
 public:
  LeaseTable& table() override { return *table_; }

  const Clock& clock() override { return clock_; }

  void pass(std::chrono::nanoseconds time) override { clock_.advance(time); }

 private:
  testkit::FakeClock clock_;
  std::unique_ptr<LeaseTable> table_ = make_memory_lease_table(clock_);
};

INSTANTIATE_TEST_SUITE_P(memory,
                         LockConformance,
                         ::testing::Values(LockCandidate{
                             .name = "memory",
                             .open_empty = [] { return std::make_unique<MemoryWorld>(); },
                             .forgets_at_restart = "the leases live and die with the process",
                             .needs_real_time = {},
                             .taken_away = LeaseLoss::taken}),
                         candidate_name);

}  // namespace
}  // namespace mizan::conformance
