#include "tests/property/model.hpp"

#include <limits>

namespace mizan::property {
namespace {

using Wide = WideUnits;

bool fits(Wide value) {
  return value >= std::numeric_limits<std::int64_t>::min() &&
         value <= std::numeric_limits<std::int64_t>::max();
}

std::string number(std::int64_t value) {
  return "|" + std::to_string(value);
}

std::string content_of(const Leg& leg) {
  return "|" + leg.from.str() + ">" + leg.to.str() + number(leg.amount.value()) + "|" +
         leg.currency.str();
}

}  // namespace

std::string content_of(const Operation& operation) {
  std::string text(to_string(type_of(operation.body)));
  if (const auto* transfer = std::get_if<Transfer>(&operation.body)) {
    for (const Leg& leg : transfer->legs) text += content_of(leg);
  } else if (const auto* deposit = std::get_if<Deposit>(&operation.body)) {
    text += content_of(Leg{{}, deposit->wallet, deposit->amount, deposit->currency});
  } else if (const auto* withdraw = std::get_if<Withdraw>(&operation.body)) {
    text += content_of(Leg{withdraw->wallet, {}, withdraw->amount, withdraw->currency});
  } else if (const auto* hold = std::get_if<CreateHold>(&operation.body)) {
    text += content_of(Leg{hold->wallet, hold->to, hold->amount, hold->currency});
    text += hold->expires_in ? number(hold->expires_in->count()) : "|never";
  } else if (const auto* capture = std::get_if<CaptureHold>(&operation.body)) {
    text += "|" + capture->hold.str();
    text += capture->amount ? number(capture->amount->value()) : "|rest";
  } else if (const auto* voided = std::get_if<VoidHold>(&operation.body)) {
    text += "|" + voided->hold.str();
  } else {
    text += "|" + std::get<Reverse>(operation.body).operation.str();
  }
  for (const auto& [key, value] : operation.metadata.items()) text += "|" + key + "=" + value;
  return text;
}

void Model::create(const std::string& id,
                   const std::string& currency,
                   std::optional<std::int64_t> limit) {
  Wallet wallet;
  wallet.currency = currency;
  wallet.min_balance = limit;
  wallets_[id] = wallet;
}

void Model::advance(std::int64_t microseconds) {
  now_ += microseconds;
  for (auto& [id, hold] : holds_) {
    if (hold.status != 'o' || !hold.expires_at || *hold.expires_at > now_) continue;
    hold.status = 'e';
    wallets_.at(hold.wallet).held -= hold.amount - hold.captured;
  }
}

bool Model::set_status(const std::string& id, char status) {
  const auto found = wallets_.find(id);
  if (found == wallets_.end() || found->second.status == 'c') return false;
  if (status == 'c' && (found->second.balance != 0 || found->second.held != 0)) return false;
  found->second.status = status;
  return true;
}

bool Model::set_limit(const std::string& id, std::optional<std::int64_t> limit) {
  const auto found = wallets_.find(id);
  if (found == wallets_.end() || found->second.status == 'c') return false;
  if (limit && Wide{found->second.balance} - found->second.held < *limit) return false;
  found->second.min_balance = limit;
  return true;
}

WideUnits Model::brought_in(const std::string& currency) const {
  const auto found = brought_in_.find(currency);
  return found == brought_in_.end() ? WideUnits{0} : found->second;
}

Code Model::apply(const Operation& operation) {
  const auto known = records_.find(operation.id.str());
  if (known != records_.end()) {
    return known->second.content == content_of(operation) ? Code::already_applied
                                                          : Code::operation_mismatch;
  }
  if (!fences_pass(operation)) return Code::stale_fence;
  std::set<Code> refusals;
  const Case one = understand(operation, refusals);
  judge_wallets(operation, one, refusals);
  if (!refusals.contains(Code::wallet_not_found)) judge_conditions(operation, refusals);
  judge_money(one, refusals);
  if (!refusals.empty()) return *refusals.begin();  // Codes are numbered in order of precedence.
  carry_out(operation, one);
  return Code::applied;
}

std::vector<Code> Model::apply_all_or_none(const std::vector<Operation>& operations) {
  const Model before = *this;
  std::vector<Code> codes;
  for (const Operation& operation : operations) {
    codes.push_back(apply(operation));
    const Code code = codes.back();
    if (code == Code::applied || code == Code::already_applied) continue;
    *this = before;
    return refused_together(operations, code);
  }
  return codes;
}

/// What was applied before the batch is answered as such; everything else with the refusal.
std::vector<Code> Model::refused_together(const std::vector<Operation>& operations,
                                          Code refusal) const {
  std::vector<Code> codes;
  for (const Operation& operation : operations) {
    Model probe = *this;
    const bool was_applied = probe.apply(operation) == Code::already_applied;
    codes.push_back(was_applied ? Code::already_applied : refusal);
  }
  return codes;
}

bool Model::fences_pass(const Operation& operation) const {
  for (const Fence& fence : operation.fences) {
    const auto mark = marks_.find(fence.resource.str());
    if (mark == marks_.end() || fence.token > mark->second.token) continue;
    const bool same = fence.token == mark->second.token && fence.owner == mark->second.owner;
    if (!same || fence.owner.empty()) return false;
  }
  return true;
}

Model::Case Model::understand(const Operation& operation, std::set<Code>& refusals) {
  Case one;
  one.kind = to_string(type_of(operation.body));
  const auto post = [&one](const WalletId& from,
                           const WalletId& to,
                           MinorUnits amount,
                           const CurrencyCode& currency) {
    one.postings.push_back({from.str(), to.str(), amount.value(), currency.str()});
  };
  if (const auto* transfer = std::get_if<Transfer>(&operation.body)) {
    for (const Leg& leg : transfer->legs) post(leg.from, leg.to, leg.amount, leg.currency);
  } else if (const auto* deposit = std::get_if<Deposit>(&operation.body)) {
    post({}, deposit->wallet, deposit->amount, deposit->currency);
  } else if (const auto* withdraw = std::get_if<Withdraw>(&operation.body)) {
    post(withdraw->wallet, {}, withdraw->amount, withdraw->currency);
  } else if (const auto* hold = std::get_if<CreateHold>(&operation.body)) {
    post(hold->wallet, hold->to, hold->amount, hold->currency);
  } else if (const auto* capture = std::get_if<CaptureHold>(&operation.body)) {
    std::optional<std::int64_t> amount;
    if (capture->amount) amount = capture->amount->value();
    understand_hold(capture->hold.str(), amount, one, refusals);
  } else if (const auto* voided = std::get_if<VoidHold>(&operation.body)) {
    understand_hold(voided->hold.str(), std::nullopt, one, refusals);
  } else {
    understand_reversal(std::get<Reverse>(operation.body).operation.str(), one, refusals);
  }
  return one;
}

void Model::understand_hold(const std::string& id,
                            const std::optional<std::int64_t>& amount,
                            Case& one,
                            std::set<Code>& refusals) {
  if (amount && *amount <= 0) refusals.insert(Code::invalid_amount);
  const auto found = holds_.find(id);
  if (found == holds_.end()) {
    refusals.insert(Code::hold_not_found);
    return;
  }
  one.hold = &found->second;
  const std::int64_t rest = one.hold->amount - one.hold->captured;
  if (one.hold->status != 'o') {
    refusals.insert(Code::hold_not_open);
  } else if (amount.value_or(rest) > rest) {
    refusals.insert(Code::limit_exceeded);
  }
  one.postings.push_back({one.hold->wallet, one.hold->to, amount.value_or(rest), ""});
}

void Model::understand_reversal(const std::string& id, Case& one, std::set<Code>& refusals) {
  const auto found = records_.find(id);
  if (found == records_.end()) {
    refusals.insert(Code::operation_not_found);
    return;
  }
  Record& record = found->second;
  if (record.kind == "hold" || record.kind == "void" || record.kind == "reverse") {
    refusals.insert(Code::not_reversible);
    return;
  }
  if (record.reversed) refusals.insert(Code::already_reversed);
  one.reversed = &record;
  for (auto it = record.postings.rbegin(); it != record.postings.rend(); ++it) {
    one.postings.push_back({it->to, it->from, it->amount, ""});
  }
}

void Model::judge_wallets(const Operation& operation,
                          const Case& one,
                          std::set<Code>& refusals) const {
  for (const Condition& condition : operation.conditions) {
    if (!wallets_.contains(condition.wallet.str())) refusals.insert(Code::wallet_not_found);
  }
  if (one.kind == "void") return;  // Gives back what is somebody's own, whatever they are.
  for (const Posting& posting : one.postings) {
    std::set<std::string> currencies;
    for (const bool receiver : {false, true}) {
      const std::string& id = receiver ? posting.to : posting.from;
      if (id.empty()) continue;
      const auto found = wallets_.find(id);
      if (found == wallets_.end()) {
        refusals.insert(Code::wallet_not_found);
        continue;
      }
      const bool untouched = one.kind == "hold" && receiver;
      if (found->second.status == 'f' && !untouched) refusals.insert(Code::wallet_frozen);
      if (found->second.status == 'c') refusals.insert(Code::wallet_closed);
      currencies.insert(found->second.currency);
    }
    if (!posting.stated_currency.empty()) currencies.insert(posting.stated_currency);
    if (currencies.size() > 1) refusals.insert(Code::currency_mismatch);
    if (posting.from == posting.to) refusals.insert(Code::same_wallet);
    if (posting.amount <= 0 && !refusals.contains(Code::hold_not_open)) {
      refusals.insert(Code::invalid_amount);
    }
  }
}

void Model::judge_conditions(const Operation& operation, std::set<Code>& refusals) const {
  for (const Condition& condition : operation.conditions) {
    const Wallet& wallet = wallets_.at(condition.wallet.str());
    const Wide available = Wide{wallet.balance} - wallet.held;
    const bool holds =
        condition.version.value_or(wallet.version) == wallet.version &&
        condition.min_balance.value_or(MinorUnits{wallet.balance}).value() <= wallet.balance &&
        condition.max_balance.value_or(MinorUnits{wallet.balance}).value() >= wallet.balance &&
        (!condition.min_available || available >= condition.min_available->value());
    if (!holds) refusals.insert(Code::condition_failed);
  }
}

void Model::judge_money(const Case& one, std::set<Code>& refusals) const {
  for (const Code code : {Code::wallet_not_found, Code::invalid_amount, Code::hold_not_open}) {
    if (refusals.contains(code)) return;  // There is nothing to count with.
  }
  if (one.kind == "void") return;
  std::map<std::string, Wide> balances;
  std::map<std::string, Wide> held;
  for (const auto& [id, wallet] : wallets_) {
    balances[id] = wallet.balance;
    held[id] = wallet.held;
  }
  const auto leaves_range = [&](const std::string& id) {
    return !fits(balances[id]) || !fits(held[id]) || !fits(balances[id] - held[id]);
  };
  for (const Posting& posting : one.postings) {
    if (!posting.from.empty()) {
      const Wallet& payer = wallets_.at(posting.from);
      const bool reserved = one.kind == "capture";
      const Wide left = balances[posting.from] - held[posting.from] - posting.amount;
      if (!reserved && payer.min_balance && left < *payer.min_balance) {
        refusals.insert(Code::insufficient_funds);
      }
      if (reserved) held[posting.from] -= posting.amount;
      (one.kind == "hold" ? held : balances)[posting.from] +=
          one.kind == "hold" ? Wide{posting.amount} : -Wide{posting.amount};
      if (leaves_range(posting.from)) {
        refusals.insert(Code::limit_exceeded);
        return;
      }
    }
    if (!posting.to.empty() && one.kind != "hold") {
      balances[posting.to] += posting.amount;
      if (leaves_range(posting.to)) {
        refusals.insert(Code::limit_exceeded);
        return;
      }
    }
  }
}

void Model::carry_out(const Operation& operation, const Case& one) {
  for (const Fence& fence : operation.fences) marks_[fence.resource.str()] = fence;
  if (const auto* request = std::get_if<CreateHold>(&operation.body)) {
    Hold hold{request->wallet.str(), request->to.str(), request->amount.value(), 0, 'o', {}};
    if (request->expires_in) hold.expires_at = now_ + request->expires_in->count();
    wallets_.at(hold.wallet).held += hold.amount;
    holds_[operation.id.str()] = hold;
  } else if (one.kind == "void") {
    one.hold->status = 'v';
    wallets_.at(one.hold->wallet).held -= one.hold->amount - one.hold->captured;
  } else {
    for (const Posting& posting : one.postings) {
      if (one.hold != nullptr) {
        wallets_.at(posting.from).held -= posting.amount;
        one.hold->captured += posting.amount;
        if (one.hold->captured == one.hold->amount) one.hold->status = 'c';
      }
      const std::string& known = posting.from.empty() ? posting.to : posting.from;
      const std::string currency = wallets_.at(known).currency;
      if (posting.from.empty()) {
        brought_in_[currency] += posting.amount;
      } else {
        wallets_.at(posting.from).balance -= posting.amount;
        ++wallets_.at(posting.from).version;
      }
      if (posting.to.empty()) {
        brought_in_[currency] -= posting.amount;
      } else {
        wallets_.at(posting.to).balance += posting.amount;
        ++wallets_.at(posting.to).version;
      }
    }
  }
  if (one.reversed != nullptr) one.reversed->reversed = true;
  Record record{content_of(operation), one.kind, {}, false};
  if (one.kind != "hold" && one.kind != "void") record.postings = one.postings;
  records_[operation.id.str()] = record;
}

}  // namespace mizan::property
