#include "store/postgres/transaction.hpp"

#include "base/text.hpp"
#include "store/postgres/fences.hpp"
#include "store/postgres/plan_writer.hpp"
#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/records.hpp"

#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace mizan::postgres {
namespace {

class PostgresTransaction final : public Transaction {
 public:
  PostgresTransaction(Session session, sql::Numbers& numbers, const StepHook& on_step)
      : session_(std::move(session)), numbers_(numbers), on_step_(on_step) {
    step("begun");
  }

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    if (!is_open()) return finished();
    drawn_.reset();
    auto known = keep(find_operations(*session_, ids));
    if (known) note_claims(ids, *known);
    return known;
  }

  /// What is loaded before the ids are looked at cannot have an operation in it whose id is free
  /// then. The number is drawn behind all that was read.
  Result<StartAnswer> start(const StartQuestion& question) override {
    if (!is_open()) return finished();
    const std::size_t wallets = question.wallets.size();
    session_->send(postgres_sql::list_due_holds, due_before(question.now, question.due_holds_max));
    if (wallets > 0) session_->send(loading(question.lock), wallet_ids(question.wallets));
    session_->send(postgres_sql::find_operations, operation_keys(question.ids));
    session_->send(postgres_sql::draw_batch);
    auto answers = keep(session_->run());
    if (!answers) return answers.error();
    StartAnswer answer;
    auto due = keep(read_hold_records(answers->front()));
    if (!due) return due.error();
    answer.due_holds = std::move(*due);
    auto known = keep(read_known(*session_, answers->end()[-2], question.ids));
    if (!known) return known.error();
    answer.known = std::move(*known);
    note_claims(question.ids, answer.known);
    drawn_ = Row(answers->back(), 0).integer(0);
    if (wallets == 0) return answer;
    auto states = keep(read_wallet_states((*answers)[1], wallets));
    if (!states) return states.error();
    answer.wallets = std::move(*states);
    step("loaded");
    return answer;
  }

  Result<std::optional<FenceMark>> load_fence(const Resource& resource) override {
    if (!is_open()) return finished();
    return if_still_claimed(find_fence(*session_, resource));
  }

  Result<FenceAdvance> advance_fence(const Fence& fence) override {
    if (!is_open()) return finished();
    drawn_.reset();
    auto advanced = keep(postgres::advance_fence(*session_, fence));
    if (!advanced || std::holds_alternative<FenceAccepted>(*advanced)) return advanced;
    return if_still_claimed(std::move(advanced));
  }

  Result<WalletStates> load_wallets(std::span<const WalletId> ids, LoadLock lock) override {
    return load(loading(lock), wallet_ids(ids), ids.size());
  }

  Result<WalletStates> load_wallets_by_number(std::span<const WalletNumber> numbers,
                                              LoadLock lock) override {
    const bool locks = lock == LoadLock::update;
    return load(locks ? postgres_sql::lock_wallets_by_number : postgres_sql::load_wallets_by_number,
                wallet_numbers(numbers),
                numbers.size());
  }

  Result<std::vector<WalletNumber>> find_stale(
      std::span<const WalletState* const> states) override {
    if (!is_open()) return finished();
    std::vector<WalletNumber> stale;
    if (states.empty()) return stale;
    std::vector<WalletNumber> numbers;
    for (const WalletState* state : states) numbers.push_back(state->number);
    auto answer = keep(session_->ask(postgres_sql::read_revisions, wallet_numbers(numbers)));
    if (!answer) return answer.error();
    std::set<std::pair<std::int64_t, std::int64_t>> current;
    for (int i = 0; i < answer->size(); ++i) {
      current.emplace(Row(*answer, i).integer(0), Row(*answer, i).integer(1));
    }
    for (const WalletState* state : states) {
      const auto revision = static_cast<std::int64_t>(state->revision);
      if (!current.contains({state->number.value(), revision})) stale.push_back(state->number);
    }
    return stale;
  }

  Result<std::optional<HoldRecord>> load_hold(const OperationId& id) override {
    if (!is_open()) return finished();
    return if_still_claimed(find_hold_record(*session_, id));
  }

  Result<std::optional<ReversibleOperation>> load_reversible(const OperationId& id) override {
    if (!is_open()) return finished();
    return if_still_claimed(find_reversible(*session_, id));
  }

  Result<std::vector<HoldRecord>> load_due_holds(Timestamp now, std::size_t limit) override {
    if (!is_open()) return finished();
    auto answer = keep(session_->ask(postgres_sql::list_due_holds, due_before(now, limit)));
    if (!answer) return answer.error();
    return keep(read_hold_records(*answer));
  }

