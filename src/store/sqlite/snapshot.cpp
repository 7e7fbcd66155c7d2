#include "store/sqlite/snapshot.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/entry_chain.hpp"
#include "store/sqlite/operation_key.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace mizan::sqlite {
namespace {

constexpr std::size_t list_limit_max = 1'000;
constexpr std::size_t bulk_limit_max = 10'000;

Status check_limit(std::size_t limit, std::size_t limit_max) {
  if (limit >= 1 && limit <= limit_max) return {};
  return invalid_request("sqlite: list",
                         "the limit must be from 1 to " + std::to_string(limit_max));
}

/// One row more than asked shows whether there is a next page.
std::int64_t rows_to_read(std::size_t limit) {
  return static_cast<std::int64_t>(limit) + 1;
}

/// Reads up to `limit` items; `cursor_of` names the place after the last one.
template <class T, class Cursor, class Read, class CursorOf>
Result<Page<T, Cursor>> read_page(Statement& statement,
                                  std::size_t limit,
                                  Read read,
                                  CursorOf cursor_of) {
  Page<T, Cursor> page;
  for (;;) {
    auto found = statement.step();
    if (!found) return found.error();
    if (!*found) return page;
    if (page.items.size() == limit) {
      page.next = cursor_of(page.items.back());
      return page;
    }
    Result<T> item = read(statement);
    if (!item) return item.error();
    page.items.push_back(std::move(*item));
  }
}

class SqliteSnapshot final : public Snapshot {
 public:
  explicit SqliteSnapshot(ReaderPool::Lent lent) : lent_(std::move(lent)) {}

  ~SqliteSnapshot() override {
    static_cast<void>(connection().statement(sqlite_sql::rollback).run_code());
  }

