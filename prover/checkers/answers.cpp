// I5 to I7 and I12: what was answered against what was recorded.

#include "base/match.hpp"
#include "prover/checkers/checkers.hpp"
#include "prover/checkers/result.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>

namespace mizan::prover {

namespace {

using Legs = std::map<OperationId, std::vector<const LegImage*>>;

Legs index_legs(const LedgerImage& image) {
  Legs legs;
  for (const LegImage& leg : image.journal) legs[leg.operation].push_back(&leg);
  return legs;
}

std::map<OperationId, std::vector<const Call*>> index_calls(const std::vector<Call>& calls) {
  std::map<OperationId, std::vector<const Call*>> by_id;
  for (const Call& call : calls) by_id[call.operation.id].push_back(&call);
  return by_id;
}

bool is_recorded(const Evidence& evidence, const Legs& legs, const OperationId& id) {
  return legs.contains(id) || evidence.image.operations.contains(id);
}

/// The legs that the body itself states; nothing for bodies whose legs depend on others.
std::optional<std::vector<Leg>> stated_legs(const OperationBody& body) {
  if (const auto* transfer = std::get_if<Transfer>(&body)) return transfer->legs;
  if (const auto* deposit = std::get_if<Deposit>(&body)) {
    return std::vector<Leg>{{WalletId{}, deposit->wallet, deposit->amount, {}}};
  }
  if (const auto* withdraw = std::get_if<Withdraw>(&body)) {
    return std::vector<Leg>{{withdraw->wallet, WalletId{}, withdraw->amount, {}}};
  }
  return std::nullopt;
}

bool is_side(const WalletId& stated, const WalletId& given) {
  return stated.empty() ? is_system_wallet(given) : stated == given;
}

bool does_what_was_asked(const Receipt& receipt, const OperationBody& body) {
  const auto legs = stated_legs(body);
  if (!legs) return true;
  return std::equal(legs->begin(),
                    legs->end(),
                    receipt.legs.begin(),
                    receipt.legs.end(),
                    [](const Leg& asked, const LegReceipt& done) {
                      return asked.amount == done.amount && is_side(asked.from, done.from) &&
                             is_side(asked.to, done.to);
                    });
}

bool is_in_journal(const Receipt& receipt, const std::vector<const LegImage*>& legs) {
  return std::equal(receipt.legs.begin(),
                    receipt.legs.end(),
                    legs.begin(),
                    legs.end(),
                    [](const LegReceipt& said, const LegImage* done) {
                      const bool from =
                          !said.from_version || (*said.from_version == done->from_version &&
                                                 said.from_balance == done->from_balance);
                      const bool to = !said.to_version || (*said.to_version == done->to_version &&
                                                           said.to_balance == done->to_balance);
                      return said.amount == done->amount && from && to;
                    });
}

const std::vector<const LegImage*>& legs_of(const Legs& legs, const OperationId& id) {
  static const std::vector<const LegImage*> none;
  const auto found = legs.find(id);
  return found == legs.end() ? none : found->second;
}

void check_acknowledged(const Evidence& evidence,
                        const Legs& legs,
                        const Call& call,
                        CheckResult& result) {
  const std::string name = "operation " + call.operation.id.str();
  expect(result,
         is_recorded(evidence, legs, call.operation.id),
         name + " was acknowledged but is not recorded");
  if (!call.receipt) return;
  expect(result,
         does_what_was_asked(*call.receipt, call.operation.body),
         name + ": the receipt is not what was asked for");
  expect(result,
         is_in_journal(*call.receipt, legs_of(legs, call.operation.id)),
         name + ": the journal does not hold the legs of its receipt");
}

/// True where nobody was ever told, or left to believe, that the operation was applied.
bool is_refused_only(const std::vector<const Call*>& calls) {
  return std::all_of(
      calls.begin(), calls.end(), [](const Call* call) { return call->end == CallEnd::fail; });
}

}  // namespace

std::string receipt_text(const Receipt& receipt) {
  const auto optional_digits = [](const auto& number) {
    return number ? std::to_string(*number) : std::string("-");
  };
  const auto balance = [](const std::optional<MinorUnits>& units) {
    return units ? digits(*units) : std::string("-");
  };
  std::string text = receipt.id.str() + ' ' + std::string(to_string(receipt.type)) + ' ' +
                     std::to_string(receipt.applied_at.time_since_epoch().count());
  for (const LegReceipt& leg : receipt.legs) {
    text += " [" + leg.from.str() + ' ' + leg.to.str() + ' ' + digits(leg.amount) + ' ' +
            leg.currency.str() + ' ' + balance(leg.from_balance) + ' ' +
            optional_digits(leg.from_version) + ' ' + balance(leg.to_balance) + ' ' +
            optional_digits(leg.to_version) + ']';
  }
  return text + ' ' + encode_metadata(receipt.metadata);
}

CheckResult check_effects(const Evidence& evidence) {
  CheckResult result = result_for("I5");
  const Legs legs = index_legs(evidence.image);
  const auto calls = index_calls(evidence.calls);
  for (const auto& [id, attempts] : calls) {
    for (const Call* call : attempts) {
      if (call->end == CallEnd::ok) check_acknowledged(evidence, legs, *call, result);
    }
    const auto asked = stated_legs(attempts.front()->operation.body);
    const std::size_t posted = legs_of(legs, id).size();
    if (asked && posted != 0) {
      expect(result,
             posted >= asked->size(),
             "operation " + id.str() + " was applied by half: " + std::to_string(posted) + " of " +
                 std::to_string(asked->size()) + " legs");
    }
    if (is_refused_only(attempts)) {
      expect(result,
             !is_recorded(evidence, legs, id),
             "operation " + id.str() + " was refused (" +
                 std::string(to_string(attempts.front()->code)) + ") but is recorded");
    }
  }
  for (const auto& [id, entries] : legs) {
    expect(result, calls.contains(id), "operation " + id.str() + " was never asked for");
  }
  return result;
}

CheckResult check_once(const Evidence& evidence) {
  CheckResult result = result_for("I6");
  const Legs legs = index_legs(evidence.image);
  std::map<std::string, std::set<OperationId>> applied_of_intent;
  for (const auto& [id, attempts] : index_calls(evidence.calls)) {
    const auto firsts = std::count_if(attempts.begin(), attempts.end(), [](const Call* call) {
      return call->code == Code::applied;
    });
    expect(
        result,
        firsts <= 1,
        "operation " + id.str() + " was answered `applied` " + std::to_string(firsts) + " times");
    const auto asked = stated_legs(attempts.front()->operation.body);
    const std::size_t posted = legs_of(legs, id).size();
    if (asked && posted != 0) {
      expect(result,
             posted <= asked->size(),
             "operation " + id.str() + " of " + std::to_string(asked->size()) + " leg(s) has " +
                 std::to_string(posted) + " in the journal");
    }
    if (!is_recorded(evidence, legs, id)) continue;
    for (const Call* call : attempts) applied_of_intent[intent_of(*call)].insert(id);
  }
  for (const auto& [intent, ids] : applied_of_intent) {
    expect(result,
           ids.size() <= 1,
           intent + " was carried out " + std::to_string(ids.size()) + " times");
  }
  return result;
}

CheckResult check_replays(const Evidence& evidence) {
  CheckResult result = result_for("I7");
  std::map<OperationId, std::string> answers;
  for (const auto& [id, receipt] : evidence.image.operations) {
    answers.emplace(id, receipt_text(receipt));
  }
  for (const Call& call : evidence.calls) {
    if (!call.receipt) continue;
    const std::string text = receipt_text(*call.receipt);
    const auto [first, is_first] = answers.emplace(call.operation.id, text);
    if (is_first) continue;
    expect(result,
           first->second == text,
           "operation " + call.operation.id.str() + " was answered with \"" + text +
               "\" and with \"" + first->second + '"');
  }
  return result;
}

namespace {

/// The balances that a wallet can have had while `call` was running.
class PossibleBalances {
 public:
  PossibleBalances(const Evidence& evidence,
                   const WalletImage& wallet,
                   const std::map<OperationId, std::vector<const Call*>>& calls)
      : wallet_(wallet) {
    steps_.push_back({MinorUnits{0}, 0, 0});
    for (const LegImage& leg : evidence.image.journal) {
      if (leg.from != wallet.number && leg.to != wallet.number) continue;
      Step step;
      step.balance = leg.from == wallet.number ? leg.from_balance : leg.to_balance;
      const auto found = calls.find(leg.operation);
      if (found != calls.end()) {
        for (const Call* call : found->second) note(step, *call);
      }
      steps_.push_back(step);
    }
  }

