// I1 to I4: what the journal says against what the wallets say.

#include "prover/checkers/checkers.hpp"
#include "prover/checkers/result.hpp"

#include <map>
#include <string>

namespace mizan::prover {

namespace {

using Wallets = std::map<WalletNumber, const WalletImage*>;

Wallets index_wallets(const LedgerImage& image) {
  Wallets wallets;
  for (const WalletImage& wallet : image.wallets) wallets.emplace(wallet.number, &wallet);
  return wallets;
}

/// What one leg did to one wallet.
struct Effect {
  const LegImage* leg = nullptr;
  WalletNumber wallet;
  std::int64_t change = 0;
  MinorUnits balance;
  std::uint64_t version = 0;
};

/// The entries of every wallet, in the order of the journal; `@world` has none.
std::map<WalletNumber, std::vector<Effect>> index_effects(const LedgerImage& image) {
  std::map<WalletNumber, std::vector<Effect>> effects;
  for (const LegImage& leg : image.journal) {
    const std::int64_t amount = leg.amount.value();
    if (leg.from != world_number) {
      effects[leg.from].push_back({&leg, leg.from, -amount, leg.from_balance, leg.from_version});
    }
    if (leg.to != world_number) {
      effects[leg.to].push_back({&leg, leg.to, amount, leg.to_balance, leg.to_version});
    }
  }
  return effects;
}

std::string at_leg(const LegImage& leg) {
  return "operation " + leg.operation.str() + ", leg " + digits(leg.sequence);
}

/// The currency of a leg by its sides, or nothing where they disagree or are unknown.
std::optional<CurrencyCode> currency_of(const LegImage& leg, const Wallets& wallets) {
  std::optional<CurrencyCode> currency;
  for (const WalletNumber side : {leg.from, leg.to}) {
    if (side == world_number) continue;
    const auto found = wallets.find(side);
    if (found == wallets.end()) return std::nullopt;
    if (currency && *currency != found->second->currency) return std::nullopt;
    currency = found->second->currency;
  }
  return currency;
}

}  // namespace

CheckResult check_conservation(const Evidence& evidence) {
  CheckResult result = result_for("I1");
  const Wallets wallets = index_wallets(evidence.image);
  std::map<CurrencyCode, WideUnits> sums;
  std::map<CurrencyCode, WideUnits> flows;  // What came in from @world, by the journal.
  for (const WalletImage& wallet : evidence.image.wallets) {
    sums[wallet.currency] += wallet.balance.value();
  }
  for (const LegImage& leg : evidence.image.journal) {
    const auto currency = currency_of(leg, wallets);
    expect(result, currency.has_value(), at_leg(leg) + " joins wallets of different currencies");
    if (!currency) continue;
    if (leg.from == world_number) flows[*currency] += leg.amount.value();
    if (leg.to == world_number) flows[*currency] -= leg.amount.value();
  }
  for (const auto& [currency, sum] : sums) {
    expect(result,
           sum == flows[currency],
           "all " + currency.str() + " wallets together hold " + to_string(sum) +
               ", but the journal let in " + to_string(flows[currency]));
    const auto world = evidence.image.worlds.find(currency);
    if (world == evidence.image.worlds.end()) continue;
    expect(result,
           world->second + sum == 0,
           "@world/" + currency.str() + " says " + to_string(world->second) +
               ", the wallets hold " + to_string(sum));
  }
  return result;
}

CheckResult check_balances(const Evidence& evidence) {
  CheckResult result = result_for("I2");
  const auto effects = index_effects(evidence.image);
  for (const WalletImage& wallet : evidence.image.wallets) {
    WideUnits sum = 0;
    const auto found = effects.find(wallet.number);
    if (found != effects.end()) {
      for (const Effect& effect : found->second) sum += effect.change;
    }
    expect(result,
           sum == wallet.balance.value(),
           "wallet " + wallet.id.str() + " says " + digits(wallet.balance) +
               ", its entries add up to " + to_string(sum));
  }
  return result;
}

CheckResult check_floors(const Evidence& evidence) {
  CheckResult result = result_for("I3");
  const auto effects = index_effects(evidence.image);
  for (const WalletImage& wallet : evidence.image.wallets) {
    const auto stated = evidence.floors.find(wallet.id);
    const MinBalance limit = stated == evidence.floors.end() ? wallet.min_balance : stated->second;
    if (!limit) continue;
    const std::int64_t floor = limit->value();
    const WideUnits available = WideUnits{wallet.balance.value()} - wallet.held.value();
    expect(result,
           available >= floor,
           "wallet " + wallet.id.str() + " has " + to_string(available) +
               " available, its limit is " + std::to_string(floor));
    const auto found = effects.find(wallet.number);
    if (found == effects.end()) continue;
    WideUnits sum = 0;
    for (const Effect& effect : found->second) {
      sum += effect.change;
      const bool held_up = effect.change > 0 || (effect.balance.value() >= floor && sum >= floor);
      expect(result,
             held_up,
             "wallet " + wallet.id.str() + " fell to " + to_string(sum) + " at " +
                 at_leg(*effect.leg) + ", its limit is " + std::to_string(floor));
    }
  }
  return result;
}

CheckResult check_chains(const Evidence& evidence) {
  CheckResult result = result_for("I4");
  const auto effects = index_effects(evidence.image);
  for (const WalletImage& wallet : evidence.image.wallets) {
    std::uint64_t version = 0;
    WideUnits balance = 0;
    const auto found = effects.find(wallet.number);
    if (found != effects.end()) {
      for (const Effect& effect : found->second) {
        ++version;
        const std::string where = "wallet " + wallet.id.str() + ", " + at_leg(*effect.leg);
        expect(result,
               effect.version == version,
               where + ": version " + std::to_string(effect.version) + ", expected " +
                   std::to_string(version));
        expect(result,
               balance + effect.change == effect.balance.value(),
               where + ": " + to_string(balance) + " changed by " + std::to_string(effect.change) +
                   " became " + digits(effect.balance));
        balance = effect.balance.value();
      }
    }
    expect(result,
           wallet.version == version,
           "wallet " + wallet.id.str() + " is at version " + std::to_string(wallet.version) +
               " with " + std::to_string(version) + " entries");
  }
  return result;
}

}  // namespace mizan::prover
