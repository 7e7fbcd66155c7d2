#include "bench/baseline/handwritten.hpp"

#include "mizan/clock.hpp"

#include "bench/baseline/setup.hpp"
#include "bench/baseline/statement.hpp"
#include "bench/cell.hpp"
#include "bench/histogram.hpp"
#include "bench/interrupt.hpp"
#include "bench/stopwatch.hpp"

#include <optional>
#include <utility>

namespace mizan::bench {

namespace {

constexpr std::int64_t wealth = 1'000'000'000'000;

constexpr const char* schema =
    "CREATE TABLE wallet (id TEXT PRIMARY KEY, balance INTEGER NOT NULL CHECK (balance >= 0))"
    " STRICT, WITHOUT ROWID;"
    "CREATE TABLE transfer (id TEXT NOT NULL UNIQUE, source TEXT NOT NULL,"
    " destination TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0),"
    " at INTEGER NOT NULL) STRICT";

}  // namespace

class Handwritten::Impl {
 public:
  static Result<std::unique_ptr<Impl>> make(const std::filesystem::path& file,
                                            std::span<const WalletId> wallets) {
    auto database = open_database(file.string());
    if (!database) return std::move(database).error();
    std::unique_ptr<Impl> impl(new Impl(std::move(*database), wallets));
    if (auto done = fill(impl->database_.get(), {schema, wealth}, wallets); !done) {
      return std::move(done).error();
    }
    if (auto done = impl->prepare(); !done) return std::move(done).error();
    return impl;
  }

  struct Measured {
    double per_second = 0;
    Histogram latency;  // Nanoseconds.
  };

  Result<Measured> measure(Pairing pairing, double seconds) {
    TransferSource source(wallets_, {pairing, IdOrder::time_ordered, ++seed_});
    Measured measured;
    const auto start = Ticks::now();
    const auto end = later(start, seconds);
    auto now = start;
    while (now < end && !is_interrupted()) {
      if (auto moved = transfer(source); !moved) return std::move(moved).error();
      const auto before = std::exchange(now, Ticks::now());
      measured.latency.record(nanoseconds_between(before, now));
    }
    const std::uint64_t done = measured.latency.count();
    applied_ += done;
    if (done > 0) measured.per_second = static_cast<double>(done) / seconds_between(start, now);
    return measured;
  }

  Status verify() {
    auto sum = Statement::prepare(database_.get(), "SELECT sum(balance) FROM wallet");
    if (!sum) return std::move(sum).error();
    auto count = Statement::prepare(database_.get(), "SELECT count(*) FROM transfer");
    if (!count) return std::move(count).error();
    const auto total = sum->number();
    if (!total) return total.error();
    const auto transfers = count->number();
    if (!transfers) return transfers.error();
    if (*total != wealth * static_cast<std::int64_t>(wallets_.size())) {
      return internal_error("baseline", "money appeared or vanished");
    }
    if (*transfers != static_cast<std::int64_t>(applied_)) {
      return internal_error("baseline", "a transfer is missing");
    }
    return {};
  }

 private:
  Impl(Database database, std::span<const WalletId> wallets)
      : database_(std::move(database)), wallets_(wallets) {}

  Status prepare() {
    const WantedStatement wanted[] = {
        {begin_, "BEGIN IMMEDIATE"},
        {record_, "INSERT INTO transfer VALUES (?1, ?2, ?3, ?4, ?5)"},
        {debit_, "UPDATE wallet SET balance = balance - ?2 WHERE id = ?1 AND balance >= ?2"},
        {credit_, "UPDATE wallet SET balance = balance + ?2 WHERE id = ?1"},
        {commit_, "COMMIT"},
    };
    return prepare_all(database_.get(), wanted);
  }

  Status change(Statement& statement, const WalletId& wallet, std::int64_t amount) {
    auto done = statement.bind(1, wallet.view()).bind(2, amount).run();
    if (!done) return done;
    if (sqlite3_changes(database_.get()) != 1) {
      return internal_error("baseline", "a wallet has too little money or is missing");
    }
    return {};
  }

  Status transfer(TransferSource& source) {
    const auto [from, to] = source.next_wallets();
    const std::int64_t amount = source.next_amount();
    const OperationId id = source.next_id();
    const auto at = system_clock().wall_now().time_since_epoch().count();
    if (auto done = begin_->run(); !done) return done;
    auto recorded = record_->bind(1, id.view())
                        .bind(2, wallets_[from].view())
                        .bind(3, wallets_[to].view())
                        .bind(4, amount)
                        .bind(5, static_cast<std::int64_t>(at))
                        .run();
    if (!recorded) return recorded;
    if (auto done = change(*debit_, wallets_[from], amount); !done) return done;
    if (auto done = change(*credit_, wallets_[to], amount); !done) return done;
    return commit_->run();
  }

  Database database_;
  std::span<const WalletId> wallets_;
  std::optional<Statement> begin_;
  std::optional<Statement> record_;
  std::optional<Statement> debit_;
  std::optional<Statement> credit_;
  std::optional<Statement> commit_;
  std::uint64_t seed_ = 0;
  std::uint64_t applied_ = 0;
};

Handwritten::Handwritten(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Handwritten::~Handwritten() = default;

Result<std::unique_ptr<Handwritten>> Handwritten::make(const std::filesystem::path& file,
                                                       std::span<const WalletId> wallets) {
  auto impl = Impl::make(file, wallets);
  if (!impl) return std::move(impl).error();
  return std::unique_ptr<Handwritten>(new Handwritten(std::move(*impl)));
}

Result<double> Handwritten::measure(Pairing pairing, double seconds) {
  const auto measured = impl_->measure(pairing, seconds);
  if (!measured) return measured.error();
  return measured->per_second;
}

Result<double> Handwritten::measure_one(Pairing pairing, double seconds) {
  const auto measured = impl_->measure(pairing, seconds);
  if (!measured) return measured.error();
  return percentiles_of(measured->latency).p50;
}

Status Handwritten::verify() {
  return impl_->verify();
}

}  // namespace mizan::bench