  Status begin() {
    if (Status begun = connection().statement(sqlite_sql::begin_read).run(); !begun) return begun;
    return lent_.require_whole_schema();
  }

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    Statement row = connection().statement(sqlite_sql::find_wallet);
    row.bind(1, id.view());
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) return std::optional<Wallet>();
    auto wallet = sql::read_wallet(row);
    if (!wallet) return wallet.error();
    return std::optional(std::move(*wallet));
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& code) override {
    std::optional<Currency> currency = find_iso_currency(code);
    if (!currency) {
      auto registered = find_registered_currency(connection(), code);
      if (!registered) return registered.error();
      currency = *registered;
    }
    if (!currency) return std::optional<WorldWallet>();
    Statement row = connection().statement(sqlite_sql::sum_balances);
    row.bind(1, code.view());
    auto found = row.step();
    if (!found) return found.error();
    const WideUnits sum = (WideUnits{row.integer(0)} << 32) + row.integer(1);
    return std::optional(WorldWallet{world_wallet(code), *currency, -sum});
  }

  Result<Page<Wallet, WalletId>> list_wallets(std::optional<WalletId> after,
                                              std::size_t limit) override {
    if (Status valid = check_limit(limit, list_limit_max); !valid) return valid.error();
    Statement rows = connection().statement(sqlite_sql::list_wallets);
    rows.bind(1, after ? after->view() : "").bind(2, rows_to_read(limit));
    return read_page<Wallet, WalletId>(
        rows, limit, sql::read_wallet<Statement>, [](const Wallet& last) { return last.id; });
  }

  Result<WalletStates> load_wallets(std::span<const WalletId> ids) override {
    return sqlite::load_wallets(connection(), ids);
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    return sqlite::find_operation(connection(), id);
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    return sqlite::find_hold(connection(), id);
  }

  Result<std::vector<DueHeld>> sum_due_holds(Timestamp now) override {
    Statement row = connection().statement(sqlite_sql::sum_due_holds);
    row.bind(1, to_integer(now));
    std::vector<DueHeld> sums;
    for (;;) {
      auto found = row.step();
      if (!found) return found.error();
      if (!*found) return sums;
      sums.push_back({WalletId(row.text(0)), MinorUnits{row.integer(1)}});
    }
  }

  Result<Page<Entry, std::uint64_t>> list_entries(const EntryQuery& query) override {
    if (Status valid = check_limit(query.limit, list_limit_max); !valid) return valid.error();
    auto state = find_state(query.wallet);
    if (!state) return state.error();
    if (!*state) return Page<Entry, std::uint64_t>();
    EntryChain chain(connection(), (*state)->number, (*state)->links.head);
    auto newest = newest_entry(chain, query);
    if (!newest) return newest.error();
    return read_entries(chain, query, **state, *newest);
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    auto state = find_state(id);
    if (!state) return state.error();
    if (!*state) return std::optional<BalanceAt>();
    EntryChain chain(connection(), (*state)->number, (*state)->links.head);
    return balance_after(chain.find_time(time));
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    auto state = find_state(id);
    if (!state) return state.error();
    if (!*state || version > (*state)->version) return std::optional<BalanceAt>();
    EntryChain chain(connection(), (*state)->number, (*state)->links.head);
    return balance_after(chain.find_version(version));
  }

  Result<std::vector<Currency>> list_currencies() override {
    Statement row = connection().statement(sqlite_sql::list_currencies);
    std::vector<Currency> currencies;
    for (;;) {
      auto found = row.step();
      if (!found) return found.error();
      if (!*found) return currencies;
      currencies.push_back({CurrencyCode(row.text(0)), static_cast<std::uint8_t>(row.integer(1))});
    }
  }

  Result<Page<JournalLeg, Sequence>> read_journal(Sequence after, std::size_t limit) override {
    if (Status valid = check_limit(limit, bulk_limit_max); !valid) return valid.error();
    JournalLeg last;  // The operation that a further leg belongs to.
    Statement rows = connection().statement(sqlite_sql::read_journal);
    rows.bind(1, after.value()).bind(2, rows_to_read(limit));
    return read_page<JournalLeg, Sequence>(
        rows,
        limit,
        [&](const Statement& row) { return read_leg(row, last); },
        [](const JournalLeg& leg) { return leg.sequence; });
  }

  Result<Page<WalletState, WalletNumber>> read_states(WalletNumber after,
                                                      std::size_t limit) override {
    if (Status valid = check_limit(limit, bulk_limit_max); !valid) return valid.error();
    Statement rows = connection().statement(sqlite_sql::list_states);
    rows.bind(1, after.value()).bind(2, rows_to_read(limit));
    return read_page<WalletState, WalletNumber>(
        rows,
        limit,
        [](const Statement& row) { return sql::read_wallet_state(row, 0); },
        [](const WalletState& state) { return state.number; });
  }

  Result<Page<HoldRecord, OperationId>> read_holds(std::optional<OperationId> after,
                                                   std::size_t limit) override {
    if (Status valid = check_limit(limit, bulk_limit_max); !valid) return valid.error();
    Statement rows = connection().statement(sqlite_sql::list_holds);
    rows.bind(1, after ? after->view() : "").bind(2, rows_to_read(limit));
    return read_page<HoldRecord, OperationId>(
        rows, limit, sql::read_hold_record<Statement>, [](const HoldRecord& hold) {
          return hold.id;
        });
  }

  Result<std::optional<WalletId>> wallet_id(WalletNumber number) override {
    return find_wallet_id(connection(), number);
  }

 private:
  [[nodiscard]] Connection& connection() const noexcept { return lent_.connection(); }

  Result<std::optional<WalletState>> find_state(const WalletId& id) {
    auto states = sqlite::load_wallets(connection(), std::span(&id, 1));
    if (!states) return states.error();
    return states->front();
  }

  static Result<std::optional<BalanceAt>> balance_after(Result<std::optional<ChainedEntry>> entry) {
    if (!entry) return entry.error();
    if (!*entry) return std::optional(BalanceAt());
    return std::optional(BalanceAt{(*entry)->balance, (*entry)->version, (*entry)->at});
  }

  /// The newest entry that a query may answer.
  static Result<std::optional<ChainedEntry>> newest_entry(EntryChain& chain,
                                                          const EntryQuery& query) {
    std::uint64_t version = query.before_version.value_or(0) - 1;  // Absent: the greatest.
    if (query.before_version && *query.before_version == 0) version = 0;
    if (query.to) {
      // `to` is exclusive and the clock ticks in microseconds.
      auto until = chain.find_time(*query.to - std::chrono::microseconds(1));
      if (!until || !*until) return until;
      version = std::min(version, (*until)->version);
    }
    return chain.find_version(version);
  }

  Result<Page<Entry, std::uint64_t>> read_entries(EntryChain& chain,
                                                  const EntryQuery& query,
                                                  const WalletState& wallet,
                                                  std::optional<ChainedEntry> next) {
    Page<Entry, std::uint64_t> page;
    while (next && !(query.from && next->at < *query.from)) {
      if (page.items.size() == query.limit) {
        page.next = page.items.back().version;
        return page;
      }
      auto entry = complete_entry(*next, wallet);
      if (!entry) return entry.error();
      page.items.push_back(std::move(*entry));
      auto previous = chain.previous(*next);
      if (!previous) return previous.error();
      next = *previous;
    }
    return page;
  }

  Result<Entry> complete_entry(const ChainedEntry& chained, const WalletState& wallet) {
    Entry entry;
    entry.wallet = wallet.id;
    entry.version = chained.version;
    entry.type = chained.type;
    entry.change = chained.change;
    entry.balance = chained.balance;
    entry.at = chained.at;
    entry.sequence = chained.sequence;
    if (chained.counterparty == world_number) {
      entry.counterparty = world_wallet(wallet.currency.code);
    } else {
      auto counterparty = find_wallet_id(connection(), chained.counterparty);
      if (!counterparty) return counterparty.error();
      entry.counterparty = counterparty->value_or(WalletId());
    }
    Status named = name_operation(chained.sequence, entry.operation, entry.metadata);
    if (!named) return named.error();
    return entry;
  }

  /// Id and metadata stand in the first row of an operation only.
  Status name_operation(Sequence sequence, OperationId& id, Metadata& metadata) {
    Statement row = connection().statement(sqlite_sql::read_operation_start);
    row.bind(1, sequence.value());
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) return sql::damaged_row(sql::journal_row(sequence), "it has no operation");
    id = read_operation_id(row, 0);
    auto read = sql::read_metadata(row, 1, "the operation of " + sql::journal_row(sequence));
    if (!read) return read.error();
    metadata = std::move(*read);
    return {};
  }

  Result<JournalLeg> read_leg(const Statement& row, JournalLeg& last) {
    JournalLeg leg;
    leg.sequence = Sequence{row.integer(0)};
    const auto type = sql::type_of(row.integer(2), leg.sequence);
    if (!type) return type.error();
    leg.type = *type;
    leg.at = row.time(3);
    leg.from = WalletNumber{row.integer(4)};
    leg.to = WalletNumber{row.integer(5)};
    leg.amount = MinorUnits{row.integer(6)};
    leg.from_balance = MinorUnits{row.integer(7)};
    leg.from_version = static_cast<std::uint64_t>(row.integer(8));
    leg.to_balance = MinorUnits{row.integer(9)};
    leg.to_version = static_cast<std::uint64_t>(row.integer(10));
    const auto links = sql::decode_links(leg.sequence, row.bytes(11));
    if (!links) return sql::damaged_row(sql::journal_row(leg.sequence), "its links");
    leg.from_links = {links->from.previous, links->from.jump};
    leg.to_links = {links->to.previous, links->to.jump};
    if (!row.is_null(1)) {
      leg.operation = read_operation_id(row, 1);
      auto metadata = sql::read_metadata(row, 12, sql::journal_row(leg.sequence));
      if (!metadata) return metadata.error();
      leg.metadata = std::move(*metadata);
    } else if (!last.operation.empty()) {
      leg.operation = last.operation;
      leg.metadata = last.metadata;
    } else if (Status named = name_operation(leg.sequence, leg.operation, leg.metadata); !named) {
      return named.error();
    }
    last.operation = leg.operation;
    last.metadata = leg.metadata;
    return leg;
  }

  ReaderPool::Lent lent_;
};

}  // namespace

Result<std::unique_ptr<Snapshot>> take_snapshot(ReaderPool& pool) {
  auto lent = pool.lend();
  if (!lent) return lent.error();
  auto snapshot = std::make_unique<SqliteSnapshot>(std::move(*lent));
  if (Status begun = snapshot->begin(); !begun) return begun.error();
  return std::unique_ptr<Snapshot>(std::move(snapshot));
}

}  // namespace mizan::sqlite
