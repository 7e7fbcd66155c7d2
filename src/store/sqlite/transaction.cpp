#include "store/sqlite/transaction.hpp"

#include "base/text.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/fences.hpp"
#include "store/sqlite/plan_writer.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace mizan::sqlite {
namespace {

constexpr std::int64_t as_flag(bool flag) noexcept {
  return flag ? 1 : 0;
}

/// The row of an applied delta (apply_delta.sql) put into the state that was there before.
Status read_delta_row(const Statement& row, WalletState& state) {
  state.number = WalletNumber{row.integer(0)};
  state.balance = MinorUnits{row.integer(1)};
  state.held = MinorUnits{row.integer(2)};
  const auto min_balance = row.optional_integer(3);
  state.min_balance = min_balance ? MinBalance(MinorUnits{*min_balance}) : std::nullopt;
  const auto status = sql::wallet_status_of(row.integer(4), state.id);
  if (!status) return status.error();
  state.status = *status;
  state.version = static_cast<std::uint64_t>(row.integer(5));
  state.revision = static_cast<std::uint64_t>(row.integer(6));
  state.links = {Sequence{row.integer(7)}, Sequence{row.integer(8)}};
  return {};
}

class SqliteTransaction final : public Transaction {
 public:
  explicit SqliteTransaction(WriteScope scope) : scope_(std::move(scope)) { scope_->step("begun"); }

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    if (!is_open()) return finished();
    std::vector<KnownOperation> known;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (scope_->marks().is_new(*ids[i])) continue;
      auto found = find_operation(connection(), *ids[i]);
      if (!found) return fail(found.error());
      if (*found) known.push_back({i, std::move(**found)});
    }
    scope_->step("claimed");
    return known;
  }

  Result<std::optional<FenceMark>> load_fence(const Resource& resource) override {
    if (!is_open()) return finished();
    return keep(find_fence(connection(), resource));
  }

  Result<FenceAdvance> advance_fence(const Fence& fence) override {
    if (!is_open()) return finished();
    return keep(sqlite::advance_fence(connection(), fence));
  }

  // Nobody else can write inside this transaction, so every load is a locking one.
  Result<WalletStates> load_wallets(std::span<const WalletId> ids, LoadLock /*lock*/) override {
    return load(ids);
  }

  Result<WalletStates> load_wallets_by_number(std::span<const WalletNumber> numbers,
                                              LoadLock /*lock*/) override {
    return load(numbers);
  }

  Result<std::vector<WalletNumber>> find_stale(
      std::span<const WalletState* const> states) override {
    if (!is_open()) return finished();
    std::vector<WalletNumber> stale;
    for (const WalletState* state : states) {
      auto current = has_revision(
          connection(), state->number.value(), static_cast<std::int64_t>(state->revision));
      if (!current) return fail(current.error());
      if (!*current) stale.push_back(state->number);
    }
    return stale;
  }

  Result<std::optional<HoldRecord>> load_hold(const OperationId& id) override {
    if (!is_open()) return finished();
    return keep(find_hold_record(connection(), id));
  }

  Result<std::optional<ReversibleOperation>> load_reversible(const OperationId& id) override {
    if (!is_open()) return finished();
    return keep(find_reversible(connection(), id));
  }

  Result<std::vector<HoldRecord>> load_due_holds(Timestamp now, std::size_t limit) override {
    if (!is_open()) return finished();
    Statement statement = connection().statement(sqlite_sql::list_due_holds);
    statement.bind(1, to_integer(now)).bind(2, static_cast<std::int64_t>(limit));
    return keep(read_hold_records(statement));
  }

  Result<WriteResult> write(Plan& plan) override { return write(plan, WalletWrite::state); }

  Result<WriteResult> record(Plan& plan) override { return write(plan, WalletWrite::links); }

  Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) override {
    if (!is_open()) return finished();
    std::vector<WalletChange> changes;
    changes.reserve(deltas.size());
    for (const GuardedDelta& delta : deltas) {
      auto change = apply_delta(delta);
      if (!change) return fail(change.error());
      if (!*change) return DeltaResult(DeltaRefused{changes.size()});
      changes.push_back(**change);
    }
    scope_->step("wallets_written");
    return DeltaResult(std::move(changes));
  }

  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override {
    if (!is_open()) return finished();
    return keep_written(PlanWriter(*scope_).write_expiry(holds, wallets));
  }

  Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) override {
    if (!is_open()) return finished();
    std::optional<Currency> currency = find_iso_currency(wallet.currency);
    if (!currency) {
      auto registered = find_registered_currency(connection(), wallet.currency);
      if (!registered) return fail(registered.error());
      currency = *registered;
    }
    if (!currency) {
      return fail(internal_error("sqlite: insert_wallet",
                                 "the currency " + wallet.currency.str() + " is unknown"));
    }
    return keep(insert_wallet(wallet, *currency, now));
  }

  Result<Wallet> load_wallet_details(const WalletState& state) override {
    if (!is_open()) return finished();
    Statement row = connection().statement(sqlite_sql::load_wallet_details);
    row.bind(1, state.number.value());
    auto found = row.step();
    if (!found) return fail(found.error());
    if (!*found) {
      return fail(internal_error("sqlite: load_wallet_details", "there is no such wallet"));
    }
    auto metadata = sql::read_metadata(row, 0, sql::wallet_row(state.id));
    if (!metadata) return fail(metadata.error());
    return Wallet{state.id,
                  state.currency,
                  state.balance,
                  state.held,
                  state.min_balance,
                  state.status,
                  state.version,
                  std::move(*metadata),
                  row.time(1)};
  }

  Status update_metadata(WalletNumber wallet, const Metadata& metadata) override {
    if (!is_open()) return finished();
    const std::string text = encode_metadata(metadata);
    Statement statement = connection().statement(sqlite_sql::update_metadata);
    statement.bind(1, wallet.value()).bind_text_or_null(2, text);
    if (Status ran = statement.run(); !ran) return fail(ran.error());
    if (connection().changes() == 1) return {};
    return fail(internal_error("sqlite: update_metadata", "there is no such wallet"));
  }

  Result<bool> insert_currency(const Currency& currency) override {
    if (!is_open()) return finished();
    Statement statement = connection().statement(sqlite_sql::insert_currency);
    statement.bind(1, currency.code.view()).bind(2, std::int64_t{currency.exponent});
    if (Status ran = statement.run(); !ran) return fail(ran.error());
    return connection().changes() == 1;
  }

  Result<std::optional<Currency>> find_currency(const CurrencyCode& code) override {
    if (!is_open()) return finished();
    return keep(find_registered_currency(connection(), code));
  }

  Status commit() override {
    if (!is_open()) return finished();
    scope_->step("before_commit");
    Status committed = scope_->commit();
    if (!committed) return fail(committed.error());
    state_ = State::committed;
    scope_->step("after_commit");
    scope_.reset();
    return committed;
  }

 private:
  enum class State : std::uint8_t { open, failed, committed };

  [[nodiscard]] bool is_open() const noexcept { return state_ == State::open; }

  [[nodiscard]] Connection& connection() const noexcept { return scope_->connection(); }

  [[nodiscard]] Error finished() const {
    return internal_error(
        "sqlite: transaction",
        state_ == State::committed ? "it is committed already" : "it can only be rolled back");
  }

  Error fail(Error error) {
    state_ = State::failed;
    return error;
  }

  template <class T>
  Result<T> keep(Result<T> result) {
    if (!result) state_ = State::failed;
    return result;
  }

  Result<WriteResult> keep_written(Result<WriteResult> result) {
    if (!result || !std::holds_alternative<WritesDone>(*result)) state_ = State::failed;
    return result;
  }

  Result<WriteResult> write(Plan& plan, WalletWrite what) {
    if (!is_open()) return finished();
    return keep_written(PlanWriter(*scope_).write(plan, what));
  }

  template <class Key>
  Result<WalletStates> load(std::span<const Key> keys) {
    if (!is_open()) return finished();
    auto states = keep(sqlite::load_wallets(connection(), keys));
    if (states) scope_->step("loaded");
    return states;
  }

  Result<std::optional<WalletChange>> apply_delta(const GuardedDelta& delta) {
    WalletState state;
    {
      Statement row = connection().statement(sqlite_sql::load_wallet_by_id);
      row.bind(1, delta.wallet.view());
      auto found = row.step();
      if (!found) return found.error();
      if (!*found) return std::optional<WalletChange>();
      auto loaded = sql::read_wallet_state(row, 0);
      if (!loaded) return loaded.error();
      state = *loaded;
    }
    const bool moves_money = delta.balance_change.value() != 0;
    std::optional<std::int64_t> version;
    if (delta.version) version = static_cast<std::int64_t>(*delta.version);
    Statement row = connection().statement(sqlite_sql::apply_delta);
    row.bind(1, delta.wallet.view())
        .bind(2, delta.balance_change.value())
        .bind(3, delta.held_change.value())
        .bind(4, delta.currency.view())
        .bind(5, as_flag(delta.require_active))
        .bind(6, as_flag(delta.require_funds))
        .bind(7, version)
        .bind(8, as_flag(moves_money));
    auto changed = row.step();
    if (!changed) return changed.error();
    if (!*changed) return std::optional<WalletChange>();
    const std::uint64_t revision_before = state.revision;
    if (Status read = read_delta_row(row, state); !read) return read.error();
    return std::optional(WalletChange{state, revision_before, moves_money});
  }

  Result<bool> insert_wallet(const NewWallet& wallet, const Currency& currency, Timestamp now) {
    const std::string metadata = encode_metadata(wallet.metadata);
    {
      Statement statement = connection().statement(sqlite_sql::insert_wallet);
      statement.bind(1, wallet.id.view())
          .bind(2, currency.code.view())
          .bind(3, std::int64_t{currency.exponent})
          .bind(4, to_integer(now))
          .bind_text_or_null(5, metadata);
      if (Status ran = statement.run(); !ran) return ran.error();
    }
    if (connection().changes() != 1) return false;
    Statement statement = connection().statement(sqlite_sql::insert_balance);
    std::optional<std::int64_t> min_balance;
    if (wallet.min_balance) min_balance = wallet.min_balance->value();
    statement.bind(1, connection().last_rowid()).bind(2, min_balance);
    if (Status ran = statement.run(); !ran) return ran.error();
    return true;
  }

  std::optional<WriteScope> scope_;  // Gone, and with it the turn, once committed.
  State state_ = State::open;
};

}  // namespace

std::unique_ptr<Transaction> make_transaction(WriteScope scope) {
  return std::make_unique<SqliteTransaction>(std::move(scope));
}

}  // namespace mizan::sqlite
