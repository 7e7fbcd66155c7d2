#include "bench/baseline/naive.hpp"

#include "bench/baseline/setup.hpp"
#include "bench/baseline/statement.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace mizan::bench {

namespace {

constexpr std::int64_t wealth = 1'000'000'000;

constexpr const char* schema =
    "CREATE TABLE wallet (id TEXT PRIMARY KEY, balance INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE transfer (id TEXT NOT NULL UNIQUE, source TEXT NOT NULL,"
    " destination TEXT NOT NULL, amount INTEGER NOT NULL) STRICT";

constexpr std::string_view wrong_wallets =
    "WITH moved(id, change) AS (SELECT source, -amount FROM transfer"
    " UNION ALL SELECT destination, amount FROM transfer),"
    " owed(id, change) AS (SELECT id, sum(change) FROM moved GROUP BY id),"
    " wrong(by) AS (SELECT abs(balance - ?1 - coalesce(change, 0))"
    " FROM wallet LEFT JOIN owed USING (id)"
    " WHERE balance <> ?1 + coalesce(change, 0)) ";

/// One client with a connection of its own.
class NaiveCaller {
 public:
  static Result<std::shared_ptr<NaiveCaller>> make(const std::filesystem::path& file,
                                                   std::span<const WalletId> wallets,
                                                   const TransferSource::Options& source) {
    auto database = open_database(file.string());
    if (!database) return std::move(database).error();
    auto caller = std::make_shared<NaiveCaller>(std::move(*database), wallets, source);
    if (auto prepared = caller->prepare(); !prepared) return std::move(prepared).error();
    return caller;
  }

  NaiveCaller(Database database,
              std::span<const WalletId> wallets,
              const TransferSource::Options& source)
      : database_(std::move(database)), wallets_(wallets), source_(wallets, source) {}

  Result<std::uint64_t> transfer() {
    const auto [from, to] = source_.next_wallets();
    const std::int64_t amount = source_.next_amount();
    const OperationId id = source_.next_id();
    const auto available = read_->bind(1, wallets_[from].view()).number();
    if (!available) return available.error();
    const auto destination = read_->bind(1, wallets_[to].view()).number();
    if (!destination) return destination.error();
    // This is the gap in which somebody else writes.
    if (auto done = begin_->run(); !done) return std::move(done).error();
    auto recorded = record_->bind(1, id.view())
                        .bind(2, wallets_[from].view())
                        .bind(3, wallets_[to].view())
                        .bind(4, amount)
                        .run();
    if (!recorded) return std::move(recorded).error();
    if (auto done = write(wallets_[from], available->value_or(0) - amount); !done) {
      return std::move(done).error();
    }
    if (auto done = write(wallets_[to], destination->value_or(0) + amount); !done) {
      return std::move(done).error();
    }
    if (auto done = commit_->run(); !done) return std::move(done).error();
    return std::uint64_t{0};
  }

 private:
  Status prepare() {
    const WantedStatement wanted[] = {
        {read_, "SELECT balance FROM wallet WHERE id = ?1"},
        {begin_, "BEGIN IMMEDIATE"},
        {record_, "INSERT INTO transfer VALUES (?1, ?2, ?3, ?4)"},
        {write_, "UPDATE wallet SET balance = ?2 WHERE id = ?1"},
        {commit_, "COMMIT"},
    };
    return prepare_all(database_.get(), wanted);
  }

  Status write(const WalletId& wallet, std::int64_t balance) {
    return write_->bind(1, wallet.view()).bind(2, balance).run();
  }

  Database database_;
  std::span<const WalletId> wallets_;
  TransferSource source_;
  std::optional<Statement> read_;
  std::optional<Statement> begin_;
  std::optional<Statement> record_;
  std::optional<Statement> write_;
  std::optional<Statement> commit_;
};

Result<std::int64_t> ask(sqlite3* database, std::string_view text) {
  auto statement = Statement::prepare(database, text);
  if (!statement) return std::move(statement).error();
  const auto answer = statement->bind(1, wealth).number();
  if (!answer) return answer.error();
  return answer->value_or(0);
}

Result<NaiveLoss> find_loss(sqlite3* database) {
  const std::string with(wrong_wallets);
  const auto count = ask(database, with + "SELECT count(*) FROM wrong");
  if (!count) return count.error();
  const auto amount = ask(database, with + "SELECT sum(by) FROM wrong");
  if (!amount) return amount.error();
  NaiveLoss loss;
  loss.wrong_wallets = static_cast<std::uint64_t>(*count);
  loss.amount = *amount;
  return loss;
}

}  // namespace

Result<NaiveLoss> run_naive(const std::filesystem::path& file,
                            std::span<const WalletId> wallets,
                            const CallerLoad& load) {
  auto database = open_database(file.string());
  if (!database) return std::move(database).error();
  if (auto filled = fill(database->get(), {schema, wealth}, wallets); !filled) {
    return std::move(filled).error();
  }
  std::vector<std::shared_ptr<NaiveCaller>> callers;
  for (std::size_t i = 0; i < load.callers; ++i) {
    auto source = load.source;
    source.seed += i;
    auto caller = NaiveCaller::make(file, wallets, source);
    if (!caller) return std::move(caller).error();
    callers.push_back(std::move(*caller));
  }
  const auto result = run_callers(load, [&](std::size_t number) -> Caller {
    return [caller = callers[number]] { return caller->transfer(); };
  });
  if (!result) return result.error();
  auto loss = find_loss(database->get());
  if (!loss) return loss;
  loss->transfers = result->applied;
  return loss;
}

}  // namespace mizan::bench
