#pragma once

#include "mizan/clock.hpp"
#include "mizan/event_log.hpp"
#include "mizan/lock.hpp"
#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"
#include "mizan/wallet.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan {

/// How a write is guarded against what happened since the read (docs/architecture.md, 3). All
/// give the same answers.
enum class Strategy : std::uint8_t { batched, atomic, optimistic, pessimistic };

[[nodiscard]] std::string_view to_string(Strategy strategy) noexcept;
[[nodiscard]] std::optional<Strategy> parse_strategy(std::string_view text) noexcept;

/// What becomes of the operation id of a refused attempt.
enum class RefusalMode : std::uint8_t {
  retryable,  ///< No trace: the same id may be tried again.
  final,      ///< A business refusal is stored; a repeat is answered with the same refusal.
};

enum class LockScope : std::uint8_t { source, both };

/// What to do when the lock service cannot be reached.
enum class LockOutage : std::uint8_t { fail, proceed };

struct LedgerOptions {
  // Changes behaviour.
  Strategy strategy = Strategy::batched;
  RefusalMode refusals = RefusalMode::retryable;
  LockService* lock = nullptr;  ///< Null: no lock; must outlive the ledger.
  LockScope lock_scope = LockScope::source;
  LockOutage lock_outage = LockOutage::fail;
  std::chrono::milliseconds lock_ttl{10'000};
  std::size_t optimistic_attempts_max = 3;  ///< Then `contended`. 1–100.

  // Changes performance.
  std::size_t queue_max = 65'536;  ///< Operations waiting for the group commit; then `unavailable`.
  std::size_t batch_operations_max = 8'192;  ///< Operations per database transaction.
  std::size_t cached_wallets_max = 1'000'000;

  StepHook on_step;  ///< See store.hpp; for tests.
};

/// Per call. Absent members take the ledger's.
struct CallOptions {
  std::optional<Strategy> strategy;
  std::optional<RefusalMode> refusals;
  /// `max()`: 30 s of trying from the call on, but a COMMIT that has begun is waited for, however
  /// long the database takes. A deadline that was named is kept also while the database hangs.
  Deadline deadline = Deadline::max();
  bool dry_run = false;  ///< Decide everything, keep nothing.
};

enum class Atomicity : std::uint8_t {
  independent,  ///< One result each; a refused item does not stop the rest.
  all_or_none,  ///< One transaction; the first refusal refuses all, naming its item.
};

/// How many values there were between the bounds.
struct Distribution {
  std::vector<std::uint64_t> bounds;  ///< Ascending; each is the greatest value that it counts.
  std::vector<std::uint64_t> counts;  ///< One for each bound, and one for what is above them all.
  std::uint64_t sum = 0;              ///< Of the values.
};

/// Counters since construction, for metrics and tests.
struct LedgerCounters {
  std::uint64_t commits = 0;
  std::uint64_t operations_applied = 0;
  std::uint64_t operations_replayed = 0;
  std::uint64_t operations_refused = 0;
  std::uint64_t stale_cache_retries = 0;
  std::uint64_t optimistic_retries = 0;
  std::uint64_t store_retries = 0;       ///< Asked for by the database, for whatever reason.
  std::uint64_t connection_retries = 0;  ///< Those of them whose connection was lost.
  std::uint64_t unknown_retries = 0;     ///< A commit of unknown fate had left nothing.
  std::uint64_t unknown_commits_resolved = 0;
  std::uint64_t holds_expired = 0;
  std::uint64_t lock_losses = 0;
  std::uint64_t fence_rejections = 0;

  /// The store found what must not be: a constraint caught what the money rules let through, or a
  /// row is damaged. Nothing of that transaction was kept; every one is worth a look.
  std::uint64_t invariant_alarms = 0;
  std::uint64_t operations_waiting = 0;  ///< For the group commit, at this moment.
  Distribution commit_nanoseconds;       ///< From asking for a COMMIT that worked to its answer.
  Distribution batch_operations;         ///< Operations recorded by one database transaction.
  Distribution lock_nanoseconds;         ///< From asking for a lock to having it, or not.
};

using CompletionHandler = std::function<void(Result<Outcome>)>;

/// Asks for events, which are the operations that were applied.
struct EventQuery {
  EventPlace after;         ///< 0: from the ledger's beginning.
  std::size_t limit = 100;  ///< 1–1,000.
};

struct WalletCreated {
  Wallet wallet;
  bool existed = false;  ///< It was there, with the same currency and limits.
};

/// Moves money between wallets, each operation at most once.
///
/// Owns:    its two threads, and one more while somebody waits for events. Does not own the store,
/// the lock service or the clock; they must
///          outlive it. Destruction finishes what was accepted, then returns.
/// Threads: any number of threads may call any member at once.
class Ledger {
 public:
  Ledger(Store& store, const Clock& clock, LedgerOptions options);
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger();

  /// Applies one operation.
  ///
  /// Returns:  every answer of the money rules, refusals included.
  /// Errors:   `invalid_request` for a malformed operation; `lock_busy`, `contended`,
  ///           `in_progress`, `unavailable` (nothing was applied) and `unknown` (ask again with
  ///           the same id). Repeating a call with the same operation is always safe.
  /// Blocks:   up to the deadline.
  [[nodiscard]] Result<Outcome> apply(const Operation& operation, const CallOptions& options = {});

