#include "testkit/builders.hpp"

#include "base/assert.hpp"

#include <utility>

namespace mizan::testkit {
namespace {

Metadata metadata_of(const std::vector<Metadata::Item>& items) {
  if (items.empty()) return {};
  auto made = Metadata::make(items);
  MIZAN_ASSERT(made.has_value());
  return std::move(made).value();
}

}  // namespace

Timestamp test_epoch() noexcept {
  return std::chrono::sys_days(std::chrono::year(2026) / std::chrono::January / 1);
}

Timestamp at_second(std::int64_t seconds) noexcept {
  return test_epoch() + std::chrono::seconds(seconds);
}

WalletBuilder::WalletBuilder(std::string_view id) {
  wallet_.id = WalletId(id);
  wallet_.currency = CurrencyCode("EUR");
}

WalletBuilder& WalletBuilder::in(std::string_view currency) {
  wallet_.currency = CurrencyCode(currency);
  return *this;
}

WalletBuilder& WalletBuilder::min_balance(std::int64_t units) {
  wallet_.min_balance = MinorUnits{units};
  return *this;
}

WalletBuilder& WalletBuilder::unlimited() {
  wallet_.min_balance = std::nullopt;
  return *this;
}

WalletBuilder& WalletBuilder::with(std::string_view key, std::string_view value) {
  metadata_.emplace_back(key, value);
  return *this;
}

NewWallet WalletBuilder::build() const {
  NewWallet wallet = wallet_;
  wallet.metadata = metadata_of(metadata_);
  return wallet;
}

WalletBuilder wallet(std::string_view id) {
  return WalletBuilder(id);
}

OperationBuilder::OperationBuilder(std::string_view id, OperationBody body) {
  operation_.id = OperationId(id);
  operation_.body = std::move(body);
}

OperationBuilder& OperationBuilder::with(std::string_view key, std::string_view value) {
  metadata_.emplace_back(key, value);
  return *this;
}

OperationBuilder& OperationBuilder::fence(std::string_view resource,
                                          std::int64_t token,
                                          std::string_view owner) {
  operation_.fences.push_back(testkit::fence(resource, token, owner));
  return *this;
}

OperationBuilder& OperationBuilder::condition(Condition condition) {
  operation_.conditions.push_back(condition);
  return *this;
}

OperationBuilder& OperationBuilder::if_version(std::string_view wallet, std::uint64_t version) {
  Condition condition;
  condition.wallet = WalletId(wallet);
  condition.version = version;
  return this->condition(condition);
}

OperationBuilder& OperationBuilder::to(std::string_view wallet) {
  CreateHold* hold = std::get_if<CreateHold>(&operation_.body);
  MIZAN_ASSERT(hold != nullptr);
  hold->to = WalletId(wallet);
  return *this;
}

OperationBuilder& OperationBuilder::expires_in(std::chrono::microseconds time) {
  CreateHold* hold = std::get_if<CreateHold>(&operation_.body);
  MIZAN_ASSERT(hold != nullptr);
  hold->expires_in = time;
  return *this;
}

Operation OperationBuilder::build() const {
  Operation operation = operation_;
  operation.metadata = metadata_of(metadata_);
  return operation;
}

OperationBuilder transfer(std::string_view id,
                          std::string_view from,
                          std::string_view to,
                          std::int64_t amount) {
  return transfer(id, {{from, to, amount}});
}

OperationBuilder transfer(std::string_view id, std::initializer_list<LegText> legs) {
  Transfer body;
  for (const LegText& leg : legs) {
    body.legs.push_back(
        {WalletId(leg.from), WalletId(leg.to), MinorUnits{leg.amount}, CurrencyCode(leg.currency)});
  }
  return {id, std::move(body)};
}

OperationBuilder deposit(std::string_view id, std::string_view wallet, std::int64_t amount) {
  return {id, Deposit{WalletId(wallet), MinorUnits{amount}, {}}};
}

OperationBuilder withdraw(std::string_view id, std::string_view wallet, std::int64_t amount) {
  return {id, Withdraw{WalletId(wallet), MinorUnits{amount}, {}}};
}

OperationBuilder hold(std::string_view id, std::string_view wallet, std::int64_t amount) {
  CreateHold body;
  body.wallet = WalletId(wallet);
  body.amount = MinorUnits{amount};
  return {id, body};
}

OperationBuilder capture(std::string_view id,
                         std::string_view hold,
                         std::optional<std::int64_t> amount) {
  CaptureHold body;
  body.hold = OperationId(hold);
  if (amount) body.amount = MinorUnits{*amount};
  return {id, body};
}

OperationBuilder void_hold(std::string_view id, std::string_view hold) {
  return {id, VoidHold{OperationId(hold)}};
}

OperationBuilder reverse(std::string_view id, std::string_view operation) {
  return {id, Reverse{OperationId(operation)}};
}

Fence fence(std::string_view resource, std::int64_t token, std::string_view owner) {
  return {Resource(resource), FenceToken{token}, LockOwner(owner)};
}

}  // namespace mizan::testkit
