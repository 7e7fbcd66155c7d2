// The rules at the ends of the range: what is refused leaves no trace, what is accepted conserves.

#include "domain/decide.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace mizan::property {
namespace {

constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();

rc::Gen<std::int64_t> edge() {
  return rc::gen::map(rc::gen::pair(rc::gen::element(min, max, std::int64_t{0}, min / 2, max / 2),
                                    rc::gen::inRange<std::int64_t>(-3, 4)),
                      [](const std::pair<std::int64_t, std::int64_t>& pair) {
                        const WideUnits sum = WideUnits{pair.first} + pair.second;
                        return sum > max || sum < min ? pair.first : static_cast<std::int64_t>(sum);
                      });
}

/// A state that the rules can have left: available is within 64 bits and nothing held is negative.
WalletState any_wallet(int number) {
  WalletState wallet;
  wallet.number = WalletNumber{number};
  wallet.id = WalletId{"w" + std::to_string(number)};
  wallet.currency = {CurrencyCode{*rc::gen::weightedElement<const char*>({{9, "EUR"}, {1, "USD"}})},
                     2};
  wallet.status = *rc::gen::weightedElement<WalletStatus>(
      {{20, WalletStatus::active}, {1, WalletStatus::frozen}, {1, WalletStatus::closed}});
  wallet.balance = MinorUnits{*edge()};
  const std::int64_t held = *edge();
  if (held > 0 && WideUnits{wallet.balance.value()} - held >= min) wallet.held = MinorUnits{held};
  wallet.min_balance.reset();
  if (*rc::gen::arbitrary<bool>()) wallet.min_balance = MinorUnits{*edge()};
  wallet.version = *rc::gen::inRange<std::uint64_t>(0, 5);
  return wallet;
}

auto everything(const WalletState& wallet) {
  return std::make_tuple(wallet.number,
                         wallet.id,
                         wallet.currency.code,
                         wallet.status,
                         wallet.balance,
                         wallet.held,
                         wallet.min_balance,
                         wallet.version,
                         wallet.revision,
                         wallet.last_entry_at,
                         wallet.links.head,
                         wallet.links.block);
}

struct World {
  std::array<WalletState, 3> wallets;
  Operation operation;
  HoldRecord hold;
  ReversibleOperation reversible;
  domain::DecisionInput input;

  domain::Side side(int number) {
    if (number >= 3) return {nullptr, number == 3};
    return {&wallets.at(static_cast<std::size_t>(number)), false};
  }

  void add_leg(int from, int to, std::int64_t amount) {
    if (from == 3 && to == 3) to = 0;
    static const WalletId missing{"missing"};
    input.legs.push_back({side(from), side(to), MinorUnits{amount}, {}, &missing, &missing});
  }

  WideUnits sum() const {
    WideUnits total = 0;
    for (const WalletState& wallet : wallets) total += wallet.balance.value();
    return total;
  }
};

/// Legs among three wallets, the world (3) and, now and then, a wallet that does not exist (4).
void add_legs(World& world, std::size_t legs_most) {
  const auto count = *rc::gen::inRange<std::size_t>(1, legs_most + 1);
  const auto party = rc::gen::weightedElement<int>({{9, 0}, {9, 1}, {9, 2}, {4, 3}, {1, 4}});
  const auto amount = rc::gen::weightedOneOf<std::int64_t>(
      {{3, rc::gen::inRange<std::int64_t>(1, 4)}, {1, edge()}});
  for (std::size_t i = 0; i < count; ++i) world.add_leg(*party, *party, *amount);
}

void make_hold(World& world) {
  const auto amount = *rc::gen::inRange<std::int64_t>(1, 10);
  const std::int64_t held = world.wallets[0].held.value();
  world.hold.amount = MinorUnits{std::max<std::int64_t>(1, std::min(held, amount))};
  world.hold.wallet = world.wallets[0].number;
  world.hold.status = held > 0 ? HoldStatus::open : HoldStatus::voided;
  world.input.hold = &world.hold;
}

/// Any kind of operation, with what it needs.
void make_operation(World& world, int kind) {
  if (kind == 0) {
    world.operation.body = Transfer{};
    add_legs(world, 6);
  } else if (kind == 1) {
    world.operation.body = CreateHold{};
    add_legs(world, 1);
    world.input.legs.front().from = world.side(0);
  } else if (kind == 2) {
    make_hold(world);
    const auto amount = *rc::gen::inRange<std::int64_t>(-1, 11);
    world.operation.body = CaptureHold{OperationId{"h"}, MinorUnits{amount}};
    world.add_leg(0, *rc::gen::inRange(1, 4), amount);
  } else if (kind == 3) {
    make_hold(world);
    world.operation.body = VoidHold{OperationId{"h"}};
    world.add_leg(0, 3, world.hold.amount.value());
  } else {
    world.operation.body = Reverse{OperationId{"t"}};
    world.reversible.reversed = *rc::gen::weightedElement<bool>({{9, false}, {1, true}});
    world.input.reversible = &world.reversible;
    add_legs(world, 6);
  }
}

void check_accepted(const World& world, const domain::Decided& decided, WideUnits sum_before) {
  WideUnits from_world = 0;
  for (const domain::DecidedLeg& leg : decided.legs) {
    RC_ASSERT(leg.amount.value() > 0);
    RC_ASSERT(leg.from != leg.to);
    if (leg.from == nullptr) from_world += leg.amount.value();
    if (leg.to == nullptr) from_world -= leg.amount.value();
  }
  RC_ASSERT(world.sum() == sum_before + from_world);
  for (const WalletState& wallet : world.wallets) {
    const WideUnits available = WideUnits{wallet.balance.value()} - wallet.held.value();
    RC_ASSERT(available >= min);
    RC_ASSERT(available <= max);
    RC_ASSERT(wallet.held.value() >= 0);
  }
}

TEST(DecideProperty, a_refusal_leaves_every_state_as_it_was_and_an_answer_conserves) {
  EXPECT_TRUE(rc::check("decide", [] {
    World world;
    for (int i = 0; i < 3; ++i) world.wallets.at(static_cast<std::size_t>(i)) = any_wallet(i + 1);
    world.operation.id = OperationId{"op"};
    world.input.operation = &world.operation;
    make_operation(world, *rc::gen::inRange(0, 5));
    if (*rc::gen::weightedElement<bool>({{9, false}, {1, true}})) {
      Condition condition;
      condition.wallet = world.wallets[1].id;
      condition.min_available = MinorUnits{*edge()};
      world.operation.conditions.push_back(condition);
      world.input.condition_wallets.push_back(&world.wallets[1]);
    }
    const auto before = world.wallets;
    const WideUnits sum_before = world.sum();
    const domain::Decision decision = domain::decide(world.input);
    const auto* decided = std::get_if<domain::Decided>(&decision);
    RC_CLASSIFY(decided != nullptr, "accepted");
    if (decided != nullptr) return check_accepted(world, *decided, sum_before);
    RC_TAG(std::string(to_string(std::get<Refusal>(decision).code)));
    for (std::size_t i = 0; i < before.size(); ++i) {
      RC_ASSERT(everything(world.wallets.at(i)) == everything(before.at(i)));
    }
  }));
}

}  // namespace
}  // namespace mizan::property
