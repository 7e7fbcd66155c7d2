#include "bench/target.hpp"

#include "mizan/memory.hpp"
#include "mizan/sqlite.hpp"

#include "bench/interrupt.hpp"
#include "bench/transfer_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace mizan::bench {

namespace {

constexpr std::size_t wallets_per_transaction = 10'000;
constexpr std::size_t operations_per_batch = 8'190;
constexpr auto patience = std::chrono::minutes(1);
constexpr std::int64_t wealth = 1'000'000'000'000;  // No debit of a run is ever refused.
constexpr std::string_view currency = "EUR";

Result<std::unique_ptr<Store>> open_file(const std::filesystem::path& file) {
  SqliteOptions options;
  options.file = file;
  return open_sqlite_store(std::move(options), system_clock());
}

NewWallet new_wallet(const WalletId& id) {
  NewWallet wallet;
  wallet.id = id;
  wallet.currency = CurrencyCode{currency};
  return wallet;
}

/// Many wallets in one database transaction: a million durable ones one by one take minutes.
Status insert_wallets(Store& store, std::span<const WalletId> ids) {
  auto transaction = store.begin(system_clock().now() + patience);
  if (!transaction) return std::move(transaction).error();
  const Timestamp now = system_clock().wall_now();
  for (const WalletId& id : ids) {
    const auto inserted = (*transaction)->insert_wallet(new_wallet(id), now);
    if (!inserted) return inserted.error();
    if (!*inserted) return internal_error("bench", "a wallet of a new store exists already");
  }
  return (*transaction)->commit();
}

Status apply_all(Ledger& ledger, std::span<const Operation> operations, Code expected) {
  CallOptions options;
  options.strategy = Strategy::batched;
  for (const auto& answer : ledger.apply_batch(operations, Atomicity::independent, options)) {
    if (!answer) return answer.error();
    if (code_of(*answer) != expected) {
      return internal_error("bench", "an operation on a new ledger was not answered as expected");
    }
  }
  return {};
}

Error interrupted() {
  return unavailable("bench", "ended by a signal");
}

}  // namespace

std::string_view to_string(StoreKind kind) noexcept {
  switch (kind) {
    case StoreKind::sqlite:
      return "sqlite";
    case StoreKind::memory:
      return "memory";
    case StoreKind::postgres:
      return "postgres";
    case StoreKind::mariadb:
      return "mariadb";
  }
  return "";
}

Result<std::unique_ptr<ServerPlace>> make_server_place(StoreKind kind, const std::string& url) {
  return kind == StoreKind::mariadb ? make_mariadb_place(url) : make_postgres_place(url);
}

Target::Target(const Options& options)
    : options_(options), wallets_(wallet_names(options.wallets)) {}

Result<std::unique_ptr<Target>> Target::make(const Options& options) {
  std::unique_ptr<Target> target(new Target(options));
  if (auto done = target->make_place(); !done) return std::move(done).error();
  if (auto done = target->open(); !done) return std::move(done).error();
  if (auto done = target->add_wallets(); !done) return std::move(done).error();
  if (auto done = target->add_money(); !done) return std::move(done).error();
  if (auto done = target->reopen(); !done) return std::move(done).error();
  const auto bytes = target->store_->disk_bytes();
  if (!bytes) return bytes.error();
  target->bytes_before_ = *bytes;
  if (options.cold) return target;
  if (auto done = target->meet_wallets(); !done) return std::move(done).error();
  return target;
}

Status Target::make_place() {
  if (options_.store == StoreKind::sqlite) {
    auto scratch = Scratch::make(options_.directory);
    if (!scratch) return std::move(scratch).error();
    scratch_.emplace(std::move(*scratch));
  }
  if (is_server(options_.store)) {
    auto place = make_server_place(options_.store, options_.url);
    if (!place) return std::move(place).error();
    place_ = std::move(*place);
  }
  return {};
}

