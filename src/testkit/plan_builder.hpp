#pragma once

#include "mizan/plan.hpp"
#include "mizan/store.hpp"

#include "testkit/builders.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace mizan::testkit {

/// Writes a plan from loaded states as the rules would, but without judging: it carries out what
/// the test says, also what no rule would allow. An empty wallet id is `@world`.
/// One thread at a time. Aborts on a wallet whose state it was not given.
class PlanBuilder {
 public:
  explicit PlanBuilder(std::vector<WalletState> states);

  /// When the operations that follow are applied; `test_epoch()` until said otherwise.
  PlanBuilder& at(Timestamp time);

  PlanBuilder& transfer(std::string_view id, std::initializer_list<LegText> legs);
  PlanBuilder& transfer(std::string_view id,
                        std::string_view from,
                        std::string_view to,
                        std::int64_t amount);
  PlanBuilder& deposit(std::string_view id, std::string_view wallet, std::int64_t amount);
  PlanBuilder& withdraw(std::string_view id, std::string_view wallet, std::int64_t amount);
  PlanBuilder& hold(std::string_view id,
                    std::string_view wallet,
                    std::int64_t amount,
                    std::optional<Timestamp> expires_at = std::nullopt,
                    std::string_view to = {});
  PlanBuilder& capture(std::string_view id, const HoldRecord& hold, std::int64_t amount);
  PlanBuilder& void_hold(std::string_view id, const HoldRecord& hold);

  /// Posts `legs` as the reversal of `reversed`.
  PlanBuilder& reverse(std::string_view id,
                       std::string_view reversed,
                       std::initializer_list<LegText> legs);
  PlanBuilder& refusal(std::string_view id, Code code);

  /// A wallet write without an operation: status or limit.
  PlanBuilder& touch(std::string_view wallet, WalletStatus status);

  /// The last operation, to change what the helpers do not say.
  [[nodiscard]] PlannedOperation& last();

  /// The state of a wallet after everything so far, to change what the helpers do not say.
  [[nodiscard]] WalletChange& change(std::string_view wallet);

  /// Moves the plan out.
  [[nodiscard]] Plan build();

 private:
  PlannedOperation& add(std::string_view id, OperationType type);
  void add_leg(PlannedOperation& operation, Slot from, Slot to, std::int64_t amount);
  [[nodiscard]] Slot slot_of(const WalletId& id);
  [[nodiscard]] Slot slot_of(WalletNumber number);
  [[nodiscard]] Slot slot_of(const WalletState& state);
  void settle(Slot slot, std::int64_t change);

  std::vector<WalletState> states_;
  Timestamp at_ = test_epoch();
  Plan plan_;
};

/// What the builder gives an operation as its fingerprint: from the id, so that two ids differ.
[[nodiscard]] Fingerprint fingerprint_of(std::string_view text);

}  // namespace mizan::testkit
