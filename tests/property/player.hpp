#pragma once

#include "mizan/ledger.hpp"

#include "testkit/fake_clock.hpp"
#include "tests/property/model.hpp"
#include "tests/property/sequence.hpp"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mizan::property {

/// Plays a sequence on two ledgers over one memory store and on the model, and compares.
class Player {
 public:
  Player();

  void play(const Step& step);

  /// Conservation and every other promise, at the end.
  void check_promises();

 private:
  [[nodiscard]] Operation grant(const Wish& wish);
  [[nodiscard]] OperationBody body_for(const Wish& wish) const;
  [[nodiscard]] OperationId earlier(std::uint8_t back) const;
  void twist(const Wish& wish, Operation& operation) const;
  void play_wallet(const Step& step);
  void play_operations(const Step& step);
  void play_all_or_none(const Step& step);
  void compare_answer(const Operation& operation, Code expected, const Result<Outcome>& actual);
  void compare_wallets();
  void compare_holds();

  testkit::FakeClock clock_{testkit::FakeSleep::advances};
  std::unique_ptr<Store> store_;
  std::array<std::unique_ptr<Ledger>, 2> ledgers_;
  Model model_;
  std::vector<Operation> asked_;  ///< One per id, in order.
  std::map<OperationId, std::string> receipts_;
};

}  // namespace mizan::property
