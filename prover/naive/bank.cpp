#include "prover/naive/bank.hpp"

#include <map>

namespace mizan::prover::naive {

namespace {

std::string owned(std::string_view words) {
  return std::string(words);
}

}  // namespace

Bank::Bank(const std::filesystem::path& file) : database_(file) {}

void Bank::create_tables() {
  database_.run(
      "CREATE TABLE wallets (number INTEGER PRIMARY KEY, id TEXT UNIQUE, balance INTEGER, "
      "last_token INTEGER DEFAULT 0)");
  database_.run(
      "CREATE TABLE entries (sequence INTEGER PRIMARY KEY, operation TEXT, from_id TEXT, "
      "to_id TEXT, amount INTEGER, from_balance INTEGER, to_balance INTEGER)");
  database_.run("CREATE TABLE operations (id TEXT)");
  database_.run(
      "CREATE TABLE locks (resource TEXT PRIMARY KEY, token INTEGER, expires_ms INTEGER)");
}

void Bank::create_wallet(std::string_view wallet, std::int64_t balance) {
  database_.run("INSERT INTO wallets (id, balance) VALUES (?, ?)", {owned(wallet), balance});
  if (balance != 0) note_entry("fund-" + owned(wallet), "", wallet, balance, 0, balance);
}

std::int64_t Bank::read_balance(std::string_view wallet) {
  return number(
      database_.run("SELECT balance FROM wallets WHERE id = ?", {owned(wallet)}).at(0).at(0));
}

void Bank::write_balance(std::string_view wallet, std::int64_t balance) {
  database_.run("UPDATE wallets SET balance = ? WHERE id = ?", {balance, owned(wallet)});
}

void Bank::add_balance(std::string_view wallet, std::int64_t change) {
  database_.run("UPDATE wallets SET balance = balance + ? WHERE id = ?", {change, owned(wallet)});
}

void Bank::note_entry(std::string_view operation,
                      std::string_view from,
                      std::string_view to,
                      std::int64_t amount,
                      std::int64_t from_balance,
                      std::int64_t to_balance) {
  database_.run(
      "INSERT INTO entries (operation, from_id, to_id, amount, from_balance, to_balance) "
      "VALUES (?, ?, ?, ?, ?, ?)",
      {owned(operation), owned(from), owned(to), amount, from_balance, to_balance});
  database_.run("INSERT INTO operations (id) VALUES (?)", {owned(operation)});
}

bool Bank::knows(std::string_view operation) {
  return !database_.run("SELECT 1 FROM operations WHERE id = ?", {owned(operation)}).empty();
}

std::optional<std::int64_t> Bank::try_lock(std::string_view resource,
                                           std::int64_t now_ms,
                                           std::int64_t ttl_ms) {
  database_.run(
      "INSERT INTO locks (resource, token, expires_ms) VALUES (?, 1, ?) "
      "ON CONFLICT (resource) DO UPDATE SET token = token + 1, expires_ms = excluded.expires_ms "
      "WHERE expires_ms <= ?",
      {owned(resource), now_ms + ttl_ms, now_ms});
  if (database_.changes() == 0) return std::nullopt;
  return number(
      database_.run("SELECT token FROM locks WHERE resource = ?", {owned(resource)}).at(0).at(0));
}

bool Bank::withdraw(std::string_view operation,
                    std::string_view wallet,
                    std::int64_t amount,
                    const std::function<void()>& between) {
  const std::int64_t balance = read_balance(wallet);
  if (between) between();
  if (balance < amount) return false;
  // The transaction is there, and does not help: the decision was taken before it.
  database_.run("BEGIN IMMEDIATE");
  write_balance(wallet, balance - amount);
  note_entry(operation, wallet, "", amount, balance - amount, 0);
  database_.run("COMMIT");
  return true;
}

void Bank::transfer_in_two_steps(std::string_view operation,
                                 std::string_view from,
                                 std::string_view to,
                                 std::int64_t amount,
                                 const std::function<void()>& between) {
  const std::int64_t from_balance = read_balance(from) - amount;
  const std::int64_t to_balance = read_balance(to) + amount;
  write_balance(from, from_balance);
  if (between) between();
  write_balance(to, to_balance);
  note_entry(operation, from, to, amount, from_balance, to_balance);
}

bool Bank::transfer_as_written(std::string_view operation,
                               std::string_view from,
                               std::string_view to,
                               std::int64_t amount,
                               std::int64_t token) {
  database_.run("BEGIN IMMEDIATE");
  database_.run(
      "UPDATE wallets SET balance = balance - ?, last_token = ? "
      "WHERE id = ? AND last_token < ? AND balance >= ?",
      {amount, token, owned(from), token, amount});
  const bool debited = database_.changes() == 1;
  if (debited) {
    database_.run(
        "UPDATE wallets SET balance = balance + ?, last_token = ? WHERE id = ? AND last_token < ?",
        {amount, token, owned(to), token});
    note_entry(operation, from, to, amount, read_balance(from), read_balance(to));
  }
  database_.run("COMMIT");
  return debited;
}

void Bank::set_token(std::string_view wallet, std::int64_t token) {
  database_.run("UPDATE wallets SET last_token = ? WHERE id = ?", {token, owned(wallet)});
}

LedgerImage Bank::image(Timestamp now) {
  LedgerImage image;
  image.taken_at = now;
  image.has_operation_records = false;
  std::map<std::string, WalletNumber> numbers;
  for (const Row& row : database_.run("SELECT number, id, balance FROM wallets ORDER BY number")) {
    WalletImage wallet;
    wallet.number = WalletNumber{number(row.at(0))};
    wallet.id = WalletId{text(row.at(1))};
    wallet.currency = CurrencyCode{"EUR"};
    wallet.balance = MinorUnits{number(row.at(2))};
    numbers.emplace(text(row.at(1)), wallet.number);
    image.wallets.push_back(wallet);
  }
  // The careless program keeps no versions: an entry's version is its place in the list.
  std::map<WalletNumber, std::uint64_t> versions;
  for (const Row& row :
       database_.run("SELECT sequence, operation, from_id, to_id, amount, from_balance, to_balance "
                     "FROM entries ORDER BY sequence")) {
    LegImage leg;
    leg.sequence = Sequence{number(row.at(0))};
    leg.operation = OperationId{text(row.at(1))};
    leg.from = text(row.at(2)).empty() ? world_number : numbers.at(text(row.at(2)));
    leg.to = text(row.at(3)).empty() ? world_number : numbers.at(text(row.at(3)));
    leg.amount = MinorUnits{number(row.at(4))};
    leg.from_balance = MinorUnits{number(row.at(5))};
    leg.to_balance = MinorUnits{number(row.at(6))};
    if (leg.from != world_number) leg.from_version = ++versions[leg.from];
    if (leg.to != world_number) leg.to_version = ++versions[leg.to];
    image.journal.push_back(leg);
  }
  for (WalletImage& wallet : image.wallets) wallet.version = versions[wallet.number];
  return image;
}

}  // namespace mizan::prover::naive
