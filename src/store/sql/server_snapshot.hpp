#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sql/rows.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::sql {

inline constexpr std::size_t list_limit_max = 1'000;
inline constexpr std::size_t bulk_limit_max = 10'000;

/// Where a walk along a wallet's chain of entries arrived.
struct Arrival {
  Sequence sequence;
  BalanceAt balance;
};

/// What readers see of a ledger that a database server keeps. `Dialect` says how it is asked: its
/// types, its statements and how its rows are read (store/mariadb/snapshot.cpp is one).
template <class Dialect>
class ServerSnapshot final : public Snapshot {
 public:
  using Session = typename Dialect::Session;

  explicit ServerSnapshot(Session session) : session_(std::move(session)) {}

  /// Fixes the snapshot; everything else is called after it.
  Status begin() {
    // The beginning, or the first query, fixes what the transaction sees.
    auto answer = session_.ask(Statements::read_schema_version);
    if (!answer) return answer.error();
    return {};
  }

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    auto answer = session_.ask(Statements::find_wallet, text(id.view()));
    if (!answer) return answer.error();
    if (answer->empty()) return std::optional<Wallet>();
    auto wallet = read_wallet(Row(*answer, 0));
    if (!wallet) return wallet.error();
    return std::optional(std::move(*wallet));
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& code) override {
    std::optional<Currency> currency = find_iso_currency(code);
    if (!currency) {
      auto registered = Dialect::find_registered_currency(session_, code);
      if (!registered) return registered.error();
      currency = *registered;
    }
    if (!currency) return std::optional<WorldWallet>();
    auto answer = session_.ask(Statements::sum_balances, text(code.view()));
    if (!answer) return answer.error();
    const Row row(*answer, 0);
    const WideUnits sum = WideUnits{row.integer(0)} * (WideUnits{1} << 32U) + row.integer(1);
    return std::optional(WorldWallet{world_wallet(code), *currency, -sum});
  }

  Result<Page<Wallet, WalletId>> list_wallets(std::optional<WalletId> after,
                                              std::size_t limit) override {
    if (Status valid = check_limit(limit, list_limit_max); !valid) return valid.error();
    const WalletId cursor = after.value_or(WalletId());
    auto answer = ask_page(Statements::list_wallets, text(cursor.view()), limit);
    if (!answer) return answer.error();
    return read_page<Wallet, WalletId>(
        *answer, limit, read_wallet<Row>, [](const Wallet& last) { return last.id; });
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(
      std::span<const WalletId> ids) override {
    if (ids.empty()) return std::vector<std::optional<WalletState>>();
    auto answer = session_.ask(Statements::load_wallets_by_id, Dialect::wallet_ids(ids));
    if (!answer) return answer.error();
    return Dialect::read_wallet_states(*answer, ids.size());
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    return Dialect::find_operation(session_, id);
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    return Dialect::find_hold(session_, id);
  }

  Result<std::vector<DueHeld>> sum_due_holds(Timestamp now) override {
    Parameters parameters;
    parameters.time(now);
    auto answer = session_.ask(Statements::sum_due_holds, parameters);
    if (!answer) return answer.error();
    std::vector<DueHeld> sums;
    for (std::size_t i = 0; i < static_cast<std::size_t>(answer->size()); ++i) {
      const Row row = row_of(*answer, i);
      sums.push_back({WalletId(row.text(0)), MinorUnits{row.integer(1)}});
    }
    return sums;
  }

  Result<Page<Entry, std::uint64_t>> list_entries(const EntryQuery& query) override {
    if (Status valid = check_limit(query.limit, list_limit_max); !valid) return valid.error();
    auto state = find_state(query.wallet);
    if (!state) return state.error();
    if (!*state) return Page<Entry, std::uint64_t>();
    auto newest = newest_entry(**state, query);
    if (!newest) return newest.error();
    if (!*newest) return Page<Entry, std::uint64_t>();
    Parameters parameters;
    parameters.integer((*state)->number.value())
        .integer((*newest)->sequence.value())
        .integer(static_cast<std::int64_t>(query.limit) + 1)
        .time_or_null(query.from);
    auto answer = session_.ask(Statements::read_entries, parameters);
    if (!answer) return answer.error();
    return read_page<Entry, std::uint64_t>(
        *answer,
        query.limit,
        [&](const Row& row) { return read_entry(row, **state); },
        [](const Entry& last) { return last.version; });
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    auto state = find_state(id);
    if (!state) return state.error();
    if (!*state) return std::optional<BalanceAt>();
    return balance_after(find_by_time(**state, time));
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    auto state = find_state(id);
    if (!state) return state.error();
    if (!*state || version > (*state)->version) return std::optional<BalanceAt>();
    return balance_after(find_by_version(**state, version));
  }

  Result<std::vector<Currency>> list_currencies() override {
    auto answer = session_.ask(Statements::list_currencies);
    if (!answer) return answer.error();
    std::vector<Currency> currencies;
    for (std::size_t i = 0; i < static_cast<std::size_t>(answer->size()); ++i) {
      const Row row = row_of(*answer, i);
      currencies.push_back({CurrencyCode(row.text(0)), static_cast<std::uint8_t>(row.integer(1))});
    }
    return currencies;
  }

  Result<Page<JournalLeg, Sequence>> read_journal(Sequence after, std::size_t limit) override {
    if (Status valid = check_limit(limit, bulk_limit_max); !valid) return valid.error();
    Parameters parameters;
    parameters.integer(after.value());
    auto answer = ask_page(Statements::read_journal, std::move(parameters), limit);
    if (!answer) return answer.error();
    JournalLeg last;  // The operation that a further leg belongs to.
    return read_page<JournalLeg, Sequence>(
        *answer,
        limit,
        [&](const Row& row) { return read_leg(row, last); },
        [](const JournalLeg& leg) { return leg.sequence; });
  }

  Result<Page<WalletState, WalletNumber>> read_states(WalletNumber after,
                                                      std::size_t limit) override {
    if (Status valid = check_limit(limit, bulk_limit_max); !valid) return valid.error();
    Parameters parameters;
    parameters.integer(after.value());
    auto answer = ask_page(Statements::list_states, std::move(parameters), limit);
    if (!answer) return answer.error();
    return read_page<WalletState, WalletNumber>(
        *answer,
        limit,
        [](const Row& row) { return read_wallet_state(row, 1); },
        [](const WalletState& state) { return state.number; });
  }

  Result<Page<HoldRecord, OperationId>> read_holds(std::optional<OperationId> after,
                                                   std::size_t limit) override {
    if (Status valid = check_limit(limit, bulk_limit_max); !valid) return valid.error();
    const OperationId cursor = after.value_or(OperationId());
    auto answer = ask_page(Statements::list_holds, text(cursor.view()), limit);
    if (!answer) return answer.error();
    return read_page<HoldRecord, OperationId>(
        *answer, limit, read_hold_record<Row>, [](const HoldRecord& hold) { return hold.id; });
  }

  Result<std::optional<WalletId>> wallet_id(WalletNumber number) override {
    Parameters parameters;
    parameters.integer(number.value());
    auto answer = session_.ask(Statements::find_wallet_id, parameters);
    if (!answer) return answer.error();
    if (answer->empty()) return std::optional<WalletId>();
    return std::optional(WalletId(Row(*answer, 0).text(0)));
  }

 private:
  using Answer = typename Dialect::Answer;
  using Parameters = typename Dialect::Parameters;
  using Row = typename Dialect::Row;
  using Statements = typename Dialect::Statements;

  static Status check_limit(std::size_t limit, std::size_t limit_max) {
    if (limit >= 1 && limit <= limit_max) return {};
    return invalid_request(std::string(Dialect::name) + ": list",
                           "the limit must be from 1 to " + std::to_string(limit_max));
  }

  static Row row_of(const Answer& answer, std::size_t i) {
    return Row(answer, static_cast<decltype(answer.size())>(i));
  }

  /// Reads up to `limit` items of an answer that has one row more where there is a next page;
  /// `cursor_of` names the place after the last one.
  template <class T, class Cursor, class Read, class CursorOf>
  static Result<Page<T, Cursor>> read_page(const Answer& answer,
                                           std::size_t limit,
                                           Read read,
                                           CursorOf cursor_of) {
    Page<T, Cursor> page;
    const auto rows = static_cast<std::size_t>(answer.size());
    for (std::size_t i = 0; i < std::min(rows, limit); ++i) {
      Result<T> item = read(row_of(answer, i));
      if (!item) return item.error();
      page.items.push_back(std::move(*item));
    }
    if (rows > limit) page.next = cursor_of(page.items.back());
    return page;
  }

  static Parameters text(std::string_view value) {
    Parameters parameters;
    parameters.text(value);
    return parameters;
  }

  /// One row more than asked shows whether there is a next page.
  Result<Answer> ask_page(std::string_view statement, Parameters cursor, std::size_t limit) {
    cursor.integer(static_cast<std::int64_t>(limit) + 1);
    return session_.ask(statement, cursor);
  }

  Result<std::optional<WalletState>> find_state(const WalletId& id) {
    auto states = load_wallets(std::span(&id, 1));
    if (!states) return states.error();
    return states->front();
  }

  /// `target` stands last; the chain begins at the wallet's newest entry.
  Result<std::optional<Arrival>> walk(std::string_view statement,
                                      const WalletState& wallet,
                                      const Parameters& parameters) {
    auto answer = session_.ask(statement, parameters);
    if (!answer) return answer.error();
    if (answer->empty()) return std::optional<Arrival>();
    const Row row(*answer, 0);
    Arrival arrival{
        Sequence{row.integer(0)},
        {MinorUnits{row.integer(2)}, static_cast<std::uint64_t>(row.integer(1)), row.time(3)}};
    if (arrival.balance.version <= wallet.version) return std::optional(arrival);
    return broken_chain(wallet);
  }

  static Parameters start_of(const WalletState& wallet) {
    Parameters parameters;
    parameters.integer(wallet.number.value()).integer(wallet.links.head.value());
    return parameters;
  }

  static Error broken_chain(const WalletState& wallet) {
    return damaged_row("wallet number " + std::to_string(wallet.number.value()),
                       "its chain of entries does not go on");
  }

  /// The newest entry with at most this version; nothing for version 0.
  Result<std::optional<Arrival>> find_by_version(const WalletState& wallet, std::uint64_t version) {
    if (version == 0 || wallet.version == 0) return std::optional<Arrival>();
    const auto wanted = std::min(version, wallet.version);
    if (wanted == wallet.version) {
      return std::optional(
          Arrival{wallet.links.head, {wallet.balance, wallet.version, wallet.last_entry_at}});
    }
    Parameters parameters = start_of(wallet);
    parameters.integer(static_cast<std::int64_t>(wanted));
    auto found = walk(Statements::find_entry_by_version, wallet, parameters);
    if (!found) return found;
    if (!*found || (*found)->balance.version != wanted) return broken_chain(wallet);
    return found;
  }

  Result<std::optional<Arrival>> find_by_time(const WalletState& wallet, Timestamp time) {
    Parameters parameters = start_of(wallet);
    parameters.time(time);
    return walk(Statements::find_entry_by_time, wallet, parameters);
  }

  static Result<std::optional<BalanceAt>> balance_after(Result<std::optional<Arrival>> arrival) {
    if (!arrival) return arrival.error();
    if (!*arrival) return std::optional(BalanceAt());
    return std::optional((*arrival)->balance);
  }

  /// The newest entry that a query may answer.
  Result<std::optional<Arrival>> newest_entry(const WalletState& wallet, const EntryQuery& query) {
    std::uint64_t version = wallet.version;
    if (query.before_version) {
      if (*query.before_version == 0) return std::optional<Arrival>();
      version = std::min(version, *query.before_version - 1);
    }
    if (query.to) {
      // `to` is exclusive and the clock ticks in microseconds.
      auto until = find_by_time(wallet, *query.to - std::chrono::microseconds(1));
      if (!until || !*until) return until;
      version = std::min(version, (*until)->balance.version);
    }
    return find_by_version(wallet, version);
  }

  /// Columns as in read_entries.sql.
  static Result<Entry> read_entry(const Row& row, const WalletState& wallet) {
    Entry entry;
    entry.sequence = Sequence{row.integer(0)};
    const bool debit = row.flag(1);
    const auto type = type_of(row.integer(2), entry.sequence);
    if (!type) return type.error();
    entry.wallet = wallet.id;
    entry.type = *type;
    entry.at = row.time(3);
    entry.change = MinorUnits{debit ? -row.integer(4) : row.integer(4)};
    entry.balance = MinorUnits{row.integer(5)};
    entry.version = static_cast<std::uint64_t>(row.integer(6));
    entry.counterparty =
        row.is_null(7) ? world_wallet(wallet.currency.code) : WalletId(row.text(7));
    const std::string name = journal_row(entry.sequence);
    if (row.is_null(8)) return damaged_row(name, "it has no operation");
    entry.operation = Dialect::read_operation_id(row, 8);
    auto metadata = read_metadata(row, 9, name);
    if (!metadata) return metadata.error();
    entry.metadata = std::move(*metadata);
    return entry;
  }

  /// Id and metadata stand in the first row of an operation only.
  Status name_operation(JournalLeg& leg) {
    Parameters parameters;
    parameters.integer(leg.sequence.value());
    auto answer = session_.ask(Statements::read_operation_start, parameters);
    if (!answer) return answer.error();
    if (answer->empty() || Row(*answer, 0).is_null(0)) {
      return damaged_row(journal_row(leg.sequence), "it has no operation");
    }
    const Row row(*answer, 0);
    leg.operation = Dialect::read_operation_id(row, 0);
    auto metadata = read_metadata(row, 1, "the operation of " + journal_row(leg.sequence));
    if (!metadata) return metadata.error();
    leg.metadata = std::move(*metadata);
    return {};
  }

  /// Columns as in read_journal.sql.
  Result<JournalLeg> read_leg(const Row& row, JournalLeg& last) {
    JournalLeg leg;
    leg.sequence = Sequence{row.integer(0)};
    const auto type = type_of(row.integer(2), leg.sequence);
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
    leg.from_links = {Sequence{row.integer(11)}, Sequence{row.integer(12)}};
    leg.to_links = {Sequence{row.integer(13)}, Sequence{row.integer(14)}};
    if (!row.is_null(1)) {
      leg.operation = Dialect::read_operation_id(row, 1);
      auto metadata = read_metadata(row, 15, journal_row(leg.sequence));
      if (!metadata) return metadata.error();
      leg.metadata = std::move(*metadata);
    } else if (!last.operation.empty()) {
      leg.operation = last.operation;
      leg.metadata = last.metadata;
    } else if (Status named = name_operation(leg); !named) {
      return named.error();
    }
    last.operation = leg.operation;
    last.metadata = leg.metadata;
    return leg;
  }

  Session session_;
};

}  // namespace mizan::sql