Status Target::open() {
  Result<std::unique_ptr<Store>> store = scratch_ ? open_file(scratch_->path() / "bench.mizan")
                                         : place_ ? place_->open_store()
                                                  : make_memory_store(system_clock());
  if (!store) return std::move(store).error();
  store_ = std::move(*store);
  if (const auto migrated = store_->migrate(); !migrated) return migrated.error();
  durability_ = store_->describe().durability;
  LedgerOptions ledger;
  ledger.strategy = options_.strategy;
  ledger_ = std::make_unique<Ledger>(*store_, system_clock(), ledger);
  return {};
}

Status Target::add_wallets() {
  const std::span<const WalletId> all(wallets_);
  for (std::size_t i = 0; i < all.size(); i += wallets_per_transaction) {
    if (is_interrupted()) return interrupted();
    const std::size_t count = std::min(wallets_per_transaction, all.size() - i);
    if (auto done = insert_wallets(*store_, all.subspan(i, count)); !done) return done;
  }
  return {};
}

/// One operation for each wallet, all answered with `expected`.
Status Target::apply_to_each(const std::function<Operation(std::size_t)>& make, Code expected) {
  std::vector<Operation> operations;
  for (std::size_t i = 0; i < wallets_.size(); ++i) {
    operations.push_back(make(i));
    if (operations.size() < operations_per_batch && i + 1 < wallets_.size()) continue;
    if (is_interrupted()) return interrupted();
    if (auto done = apply_all(*ledger_, operations, expected); !done) return done;
    operations.clear();
  }
  return {};
}

Status Target::add_money() {
  const auto make = [this](std::size_t i) {
    Operation deposit;
    deposit.id = OperationId{fmt::format("0-deposit-{:07}", i)};
    deposit.body = Deposit{wallets_[i], MinorUnits{wealth}, {}};
    return deposit;
  };
  return apply_to_each(make, Code::applied);
}

/// As in a ledger that has been in service for a while. What is refused leaves nothing behind.
Status Target::meet_wallets() {
  const auto make = [this](std::size_t i) {
    Operation withdrawal;
    withdrawal.id = OperationId{fmt::format("0-too-much-{:07}", i)};
    withdrawal.body = Withdraw{wallets_[i], MinorUnits{2 * wealth}, {}};
    return withdrawal;
  };
  return apply_to_each(make, Code::insufficient_funds);
}

Status Target::reopen() {
  if (options_.store == StoreKind::memory) return {};  // It would be empty.
  ledger_.reset();
  store_.reset();
  return open();
}

Result<std::string> Target::leave() {
  if (!scratch_) return invalid_request("bench", "only a file can be left to another process");
  ledger_.reset();
  store_.reset();
  return "sqlite:" + (scratch_->path() / "bench.mizan").string();
}

Status Target::verify(std::uint64_t transfers) {
  if (auto reopened = reopen(); !reopened) return reopened;
  const auto report = mizan::verify(*store_);
  if (!report) return report.error();
  if (!report->violations.empty()) {
    const Violation& first = report->violations.front();
    return internal_error("verify", first.invariant + ": " + first.detail);
  }
  const std::uint64_t expected = transfers + wallets_.size();  // A deposit for each wallet.
  if (report->operations != expected) {
    return internal_error(
        "verify",
        fmt::format(
            "the ledger holds {} operations, {} were applied", report->operations, expected));
  }
  return {};
}

Result<std::optional<double>> Target::bytes_per_transfer(std::uint64_t transfers) {
  if (options_.store == StoreKind::memory || transfers == 0) return std::optional<double>();
  const auto bytes = store_->disk_bytes();
  if (!bytes) return bytes.error();
  if (*bytes <= bytes_before_) return std::optional<double>(0);
  return std::optional(static_cast<double>(*bytes - bytes_before_) /
                       static_cast<double>(transfers));
}

}  // namespace mizan::bench
