#include "prover/naive/server_bank.hpp"

#include "base/text.hpp"

#include <charconv>
#include <map>
#include <utility>

namespace mizan::prover::naive {

namespace {

std::int64_t to_number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Names are the scenarios' own constants; none has a quote in it.
std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

Result<ServerBank> ServerBank::open(const std::string& url, const std::string& room) {
  auto link = SqlLink::open(url, room);
  if (!link) return std::move(link).error();
  return ServerBank(std::move(*link));
}

Status ServerBank::create_tables() {
  const bool postgres = link_->engine() == Engine::postgres;
  const std::string number = postgres ? "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
                                      : "BIGINT AUTO_INCREMENT PRIMARY KEY";
  auto wallets = link_->run("CREATE TABLE naive_wallets (number " + number +
                            ", id VARCHAR(64) NOT NULL UNIQUE, balance BIGINT NOT NULL)");
  if (!wallets) return wallets.error();
  auto entries = link_->run("CREATE TABLE naive_entries (number " + number +
                            ", operation VARCHAR(64) NOT NULL, from_id VARCHAR(64) NOT NULL, "
                            "to_id VARCHAR(64) NOT NULL, amount BIGINT NOT NULL)");
  if (!entries) return entries.error();
  return {};
}

Status ServerBank::create_wallet(std::string_view wallet, std::int64_t balance) {
  auto made = link_->run("INSERT INTO naive_wallets (id, balance) VALUES (" + quoted(wallet) +
                         ", " + std::to_string(balance) + ")");
  if (!made) return made.error();
  if (balance != 0) note_entry("fund-" + std::string(wallet), {}, wallet, balance);
  return {};
}

bool ServerBank::commit() {
  const auto answer = link_->run("COMMIT");
  return answer && answer->said != "ROLLBACK";
}

std::int64_t ServerBank::read_balance(std::string_view wallet) {
  const auto answer = link_->run("SELECT balance FROM naive_wallets WHERE id = " + quoted(wallet));
  if (!answer || answer->rows.empty()) return 0;
  return to_number(answer->rows.front().front());
}

std::int64_t ServerBank::lock_balance(std::string_view wallet) {
  const auto answer =
      link_->run("SELECT balance FROM naive_wallets WHERE id = " + quoted(wallet) + " FOR UPDATE");
  if (!answer || answer->rows.empty()) return 0;
  return to_number(answer->rows.front().front());
}

bool ServerBank::set_balance(std::string_view wallet, const std::string& expression) {
  return run("UPDATE naive_wallets SET balance = " + expression + " WHERE id = " + quoted(wallet));
}

bool ServerBank::note_entry(std::string_view operation,
                            std::string_view from,
                            std::string_view to,
                            std::int64_t amount) {
  return run("INSERT INTO naive_entries (operation, from_id, to_id, amount) VALUES (" +
             quoted(operation) + ", " + quoted(from) + ", " + quoted(to) + ", " +
             std::to_string(amount) + ")");
}

bool ServerBank::sees_waiting(const ServerBank& other) {
  const std::string session = std::to_string(other.link_->session());
  const bool postgres = link_->engine() == Engine::postgres;
  // MariaDB shows the locks themselves to administrators only; a statement of one row that has
  // been running for so long waits for one.
  const auto answer = link_->run(
      postgres
          ? "SELECT 1 FROM pg_locks WHERE NOT granted AND pid = " + session
          : "SELECT 1 FROM information_schema.processlist WHERE command = 'Query' AND time_ms > "
            "150 AND id = " +
                session);
  return answer && !answer->rows.empty();
}

LedgerImage ServerBank::image(Timestamp now) {
  LedgerImage image;
  image.taken_at = now;
  image.has_operation_records = false;
  std::map<std::string, WalletNumber> numbers;
  const auto wallets = link_->run("SELECT number, id, balance FROM naive_wallets ORDER BY number");
  const auto entries = link_->run(
      "SELECT number, operation, from_id, to_id, amount FROM naive_entries ORDER BY number");
  if (!wallets || !entries) return image;
  for (const auto& row : wallets->rows) {
    WalletImage wallet;
    wallet.number = WalletNumber{to_number(row.at(0))};
    wallet.id = WalletId{row.at(1)};
    wallet.currency = CurrencyCode{"EUR"};
    wallet.balance = MinorUnits{to_number(row.at(2))};
    numbers.emplace(row.at(1), wallet.number);
    image.wallets.push_back(wallet);
  }
  // Such a program keeps neither versions nor balances after: they are counted up here.
  std::map<WalletNumber, std::pair<std::uint64_t, std::int64_t>> ends;
  for (const auto& row : entries->rows) {
    LegImage leg;
    leg.sequence = Sequence{to_number(row.at(0))};
    leg.operation = OperationId{row.at(1)};
    leg.amount = MinorUnits{to_number(row.at(4))};
    const auto side = [&](const std::string& id, std::int64_t change) {
      auto& [version, balance] = ends[numbers.at(id)];
      balance += change;
      return std::pair(++version, MinorUnits{balance});
    };
    leg.from = row.at(2).empty() ? world_number : numbers.at(row.at(2));
    leg.to = row.at(3).empty() ? world_number : numbers.at(row.at(3));
    if (!row.at(2).empty()) {
      std::tie(leg.from_version, leg.from_balance) = side(row.at(2), -leg.amount.value());
    }
    if (!row.at(3).empty()) {
      std::tie(leg.to_version, leg.to_balance) = side(row.at(3), leg.amount.value());
    }
    image.journal.push_back(leg);
  }
  for (WalletImage& wallet : image.wallets) wallet.version = ends[wallet.number].first;
  return image;
}

}  // namespace mizan::prover::naive
