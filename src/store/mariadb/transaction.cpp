#include "store/mariadb/transaction.hpp"

#include "base/text.hpp"
#include "store/mariadb/fences.hpp"
#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/plan_columns.hpp"
#include "store/mariadb/plan_writer.hpp"
#include "store/mariadb/records.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace mizan::mariadb {
namespace {

class MariadbTransaction final : public Transaction {
 public:
  MariadbTransaction(Session session, sql::Numbers& numbers, const StepHook& on_step)
      : session_(std::move(session)), numbers_(numbers), on_step_(on_step) {
    step("begun");
  }

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    if (!is_open()) return finished();
    if (ids.empty()) return std::vector<KnownOperation>();
    const Parameters keys = operation_keys(ids);
    const Parameters none;
    // Whoever claims writes soon; the number is drawn on the way, where there is a counter.
    const Question questions[] = {{mariadb_sql::find_operations, keys},
                                  {mariadb_sql::draw_batch, none}};
    const bool draws = draws_numbers();
    auto answers = ask(std::span(questions, draws ? 2 : 1));
    if (!answers) return answers.error();
    if (draws) number_ = Row((*answers)[1], 0).integer(0);
    return take_claim(answers->front(), ids);
  }

  /// Wallets are read before the ids are looked up: no operation whose id is free then was in them.
  Result<StartAnswer> start(const StartQuestion& question) override {
    if (question.lock == LoadLock::update || question.ids.empty()) {
      return Transaction::start(question);
    }
    if (!is_open()) return finished();
    const Parameters due = due_before(question.now, question.due_holds_max);
    const Parameters wallets = wallet_ids(question.wallets);
    const Parameters keys = operation_keys(question.ids);
    const Parameters none;
    std::vector<Question> questions{{mariadb_sql::list_due_holds, due}};
    if (!question.wallets.empty()) questions.push_back({mariadb_sql::load_wallets_by_id, wallets});
    questions.push_back({mariadb_sql::find_operations, keys});
    const std::size_t ids_at = questions.size() - 1;
    if (draws_numbers()) questions.push_back({mariadb_sql::draw_batch, none});
    auto answers = ask(questions);
    if (!answers) return answers.error();
    StartAnswer answer;
    auto due_holds = keep(read_hold_records(answers->front()));
    if (!due_holds) return due_holds.error();
    answer.due_holds = std::move(*due_holds);
    if (draws_numbers()) number_ = Row(answers->back(), 0).integer(0);
    auto known = take_claim((*answers)[ids_at], question.ids);
    if (!known) return known.error();
    answer.known = std::move(*known);
    if (question.wallets.empty()) return answer;
    auto states = keep(read_wallet_states((*answers)[1], question.wallets.size()));
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
    auto advanced = keep(mariadb::advance_fence(*session_, fence));
    if (!advanced || std::holds_alternative<FenceAccepted>(*advanced)) return advanced;
    return if_still_claimed(std::move(advanced));
  }

  Result<WalletStates> load_wallets(std::span<const WalletId> ids, LoadLock lock) override {
    if (lock == LoadLock::update) return load_locked(ids);
    return load(mariadb_sql::load_wallets_by_id, wallet_ids(ids), ids.size());
  }

  Result<WalletStates> load_wallets_by_number(std::span<const WalletNumber> numbers,
                                              LoadLock lock) override {
    if (lock == LoadLock::none) {
      return load(mariadb_sql::load_wallets_by_number, wallet_numbers(numbers), numbers.size());
    }
    if (!is_open()) return finished();
    std::vector<WalletNumber> sorted(numbers.begin(), numbers.end());
    auto locked = lock_sorted(std::move(sorted));
    if (!locked) return locked.error();
    WalletStates states;
    for (const WalletNumber number : numbers) states.push_back(find(*locked, number));
    step("loaded");
    return states;
  }

