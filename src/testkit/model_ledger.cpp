#include "testkit/model_ledger.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <variant>

namespace mizan::testkit {
namespace {

/// What makes two requests the same, as text.
std::string content_of(const Operation& operation) {
  std::string text = std::to_string(operation.body.index());
  const auto put = [&text](std::string_view part) { text += "|" + std::string(part); };
  if (const auto* transfer = std::get_if<Transfer>(&operation.body)) {
    for (const Leg& leg : transfer->legs) {
      for (const auto part : {leg.from.view(), leg.to.view(), leg.currency.view()}) put(part);
      put(std::to_string(leg.amount.value()));
    }
  } else if (const auto* deposit = std::get_if<Deposit>(&operation.body)) {
    put(deposit->wallet.view());
    put(std::to_string(deposit->amount.value()));
  } else if (const auto* withdraw = std::get_if<Withdraw>(&operation.body)) {
    put(withdraw->wallet.view());
    put(std::to_string(withdraw->amount.value()));
  } else if (const auto* hold = std::get_if<CreateHold>(&operation.body)) {
    put(hold->wallet.view());
    put(hold->to.view());
    put(std::to_string(hold->amount.value()));
  } else if (const auto* capture = std::get_if<CaptureHold>(&operation.body)) {
    put(capture->hold.view());
    put(capture->amount ? std::to_string(capture->amount->value()) : "all");
  } else if (const auto* voided = std::get_if<VoidHold>(&operation.body)) {
    put(voided->hold.view());
  } else if (const auto* reverse = std::get_if<Reverse>(&operation.body)) {
    put(reverse->operation.view());
  }
  for (const auto& [key, value] : operation.metadata.items()) put(key + "=" + value);
  return text;
}

}  // namespace

void ModelLedger::create(const NewWallet& made) {
  ModelWallet wallet;
  wallet.currency = made.currency;
  wallet.min_balance = made.min_balance;
  wallets_.emplace(made.id, wallet);
}

void ModelLedger::set_status(const WalletId& wallet, WalletStatus status) {
  wallets_.at(wallet).status = status;
}

Code ModelLedger::apply(const Operation& operation) {
  const std::string content = content_of(operation);
  if (const auto known = past_.find(operation.id); known != past_.end()) {
    return known->second.content == content ? Code::already_applied : Code::operation_mismatch;
  }
  std::vector<Move> moves;
  const Code code = decide(operation, moves);
  if (code == Code::applied) past_[operation.id] = {content, type_of(operation.body), moves};
  return code;
}

Code ModelLedger::decide(const Operation& operation, std::vector<Move>& moves) {
  if (const auto* transfer = std::get_if<Transfer>(&operation.body)) {
    for (const Leg& leg : transfer->legs) moves.push_back({leg.from, leg.to, leg.amount.value()});
  } else if (const auto* deposit = std::get_if<Deposit>(&operation.body)) {
    moves.push_back({{}, deposit->wallet, deposit->amount.value()});
  } else if (const auto* withdraw = std::get_if<Withdraw>(&operation.body)) {
    moves.push_back({withdraw->wallet, {}, withdraw->amount.value()});
  } else if (const auto* hold = std::get_if<CreateHold>(&operation.body)) {
    return decide_hold(operation.id, *hold);
  } else if (const auto* capture = std::get_if<CaptureHold>(&operation.body)) {
    return decide_capture(*capture, moves);
  } else if (const auto* voided = std::get_if<VoidHold>(&operation.body)) {
    return decide_void(*voided);
  } else if (const auto* reverse = std::get_if<Reverse>(&operation.body)) {
    return decide_reverse(*reverse, moves);
  }
  return carry_out(moves);
}

Code ModelLedger::decide_hold(const OperationId& id, const CreateHold& hold) {
  const Move move{hold.wallet, hold.to, hold.amount.value()};
  if (const Code code = check({move}); code != Code::applied) return code;
  ModelWallet& wallet = wallets_.at(hold.wallet);
  if (!affords(wallet, move.amount)) return Code::insufficient_funds;
  wallet.held += move.amount;
  holds_[id] = {hold.wallet, hold.to, move.amount};
  return Code::applied;
}

Code ModelLedger::decide_capture(const CaptureHold& capture, std::vector<Move>& moves) {
  const auto hold = holds_.find(capture.hold);
  if (hold == holds_.end()) return Code::hold_not_found;
  Reserved& reserved = hold->second;
  const std::int64_t amount = capture.amount ? capture.amount->value() : reserved.remaining;
  const Move move{reserved.wallet, reserved.to, amount};
  // An ended hold has nothing left; its wallets are looked at before it is.
  const Code code = check({move});
  if (code != Code::applied && code != Code::invalid_amount) return code;
  if (code == Code::invalid_amount && capture.amount) return code;
  if (reserved.remaining == 0) return Code::hold_not_open;
  if (amount > reserved.remaining) return Code::limit_exceeded;
  ModelWallet& wallet = wallets_.at(reserved.wallet);
  wallet.held -= amount;
  reserved.remaining -= amount;
  moves.push_back(move);
  return carry_out(moves);
}

Code ModelLedger::decide_void(const VoidHold& request) {
  const auto hold = holds_.find(request.hold);
  if (hold == holds_.end()) return Code::hold_not_found;
  if (hold->second.remaining == 0) return Code::hold_not_open;
  wallets_.at(hold->second.wallet).held -= hold->second.remaining;
  hold->second.remaining = 0;
  return Code::applied;
}

Code ModelLedger::decide_reverse(const Reverse& reverse, std::vector<Move>& moves) {
  const auto target = past_.find(reverse.operation);
  if (target == past_.end()) return Code::operation_not_found;
  const bool reversible = target->second.type == OperationType::transfer ||
                          target->second.type == OperationType::deposit ||
                          target->second.type == OperationType::withdraw ||
                          target->second.type == OperationType::capture;
  if (!reversible) return Code::not_reversible;
  for (auto move = target->second.moves.rbegin(); move != target->second.moves.rend(); ++move) {
    moves.push_back({move->to, move->from, move->amount});
  }
  // Who is not active is named before the reversal's own state (the order of the outcomes).
  if (const Code code = check(moves); code != Code::applied) return code;
  if (reversed_.contains(reverse.operation)) return Code::already_reversed;
  const Code code = carry_out(moves);
  if (code == Code::applied) reversed_.insert(reverse.operation);
  return code;
}

Code ModelLedger::check(const std::vector<Move>& moves) const {
  Code first = Code::applied;
  const auto refuse = [&first](Code code) {
    if (first == Code::applied || code < first) first = code;
  };
  for (const Move& move : moves) {
    const ModelWallet* sides[] = {nullptr, nullptr};
    std::size_t side = 0;
    for (const WalletId* id : {&move.from, &move.to}) {
      const auto found = wallets_.find(*id);
      if (found != wallets_.end()) sides[side] = &found->second;
      if (found == wallets_.end() && !id->empty()) refuse(Code::wallet_not_found);
      ++side;
    }
    for (const ModelWallet* wallet : sides) {
      if (wallet == nullptr) continue;
      if (wallet->status == WalletStatus::frozen) refuse(Code::wallet_frozen);
      if (wallet->status == WalletStatus::closed) refuse(Code::wallet_closed);
    }
    if (sides[0] != nullptr && sides[1] != nullptr && sides[0]->currency != sides[1]->currency) {
      refuse(Code::currency_mismatch);
    }
    if (sides[0] != nullptr && sides[0] == sides[1]) refuse(Code::same_wallet);
    if (move.amount <= 0) refuse(Code::invalid_amount);
  }
  return first;
}

Code ModelLedger::carry_out(const std::vector<Move>& moves) {
  if (const Code code = check(moves); code != Code::applied) return code;
  std::map<WalletId, ModelWallet> after = wallets_;
  bool short_of_funds = false;
  for (const Move& move : moves) {
    if (!move.from.empty()) {
      ModelWallet& from = after.at(move.from);
      short_of_funds = short_of_funds || !affords(from, move.amount);
      from.balance -= move.amount;
      ++from.entries;
    }
    if (!move.to.empty()) {
      ModelWallet& to = after.at(move.to);
      to.balance += move.amount;
      ++to.entries;
    }
  }
  if (short_of_funds) return Code::insufficient_funds;
  wallets_ = std::move(after);
  return Code::applied;
}

bool ModelLedger::affords(const ModelWallet& wallet, std::int64_t amount) {
  if (!wallet.min_balance) return true;
  return wallet.balance - wallet.held - amount >= wallet.min_balance->value();
}

}  // namespace mizan::testkit