  [[nodiscard]] bool contain(MinorUnits balance, const Call& call) const {
    std::size_t low = 0;
    std::size_t high = steps_.size() - 1;
    for (std::size_t index = 1; index < steps_.size(); ++index) {
      if (steps_[index].ended < call.invoked) low = index;
    }
    for (std::size_t index = steps_.size() - 1; index > 0; --index) {
      if (steps_[index].invoked > call.ended) high = index - 1;
    }
    for (std::size_t index = low; index <= high; ++index) {
      if (steps_[index].balance == balance) return true;
    }
    return false;
  }

  [[nodiscard]] const WalletImage& wallet() const { return wallet_; }

 private:
  struct Step {
    MinorUnits balance;
    std::uint64_t invoked = 0;
    std::uint64_t ended = UINT64_MAX;
  };

  static void note(Step& step, const Call& call) {
    if (step.invoked == 0 || call.invoked < step.invoked) step.invoked = call.invoked;
    if (call.end == CallEnd::ok) step.ended = std::min(step.ended, call.ended);
  }

  const WalletImage& wallet_;
  std::vector<Step> steps_;
};

/// The wallet that a call debits, where its body names just one.
std::optional<WalletId> debited_wallet(const Call& call) {
  const auto legs = stated_legs(call.operation.body);
  if (!legs || legs->size() != 1 || legs->front().from.empty()) return std::nullopt;
  return legs->front().from;
}

}  // namespace

CheckResult check_refusals(const Evidence& evidence) {
  CheckResult result = result_for("I12");
  const auto calls = index_calls(evidence.calls);
  std::map<WalletId, PossibleBalances> balances;
  for (const WalletImage& wallet : evidence.image.wallets) {
    balances.emplace(wallet.id, PossibleBalances(evidence, wallet, calls));
  }
  const bool has_holds = !evidence.image.holds.empty();
  for (const Call& call : evidence.calls) {
    if (call.code != Code::insufficient_funds || !call.available || !call.needed) continue;
    const auto debited = debited_wallet(call);
    if (!debited) continue;
    const auto found = balances.find(*debited);
    if (found == balances.end()) continue;
    const std::string name = "operation " + call.operation.id.str() + " was refused with " +
                             digits(*call.available) + " available and " + digits(*call.needed) +
                             " needed";
    const MinBalance floor = found->second.wallet().min_balance;
    expect(result,
           floor && WideUnits{call.available->value()} - call.needed->value() < floor->value(),
           name + ", which is affordable");
    if (has_holds) continue;
    expect(result,
           found->second.contain(*call.available, call),
           name + ", a balance that the wallet did not have then");
  }
  return result;
}

}  // namespace mizan::prover
