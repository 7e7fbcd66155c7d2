#include "tests/property/player.hpp"

#include "mizan/memory.hpp"

#include "tests/golden/receipt_text.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <optional>

namespace mizan::property {
namespace {

constexpr std::array<const char*, 7> names{
    "alice", "bob", "owes", "bank", "yen", "carol", "nobody"};

WalletId name_of(std::uint8_t number) {
  return WalletId{names.at(number)};
}

constexpr std::array strategies = {
    Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic};

std::optional<std::int64_t> digits(const MinBalance& limit) {
  if (!limit) return std::nullopt;
  return limit->value();
}

char letter_of(WalletStatus status) {
  return to_string(status).front();
}

char letter_of(HoldStatus status) {
  return to_string(status).front();
}

}  // namespace

Player::Player() : store_(make_memory_store(clock_)) {
  for (auto& ledger : ledgers_) {
    ledger = std::make_unique<Ledger>(*store_, clock_, LedgerOptions{});
  }
  const auto create = [this](const char* id, const char* currency, MinBalance limit) {
    RC_ASSERT(ledgers_[0]->create_wallet({WalletId{id}, CurrencyCode{currency}, limit, {}}));
    model_.create(id, currency, digits(limit));
  };
  create("alice", "EUR", MinorUnits{0});
  create("bob", "EUR", MinorUnits{0});
  create("carol", "EUR", MinorUnits{0});
  create("owes", "EUR", MinorUnits{-50});
  create("bank", "EUR", std::nullopt);
  create("yen", "JPY", MinorUnits{0});
  for (const char* id : {"alice", "carol", "yen"}) {
    Operation seed;
    seed.id = OperationId{std::string("seed-") + id};
    seed.body = Deposit{WalletId{id}, MinorUnits{100}, {}};
    compare_answer(seed, model_.apply(seed), ledgers_[0]->apply(seed));
  }
}

OperationId Player::earlier(std::uint8_t back) const {
  if (back >= asked_.size()) return OperationId{"never-asked"};
  return asked_[asked_.size() - 1 - back].id;
}

OperationBody Player::body_for(const Wish& wish) const {
  const WalletId from = name_of(wish.from);
  const WalletId to = name_of(wish.to);
  const MinorUnits amount{wish.amount};
  switch (wish.verb) {
    case 0:
      return Deposit{to, amount, {}};
    case 1:
      return Withdraw{from, amount, {}};
    case 2:
      return CreateHold{from, amount, {}, std::chrono::minutes{10}, {}};
    case 3:
      return CreateHold{from, amount, to, std::nullopt, {}};
    case 4:
      return CaptureHold{earlier(wish.refers_to), amount};
    case 5:
      return CaptureHold{earlier(wish.refers_to), std::nullopt};
    case 6:
      return VoidHold{earlier(wish.refers_to)};
    case 7:
    case 8:
      return Reverse{earlier(wish.refers_to)};
    default:
      break;
  }
  Transfer transfer{{{from, to, amount, {}}}};
  for (std::uint8_t i = 0; i < wish.more_legs; ++i) {
    const auto next = static_cast<std::uint8_t>((wish.to + i) % 6);
    const auto after = static_cast<std::uint8_t>((wish.to + wish.refers_to + i + 1) % 6);
    transfer.legs.push_back({name_of(next), name_of(after), MinorUnits{wish.amount / 2 + 1}, {}});
  }
  return transfer;
}

/// What now and then comes with an operation.
void Player::twist(const Wish& wish, Operation& operation) const {
  if (wish.twist == 10) {
    if (auto* transfer = std::get_if<Transfer>(&operation.body)) {
      transfer->legs.back().currency = CurrencyCode{"JPY"};
    }
  }
  if (wish.twist >= 11 && wish.twist <= 14) {
    Condition condition;
    condition.wallet = name_of(wish.refers_to % 7);
    if (wish.twist == 11) condition.version = wish.more_legs;
    if (wish.twist == 12) condition.min_balance = MinorUnits{50};
    if (wish.twist == 13) condition.max_balance = MinorUnits{50};
    if (wish.twist == 14) condition.min_available = MinorUnits{10};
    operation.conditions.push_back(condition);
  }
  if (wish.twist >= 15 && wish.twist <= 17) {
    const LockOwner owner{wish.twist == 15 ? "" : (wish.twist == 16 ? "me" : "you")};
    operation.fences.push_back({Resource{"door"}, FenceToken{wish.refers_to}, owner});
  }
}

Operation Player::grant(const Wish& wish) {
  if (wish.twist < 6 && !asked_.empty()) {
    Operation repeated = asked_[asked_.size() - 1 - wish.refers_to % asked_.size()];
    if (wish.twist < 2) repeated.body = body_for(wish);
    if (wish.twist < 4) repeated.conditions.clear();
    return repeated;
  }
  Operation operation;
  // Ids of both orders, so that batches with ascending ids and others occur.
  const std::string serial = std::to_string(1'000 + asked_.size());
  operation.id = OperationId{(wish.twist % 2 == 0 ? "a" : "b") + serial};
  operation.body = body_for(wish);
  twist(wish, operation);
  asked_.push_back(operation);
  return operation;
}

void Player::play(const Step& step) {
  if (step.kind == 0) {
    constexpr auto time = std::chrono::minutes{4};
    clock_.advance(time);
    model_.advance(std::chrono::microseconds(time).count());
  } else if (step.kind <= 2) {
    play_wallet(step);
  } else if (step.kind == 3) {
    play_all_or_none(step);
  } else {
    play_operations(step);
  }
  RC_ASSERT(ledgers_[step.ledger]->expire_holds());
  compare_wallets();
  compare_holds();
}

void Player::play_wallet(const Step& step) {
  const WalletId id = name_of(step.wallet);
  WalletPatch patch;
  bool allowed = false;
  if (step.kind == 1) {
    const MinorUnits limit{-10 * step.strategy};
    patch.min_balance = MinBalance(limit);
    allowed = model_.set_limit(id.str(), limit.value());
  } else {
    // Freezing and thawing more often than closing, which ends a wallet's story.
    constexpr std::array wishes = {
        WalletStatus::frozen, WalletStatus::active, WalletStatus::active, WalletStatus::closed};
    patch.status = wishes.at(step.strategy);
    allowed = model_.set_status(id.str(), letter_of(*patch.status));
  }
  const auto patched = ledgers_[step.ledger]->patch_wallet(id, patch);
  RC_ASSERT(patched);
  RC_ASSERT(std::holds_alternative<Wallet>(*patched) == allowed);
}

void Player::play_operations(const Step& step) {
  CallOptions options;
  options.strategy = strategies.at(step.strategy);
  std::vector<Operation> operations;
  for (const Wish& wish : step.wishes) operations.push_back(grant(wish));
  std::vector<Code> expected;
  for (const Operation& operation : operations) expected.push_back(model_.apply(operation));
  std::vector<Result<Outcome>> actual;
  if (step.kind % 2 == 0) {
    actual = ledgers_[step.ledger]->apply_batch(operations, Atomicity::independent, options);
  } else {
    for (const Operation& operation : operations) {
      actual.push_back(ledgers_[step.ledger]->apply(operation, options));
    }
  }
  RC_ASSERT(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    compare_answer(operations[i], expected[i], actual[i]);
  }
}

void Player::play_all_or_none(const Step& step) {
  std::vector<Operation> operations;
  for (const Wish& wish : step.wishes) operations.push_back(grant(wish));
  const std::vector<Code> expected = model_.apply_all_or_none(operations);
  const auto actual = ledgers_[step.ledger]->apply_batch(operations, Atomicity::all_or_none, {});
  RC_ASSERT(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    compare_answer(operations[i], expected[i], actual[i]);
  }
}

void Player::compare_answer(const Operation& operation,
                            Code expected,
                            const Result<Outcome>& actual) {
  if (!actual) RC_FAIL(operation.id.str() + ": " + actual.error().detail);
  const Code code = code_of(*actual);
  if (code != expected) {
    RC_FAIL(operation.id.str() + " " + content_of(operation) + ": expected " +
            std::string(to_string(expected)) + ", came " + std::string(to_string(code)));
  }
  const Receipt* receipt = receipt_of(*actual);
  if (receipt == nullptr) return;
  const std::string text = golden::text_of(*receipt);
  const auto [first, is_new] = receipts_.emplace(operation.id, text);
  RC_ASSERT(first->second == text);
  RC_ASSERT(is_new == (code == Code::applied));
}

void Player::compare_wallets() {
  auto snapshot = store_->snapshot();
  RC_ASSERT(snapshot);
  for (const auto& [id, expected] : model_.wallets()) {
    const auto found = (*snapshot)->find_wallet(WalletId{id});
    RC_ASSERT(found);
    RC_ASSERT(found->has_value());
    const Wallet& actual = **found;
    RC_ASSERT(actual.balance.value() == expected.balance);
    RC_ASSERT(actual.held.value() == expected.held);
    RC_ASSERT(actual.version == expected.version);
    RC_ASSERT(letter_of(actual.status) == expected.status);
    RC_ASSERT(digits(actual.min_balance) == expected.min_balance);
    const auto entries = (*snapshot)->list_entries({WalletId{id}, {}, {}, {}, 1'000});
    RC_ASSERT(entries);
    RC_ASSERT(entries->items.size() == std::min<std::size_t>(expected.version, 1'000));
  }
  for (const char* currency : {"EUR", "JPY"}) {
    const auto world = (*snapshot)->find_world(CurrencyCode{currency});
    RC_ASSERT(world);
    const WideUnits outside = *world ? (*world)->balance : WideUnits{0};
    RC_ASSERT(outside == -model_.brought_in(currency));
    WideUnits sum = outside;
    for (const auto& [id, wallet] : model_.wallets()) {
      if (wallet.currency == currency) sum += wallet.balance;
    }
    RC_ASSERT(sum == 0);
  }
}

void Player::compare_holds() {
  auto snapshot = store_->snapshot();
  RC_ASSERT(snapshot);
  std::map<std::string, WideUnits> open;
  for (const auto& [id, expected] : model_.holds()) {
    const auto found = (*snapshot)->find_hold(OperationId{id});
    RC_ASSERT(found);
    RC_ASSERT(found->has_value());
    RC_ASSERT((*found)->captured.value() == expected.captured);
    RC_ASSERT(letter_of((*found)->status) == expected.status);
    if (expected.status == 'o') open[expected.wallet] += remaining(**found).value();
  }
  for (const auto& [id, wallet] : model_.wallets()) RC_ASSERT(open[id] == wallet.held);
}

void Player::check_promises() {
  const auto report = verify(*store_);
  RC_ASSERT(report);
  if (!report->violations.empty()) RC_FAIL(report->violations.front().detail);
  RC_ASSERT(report->wallets == model_.wallets().size());
  RC_ASSERT(report->holds == model_.holds().size());
}

}  // namespace mizan::property