  Result<WriteResult> write(Plan& plan) override { return write(plan, WalletWrite::state); }

  Result<WriteResult> record(Plan& plan) override { return write(plan, WalletWrite::links); }

  /// In one round trip, unless somebody wants to stop in between.
  Result<WriteResult> write_and_commit(Plan& plan,
                                       const std::function<void()>& at_commit) override {
    if (on_step_) return Transaction::write_and_commit(plan, at_commit);
    if (!is_open()) return finished();
    claimed_.reset();
    auto written = keep_written(writer().write_and_commit(plan, at_commit));
    if (is_open()) finish();
    return written;
  }

  Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) override {
    if (!is_open()) return finished();
    std::vector<WalletChange> changes;
    if (deltas.empty()) return DeltaResult(std::move(changes));
    drawn_.reset();
    const std::size_t first = lock_wallets_of(deltas);
    for (const GuardedDelta& delta : deltas) send_delta(delta);
    auto answers = keep(session_->run());
    if (!answers) return answers.error();
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      const Answer& answer = (*answers)[first + i];
      if (answer.empty()) return DeltaResult(DeltaRefused{i});
      auto after = keep(read_wallet_state(Row(answer, 0)));
      if (!after) return after.error();
      changes.push_back({*after, after->revision - 1, deltas[i].balance_change != MinorUnits{0}});
    }
    step("wallets_written");
    return DeltaResult(std::move(changes));
  }

  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override {
    if (!is_open()) return finished();
    drawn_.reset();
    return keep_written(writer().write_expiry(holds, wallets));
  }

  Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) override {
    if (!is_open()) return finished();
    std::optional<Currency> currency = find_iso_currency(wallet.currency);
    if (!currency) {
      auto registered = keep(find_registered_currency(*session_, wallet.currency));
      if (!registered) return registered.error();
      currency = *registered;
    }
    if (!currency) {
      return fail(internal_error("postgres: insert_wallet",
                                 "the currency " + wallet.currency.str() + " is unknown"));
    }
    Parameters parameters;
    parameters.text(wallet.id.view())
        .text(currency->code.view())
        .small(currency->exponent)
        .time(now)
        .text_unless_empty(encode_metadata(wallet.metadata));
    std::optional<std::int64_t> min_balance;
    if (wallet.min_balance) min_balance = wallet.min_balance->value();
    parameters.integer_or_null(min_balance);
    auto answer = keep(session_->ask(postgres_sql::insert_wallet, parameters));
    if (!answer) return answer.error();
    return answer->affected() == 1;
  }

  Result<Wallet> load_wallet_details(const WalletState& state) override {
    if (!is_open()) return finished();
    Parameters parameters;
    parameters.integer(state.number.value());
    auto answer = keep(session_->ask(postgres_sql::load_wallet_details, parameters));
    if (!answer) return answer.error();
    if (answer->empty()) return fail(no_such_wallet("load_wallet_details"));
    const Row row(*answer, 0);
    auto metadata = keep(sql::read_metadata(row, 0, sql::wallet_row(state.id)));
    if (!metadata) return metadata.error();
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
    Parameters parameters;
    parameters.integer(wallet.value()).text_unless_empty(encode_metadata(metadata));
    auto answer = keep(session_->ask(postgres_sql::update_metadata, parameters));
    if (!answer) return answer.error();
    if (answer->affected() == 1) return {};
    return fail(no_such_wallet("update_metadata"));
  }

  Result<bool> insert_currency(const Currency& currency) override {
    if (!is_open()) return finished();
    Parameters parameters;
    parameters.text(currency.code.view()).small(currency.exponent);
    auto answer = keep(session_->ask(postgres_sql::insert_currency, parameters));
    if (!answer) return answer.error();
    return answer->affected() == 1;
  }

  Result<std::optional<Currency>> find_currency(const CurrencyCode& code) override {
    if (!is_open()) return finished();
    return keep(find_registered_currency(*session_, code));
  }

  Status commit() override {
    if (!is_open()) return finished();
    step("before_commit");
    Status committed = session_->commit();
    if (!committed) return fail(committed.error());
    finish();
    return committed;
  }

 private:
  enum class State : std::uint8_t { open, failed, committed };

  [[nodiscard]] bool is_open() const noexcept { return state_ == State::open; }

  void step(std::string_view name) const {
    if (on_step_) on_step_(name);
  }

  [[nodiscard]] Error finished() const {
    return internal_error(
        "postgres: transaction",
        state_ == State::committed ? "it is committed already" : "it can only be rolled back");
  }

  static Error no_such_wallet(std::string_view where) {
    return internal_error("postgres: " + std::string(where), "there is no such wallet");
  }

  void finish() {
    state_ = State::committed;
    step("after_commit");
    session_.reset();
  }

  static std::string_view loading(LoadLock lock) {
    return lock == LoadLock::update ? postgres_sql::lock_wallets_by_id
                                    : postgres_sql::load_wallets_by_id;
  }

  static Parameters due_before(Timestamp now, std::size_t limit) {
    Parameters parameters;
    parameters.time(now).integer(static_cast<std::int64_t>(limit));
    return parameters;
  }

  void note_claims(std::span<const OperationId* const> ids, std::span<const KnownOperation> known) {
    std::vector<const OperationId*> claimed;
    auto next = known.begin();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (next != known.end() && next->index == i) {
        ++next;
      } else {
        claimed.push_back(ids[i]);
      }
    }
    claimed_.reset();
    if (!claimed.empty()) claimed_ = operation_keys(claimed);
    step("claimed");
  }

  [[nodiscard]] PlanWriter writer() { return {*session_, numbers_, on_step_, drawn_}; }

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
    claimed_.reset();  // From here on they are ours, or the write says whose they are.
    return keep_written(writer().write(plan, what));
  }

  Result<WalletStates> load(std::string_view statement, const Parameters& keys, std::size_t count) {
    if (!is_open()) return finished();
    if (count == 0) return WalletStates();
    drawn_.reset();
    session_->send(statement, keys);
    const bool asks = send_claims();
    auto answers = keep(session_->run());
    if (!answers) return answers.error();
    if (asks && Row(answers->back(), 0).integer(0) != 0) return fail(overtaken());
    auto states = keep(read_wallet_states(answers->front(), count));
    if (states) step("loaded");
    return states;
  }

  /// An id that was free when it was claimed may be recorded by now, and what we read after the
  /// claim already have that operation in it: whoever judged it would refuse for want of the money
  /// that the very same operation has moved. Asked after each reading; false where nothing is
  /// claimed.
  bool send_claims() {
    if (!claimed_) return false;
    session_->send(postgres_sql::count_recorded, *claimed_);
    return true;
  }

  template <class T>
  Result<T> if_still_claimed(Result<T> read) {
    drawn_.reset();
    if (!keep(read) || !send_claims()) return read;
    auto answers = keep(session_->run());
    if (!answers) return answers.error();
    if (Row(answers->back(), 0).integer(0) != 0) return fail(overtaken());
    return read;
  }

  static Error overtaken() {
    return {Code::contended,
            Certainty::not_applied,
            Retry::now,
            "postgres: claim",
            "an operation id was recorded by somebody else meanwhile"};
  }

  /// The deltas come in the order of the legs; their rows are locked in the order that everybody
  /// locks them in. Answers how many statements that queued.
  std::size_t lock_wallets_of(std::span<const GuardedDelta> deltas) {
    std::set<WalletId> ids;
    for (const GuardedDelta& delta : deltas) ids.insert(delta.wallet);
    if (ids.size() < 2) return 0;
    const std::vector<WalletId> wallets(ids.begin(), ids.end());
    session_->send(postgres_sql::lock_wallets_by_id, wallet_ids(wallets));
    return 1;
  }

  void send_delta(const GuardedDelta& delta) {
    std::optional<std::int64_t> version;
    if (delta.version) version = static_cast<std::int64_t>(*delta.version);
    Parameters parameters;
    parameters.text(delta.wallet.view())
        .integer(delta.balance_change.value())
        .integer(delta.held_change.value())
        .text(delta.currency.view())
        .flag(delta.require_active)
        .flag(delta.require_funds)
        .integer_or_null(version)
        .integer(delta.balance_change == MinorUnits{0} ? 0 : 1);
    session_->send(postgres_sql::apply_delta, parameters);
  }

  std::optional<Session> session_;  // Gone, and with it the connection, once committed.
  sql::Numbers& numbers_;
  const StepHook& on_step_;
  std::optional<Parameters> claimed_;  // The ids that were free.
  std::optional<std::int64_t> drawn_;  // Our number, while it is younger than all that was read.
  State state_ = State::open;
};

}  // namespace

std::unique_ptr<Transaction> make_transaction(Session session,
                                              sql::Numbers& numbers,
                                              const StepHook& on_step) {
  return std::make_unique<PostgresTransaction>(std::move(session), numbers, on_step);
}

}  // namespace mizan::postgres