  /// Applies many, in order; one result each, in order. Up to 10,000 operations.
  ///
  /// With `all_or_none` they share one transaction of their own, whatever the strategy, without a
  /// lock: the first refusal, or the first malformed item's error, is the answer of all that it
  /// kept from being applied; what was applied before is answered as such; no refusal is stored.
  /// Errors:   as `apply`, per item. Blocks: up to the deadline, as a whole.
  [[nodiscard]] std::vector<Result<Outcome>> apply_batch(
      std::span<const Operation> operations,
      Atomicity atomicity = Atomicity::independent,
      const CallOptions& options = {});

  /// As `apply`, without blocking; always with the batched strategy and without a lock. The handler
  /// runs once: on a thread of the ledger, or on this one when the request is malformed or the
  /// queue is full. It must be quick, must not throw, and must not call a member of the same ledger
  /// that blocks (that would wait for itself); `submit` is allowed.
  void submit(Operation operation, CallOptions options, CompletionHandler handler);

  /// Errors: `wallet_exists` when the id exists with another currency or limit; `invalid_request`
  /// for a reserved id or an unknown currency; `unavailable`, `unknown` (repeat it: nothing is
  /// created twice). With `dry_run` nothing is kept. Blocks: up to the deadline.
  [[nodiscard]] Result<WalletCreated> create_wallet(const NewWallet& wallet,
                                                    const CallOptions& options = {});

  /// Changes status, limit or metadata without touching money; refusals as in the money rules.
  /// Errors: `unavailable`, `unknown` (repeat it). Blocks: up to the deadline.
  [[nodiscard]] Result<std::variant<Wallet, Refusal>> patch_wallet(const WalletId& id,
                                                                   const WalletPatch& patch,
                                                                   const CallOptions& options = {});

  /// False when it is known already (registered, or in ISO 4217) with the same exponent;
  /// `invalid_request` when with another one.
  [[nodiscard]] Result<bool> add_currency(const Currency& currency,
                                          const CallOptions& options = {});

  /// Ends every hold whose deadline passed; answers how many. Also done by itself before
  /// decisions, so that an expired hold never refuses anybody.
  [[nodiscard]] Result<std::size_t> expire_holds(const CallOptions& options = {});

  /// Reads; see `snapshot_at`, at this moment.
  [[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot();

  /// A currency by code: the ISO table, then the registered ones.
  [[nodiscard]] Result<std::optional<Currency>> find_currency(const CurrencyCode& code);

  /// The events after a place, in an order in which nothing ever comes in front of what was
  /// answered before: whoever goes on from `next` misses nothing and is told nothing twice. Along
  /// one wallet that is the order of its entries. A hold's expiry is no operation and no event.
  ///
  /// Errors: `invalid_request` for a limit out of range, a place ahead of the newest event, a store
  /// that tells none; `unavailable`. Blocks: for the database, up to ten seconds.
  [[nodiscard]] Result<EventPage> read_events(const EventQuery& query);

  /// As `read_events`; where there is none yet, waits for the first, until the deadline at most
  /// (then the page is empty; go on from its `next` all the same). Commits of this ledger wake it
  /// at once, those of other processes within 50 to 200 ms.
  [[nodiscard]] Result<EventPage> wait_for_events(const EventQuery& query, Deadline deadline);

  /// Calls the handler once, as soon as there may be an event after `after`, or when the deadline
  /// has come; then `read_events` tells. Does not block. The handler runs on a thread of the
  /// ledger: it must be quick, must not throw, and must not call a member that blocks. The ledger's
  /// destruction calls handlers that are left.
  void watch_events(EventPlace after, Deadline deadline, std::function<void()> handler);

  [[nodiscard]] LedgerCounters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A store's snapshot with wallets and holds as they are at `now`: a hold whose deadline has passed
/// is expired and its money available, also while no write has ended it for good. What is stored
/// (`load_wallets`, `read_states`, `read_holds`, the journal) is shown as it is.
/// `store` must outlive it.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot_at(Store& store, Timestamp now);

/// One broken promise, found by `verify`.
struct Violation {
  std::string invariant;             ///< "I1" … as in docs/invariants.md.
  std::string wallet;                ///< The first wallet that disagrees, where one does.
  std::optional<Sequence> sequence;  ///< The first entry that disagrees, where one does.
  std::string detail;
};

struct VerifyReport {
  std::uint64_t wallets = 0;
  std::uint64_t operations = 0;
  std::uint64_t entries = 0;
  std::uint64_t holds = 0;
  std::vector<Violation> violations;  ///< The first 100; empty: everything agrees.
};

/// Recomputes every promise of conservation from the entries, in one snapshot, beside writers.
/// `progress`, where given, is called now and then with the number of legs read. Memory: one
/// record per wallet. Blocks: about a second per million legs.
/// Errors: `unavailable`; `internal` where a row cannot be read at all, which is named.
[[nodiscard]] Result<VerifyReport> verify(Store& store,
                                          const std::function<void(std::uint64_t)>& progress = {});

}  // namespace mizan