  Result<std::vector<WalletNumber>> find_stale(
      std::span<const WalletState* const> states) override {
    if (!is_open()) return finished();
    std::vector<WalletNumber> stale;
    if (states.empty()) return stale;
    std::vector<WalletNumber> numbers;
    for (const WalletState* state : states) numbers.push_back(state->number);
    auto answer = keep(session_->ask(mariadb_sql::read_revisions, wallet_numbers(numbers)));
    if (!answer) return answer.error();
    std::set<std::pair<std::int64_t, std::int64_t>> current;
    for (std::size_t i = 0; i < answer->size(); ++i) {
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
    auto answer = keep(session_->ask(mariadb_sql::list_due_holds, due_before(now, limit)));
    if (!answer) return answer.error();
    return keep(read_hold_records(*answer));
  }

  Result<WriteResult> write(Plan& plan) override { return write(plan, WalletWrite::state); }

  Result<WriteResult> record(Plan& plan) override { return write(plan, WalletWrite::links); }

  Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) override {
    if (!is_open()) return finished();
    std::vector<WalletChange> changes;
    if (deltas.empty()) return DeltaResult(std::move(changes));
    if (Status locked = lock_wallets_of(deltas); !locked) return locked.error();
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      auto applied = keep(session_->ask(mariadb_sql::apply_delta, delta_columns(deltas[i])));
      if (!applied) return applied.error();
      if (applied->affected() != 1) return DeltaResult(DeltaRefused{i});
      // The row is ours: nobody else changes it before we read it.
      auto after = read_own(deltas[i].wallet);
      if (!after) return after.error();
      changes.push_back({*after, after->revision - 1, deltas[i].balance_change != MinorUnits{0}});
    }
    step("wallets_written");
    return DeltaResult(std::move(changes));
  }

  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override {
    if (!is_open()) return finished();
    return keep_written(PlanWriter(*session_, numbers_, on_step_).write_expiry(holds, wallets));
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
      return fail(internal_error("mariadb: insert_wallet",
                                 "the currency " + wallet.currency.str() + " is unknown"));
    }
    Parameters parameters;
    parameters.text(wallet.id.view())
        .text(currency->code.view())
        .integer(currency->exponent)
        .time(now)
        .text_unless_empty(encode_metadata(wallet.metadata));
    std::optional<std::int64_t> min_balance;
    if (wallet.min_balance) min_balance = wallet.min_balance->value();
    parameters.integer_or_null(min_balance);
    return keep(session_->insert(mariadb_sql::insert_wallet, parameters));
  }

  Result<Wallet> load_wallet_details(const WalletState& state) override {
    if (!is_open()) return finished();
    Parameters parameters;
    parameters.integer(state.number.value());
    auto answer = keep(session_->ask(mariadb_sql::load_wallet_details, parameters));
    if (!answer) return answer.error();
    if (answer->empty()) return fail(session_->explain(no_such_wallet("load_wallet_details")));
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
    parameters.text_unless_empty(encode_metadata(metadata)).integer(wallet.value());
    auto answer = keep(session_->ask(mariadb_sql::update_metadata, parameters));
    if (!answer) return answer.error();
    if (answer->affected() == 1) return {};
    return fail(session_->explain(no_such_wallet("update_metadata")));
  }

  Result<bool> insert_currency(const Currency& currency) override {
    if (!is_open()) return finished();
    Parameters parameters;
    parameters.text(currency.code.view()).integer(currency.exponent);
    return keep(session_->insert(mariadb_sql::insert_currency, parameters));
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
    state_ = State::committed;
    step("after_commit");
    session_.reset();
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
        "mariadb: transaction",
        state_ == State::committed ? "it is committed already" : "it can only be rolled back");
  }

  static Error no_such_wallet(std::string_view where) {
    return internal_error("mariadb: " + std::string(where), "there is no such wallet");
  }

  /// On a cluster the journal's numbers need no counter.
  [[nodiscard]] bool draws_numbers() const noexcept {
    return !session_->connection().peer().is_node;
  }

  static Parameters due_before(Timestamp now, std::size_t limit) {
    Parameters parameters;
    parameters.time(now).integer(static_cast<std::int64_t>(limit));
    return parameters;
  }

  /// What find_operations.sql answered; those that are free are ours to write.
  Result<std::vector<KnownOperation>> take_claim(const Answer& answer,
                                                 std::span<const OperationId* const> ids) {
    auto known = keep(read_operations(*session_, answer, ids));
    if (!known) return known;
    claimed_.clear();
    auto next = known->begin();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (next != known->end() && next->index == i) {
        ++next;
      } else {
        claimed_.push_back(*ids[i]);
      }
    }
    step("claimed");
    return known;
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
    claimed_.clear();  // From here on they are ours, or the write says whose they are.
    if (Status touched = touch_locked(plan); !touched) return touched.error();
    return keep_written(PlanWriter(*session_, numbers_, on_step_, number_).write(plan, what));
  }

  /// A lock is a node's own. On a cluster a wallet that was locked and is not written is written to
  /// all the same, so that another node's change of it and this transaction do not both commit.
  Status touch_locked(const Plan& plan) {
    for (const WalletChange& change : plan.wallets) locked_.erase(change.after.number);
    if (locked_.empty()) return {};
    const std::vector<WalletNumber> numbers(locked_.begin(), locked_.end());
    Parameters rows;
    rows.column(Kind::integer, numbers.size(), [&](CellWriter& out, std::size_t i) {
      out.integer(numbers[i].value());
    });
    auto touched = keep(session_->ask_for_rows(mariadb_sql::touch_wallets, rows));
    if (!touched) return touched.error();
    if (*touched == static_cast<std::int64_t>(numbers.size())) return {};
    return fail(session_->explain(
        internal_error("mariadb: touch_wallets", "a wallet that was locked is not there")));
  }

  Result<WalletStates> load(std::string_view statement, const Parameters& keys, std::size_t count) {
    if (!is_open()) return finished();
    if (count == 0) return WalletStates();
    auto answer = ask_claimed(statement, keys);
    if (!answer) return answer.error();
    auto states = keep(read_wallet_states(*answer, count));
    if (states) step("loaded");
    return states;
  }

  /// Numbers never change, so they may be read before the rows are locked in their order.
  Result<WalletStates> load_locked(std::span<const WalletId> ids) {
    if (!is_open()) return finished();
    if (ids.empty()) return WalletStates();
    auto answer = keep(session_->ask(mariadb_sql::find_wallet_numbers, wallet_ids(ids)));
    if (!answer) return answer.error();
    std::vector<WalletNumber> numbers;
    for (std::size_t i = 0; i < answer->size(); ++i) {
      numbers.push_back(WalletNumber{Row(*answer, i).integer(0)});
    }
    auto locked = lock_sorted(std::move(numbers));
    if (!locked) return locked.error();
    WalletStates states;
    for (const WalletId& id : ids) states.push_back(find(*locked, id));
    step("loaded");
    return states;
  }

  /// Locks the rows in order of number and answers what they are then.
  Result<std::vector<WalletState>> lock_sorted(std::vector<WalletNumber> numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::vector<WalletState> states;
    if (numbers.empty()) return states;
    auto answer = ask_claimed(mariadb_sql::lock_wallets, wallet_numbers(numbers));
    if (!answer) return answer.error();
    for (std::size_t i = 0; i < answer->size(); ++i) {
      auto state = keep(read_wallet_state(Row(*answer, i)));
      if (!state) return state.error();
      states.push_back(*state);
    }
    if (session_->connection().peer().is_node) {
      for (const WalletState& state : states) locked_.insert(state.number);
    }
    return states;
  }

  static std::optional<WalletState> find(const std::vector<WalletState>& sorted,
                                         WalletNumber number) {
    const auto found = std::lower_bound(
        sorted.begin(), sorted.end(), number, [](const WalletState& state, WalletNumber wanted) {
          return state.number < wanted;
        });
    if (found == sorted.end() || found->number != number) return std::nullopt;
    return *found;
  }

  static std::optional<WalletState> find(const std::vector<WalletState>& states,
                                         const WalletId& id) {
    const auto found = std::find_if(
        states.begin(), states.end(), [&](const WalletState& state) { return state.id == id; });
    if (found == states.end()) return std::nullopt;
    return *found;
  }

  /// An id that was free when it was claimed may be recorded by now, and what we read after the
  /// claim already have that operation in it: whoever judged it would refuse for want of the money
  /// that the very same operation has moved. Asked after each reading.
  Result<Answer> ask_claimed(std::string_view statement, const Parameters& parameters) {
    const Parameters keys = operation_keys(std::span<const OperationId>(claimed_));
    const Question questions[] = {{statement, parameters}, {mariadb_sql::count_recorded, keys}};
    auto answers = ask(std::span(questions).first(claimed_.empty() ? 1 : 2));
    if (!answers) return answers.error();
    if (!claimed_.empty() && Row(answers->back(), 0).integer(0) != 0) return fail(overtaken());
    return std::move(answers->front());
  }

  /// The same for what has read already.
  template <class T>
  Result<T> if_still_claimed(Result<T> read) {
    if (!keep(read) || claimed_.empty()) return read;
    auto answer = keep(session_->ask(mariadb_sql::count_recorded,
                                     operation_keys(std::span<const OperationId>(claimed_))));
    if (!answer) return answer.error();
    if (Row(*answer, 0).integer(0) != 0) return fail(overtaken());
    return read;
  }

  /// All of them, or the first error.
  Result<std::vector<Answer>> ask(std::span<const Question> questions) {
    Answers answers = session_->ask_all(questions);
    if (answers.error) return fail(*std::move(answers.error));
    return std::move(answers.all);
  }

  static Error overtaken() {
    return {Code::contended,
            Certainty::not_applied,
            Retry::now,
            "mariadb: claim",
            "an operation id was recorded by somebody else meanwhile"};
  }

  /// The deltas come in the order of the legs; their rows are locked in the order that everybody
  /// locks them in.
  Status lock_wallets_of(std::span<const GuardedDelta> deltas) {
    std::set<WalletId> ids;
    for (const GuardedDelta& delta : deltas) ids.insert(delta.wallet);
    if (ids.size() < 2) return {};
    const std::vector<WalletId> wallets(ids.begin(), ids.end());
    auto answer = keep(session_->ask(mariadb_sql::find_wallet_numbers, wallet_ids(wallets)));
    if (!answer) return answer.error();
    std::vector<WalletNumber> numbers;
    for (std::size_t i = 0; i < answer->size(); ++i) {
      numbers.push_back(WalletNumber{Row(*answer, i).integer(0)});
    }
    auto locked = lock_sorted(std::move(numbers));
    if (!locked) return locked.error();
    return {};
  }

  Result<WalletState> read_own(const WalletId& id) {
    auto answer =
        keep(session_->ask(mariadb_sql::load_wallets_by_id, wallet_ids(std::span(&id, 1))));
    if (!answer) return answer.error();
    if (answer->empty()) return fail(session_->explain(no_such_wallet("apply_deltas")));
    return keep(read_wallet_state(Row(*answer, 0)));
  }

  std::optional<Session> session_;  // Gone, and with it the connection, once committed.
  sql::Numbers& numbers_;
  const StepHook& on_step_;
  std::vector<OperationId> claimed_;    // Those that were free.
  std::set<WalletNumber> locked_;       // On a cluster: for reading, so far.
  std::optional<std::int64_t> number_;  // Drawn for what will be written.
  State state_ = State::open;
};

}  // namespace

std::unique_ptr<Transaction> make_transaction(Session session,
                                              sql::Numbers& numbers,
                                              const StepHook& on_step) {
  return std::make_unique<MariadbTransaction>(std::move(session), numbers, on_step);
}

}  // namespace mizan::mariadb
