#pragma once

#include "mizan/clock.hpp"
#include "mizan/document_table.hpp"
#include "mizan/epoch_table.hpp"
#include "mizan/event_log.hpp"
#include "mizan/finding.hpp"
#include "mizan/key_table.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/sql.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan {

// The port that a database fills. A store loads, records and guards; it does not judge: every
// money rule is in src/domain. tests/conformance is the definition of what is asked here.

/// A page of a listing. `next` is absent at the end.
template <class T, class Cursor>
struct Page {
  std::vector<T> items;
  std::optional<Cursor> next;
};

/// Selects entries of one wallet, newest first.
struct EntryQuery {
  WalletId wallet;
  std::optional<std::uint64_t> before_version;  ///< The cursor: only entries below this version.
  std::optional<Timestamp> from;                ///< Inclusive.
  std::optional<Timestamp> to;                  ///< Exclusive.
  std::size_t limit = 50;                       ///< 1–1,000.
};

/// A balance somewhere in the past. Version 0 is the wallet before its first entry.
struct BalanceAt {
  MinorUnits balance;
  std::uint64_t version = 0;
  std::optional<Timestamp> at;  ///< When that version came to be; absent for version 0.
};

/// One leg of the journal as it is stored, for `verify`, `export` and events: everything that is
/// needed to recompute every promise from the entries.
struct JournalLeg {
  Sequence sequence;
  OperationId operation;
  OperationType type = OperationType::transfer;
  Timestamp at;
  WalletNumber from;
  WalletNumber to;
  MinorUnits amount;
  MinorUnits from_balance;
  std::uint64_t from_version = 0;
  MinorUnits to_balance;
  std::uint64_t to_version = 0;
  HistoryLinks from_links;  ///< head = the side's previous entry, block = its longer jump.
  HistoryLinks to_links;
  Metadata metadata;
};

/// Reserved money of one wallet that nothing holds any more.
struct DueHeld {
  WalletId wallet;
  MinorUnits remaining;
};

/// One consistent view of everything committed before it was taken. One thread at a time.
/// Ends with its destruction. Never blocks writers; writers never block it.
/// A store shows what is stored; `snapshot_at` shows holds past their deadline as ended.
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  virtual ~Snapshot();

  virtual Result<std::optional<Wallet>> find_wallet(const WalletId& id) = 0;
  virtual Result<std::optional<WorldWallet>> find_world(const CurrencyCode& currency) = 0;

  /// Wallets in order of id, after `cursor`; `limit` 1–1,000.
  virtual Result<Page<Wallet, WalletId>> list_wallets(std::optional<WalletId> after,
                                                      std::size_t limit) = 0;

  /// States for a decision outside the writing transaction (the optimistic strategy), in the
  /// order asked; nothing where there is no such wallet.
  virtual Result<std::vector<std::optional<WalletState>>> load_wallets(
      std::span<const WalletId> ids) = 0;

  virtual Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) = 0;
  virtual Result<std::optional<Hold>> find_hold(const OperationId& id) = 0;

  /// What remains of open holds whose deadline is at or before `now`, per wallet, in any order.
  virtual Result<std::vector<DueHeld>> sum_due_holds(Timestamp now) = 0;

  /// Newest first; the cursor is the version below which to go on. Takes O(log n) steps to reach
  /// the start and one per entry from there. An unknown wallet is an empty page.
  virtual Result<Page<Entry, std::uint64_t>> list_entries(const EntryQuery& query) = 0;

  /// The balance after the last entry at or before `time`; O(log n) steps. Nothing for an unknown
  /// wallet.
  virtual Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) = 0;

  /// The balance after entry number `version`; nothing for an unknown wallet or a version that is
  /// still to come.
  virtual Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                              std::uint64_t version) = 0;

  /// Currencies registered by the user, in order of code (the ISO table is built in).
  virtual Result<std::vector<Currency>> list_currencies() = 0;

  /// Legs in commit order after `after`; `limit` 1–10,000.
  virtual Result<Page<JournalLeg, Sequence>> read_journal(Sequence after, std::size_t limit) = 0;

  /// Wallet states in order of number after `after`; `limit` 1–10,000.
  virtual Result<Page<WalletState, WalletNumber>> read_states(WalletNumber after,
                                                              std::size_t limit) = 0;

  /// Holds in order of id after `after`; `limit` 1–10,000.
  virtual Result<Page<HoldRecord, OperationId>> read_holds(std::optional<OperationId> after,
                                                           std::size_t limit) = 0;

  /// The id of the wallet with this number, or nothing.
  virtual Result<std::optional<WalletId>> wallet_id(WalletNumber number) = 0;
};

/// The loaded reversal target: what was posted and who reversed it.
struct ReversibleOperation {
  OperationType type = OperationType::transfer;
  std::vector<LegReceipt> legs;
  bool reversed = false;
};

/// The newest token remembered for a resource and who held it.
struct FenceMark {
  FenceToken token;
  LockOwner owner;
};

struct FenceAccepted {};

struct FenceStale {
  FenceToken newest;
};

using FenceAdvance = std::variant<FenceAccepted, FenceStale>;

struct WritesDone {};

/// A guarded write matched no row: somebody else changed it since it was read.
struct WriteStale {
  std::vector<WalletNumber> wallets;  ///< Those known to be stale; may be only the first.
};

/// An operation id, a hold or a reversal that somebody else recorded first. A hold that was changed
/// since it was read may be reported as this or as a stale wallet: both mean "decide again".
struct WriteDuplicate {
  OperationId operation;  ///< The operation of the plan that could not be recorded.
};

using WriteResult = std::variant<WritesDone, WriteStale, WriteDuplicate>;

/// A guarded delta that the database refused; the rules, given the wallet's state, say why.
struct DeltaRefused {
  std::size_t index = 0;
};

using DeltaResult = std::variant<std::vector<WalletChange>, DeltaRefused>;

enum class LoadLock : std::uint8_t {
  none,    ///< Read only; the write is guarded by the revision.
  update,  ///< Lock the rows until the end, in canonical order (by number).
};

/// One of the operation ids asked for that is recorded already.
struct KnownOperation {
  std::size_t index = 0;  ///< Among the ids asked for.
  RecordedOperation recorded;
};

/// What decisions begin with, asked at once.
struct StartQuestion {
  Timestamp now;
  std::size_t due_holds_max = 0;
  std::span<const OperationId* const> ids;  ///< To be claimed.
  std::span<const WalletId> wallets;        ///< To be loaded.
  LoadLock lock = LoadLock::none;
};

struct StartAnswer {
  std::vector<HoldRecord> due_holds;
  std::vector<KnownOperation> known;
  std::vector<std::optional<WalletState>> wallets;
};

/// One writing database transaction. One thread at a time. Destruction without `commit` rolls
/// back, never throws and never commits. After an error only destruction is left.
class Transaction {
 public:
  Transaction() = default;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  virtual ~Transaction();

  /// Claims the ids: from here to the end of the transaction nobody else can record one of them
  /// (a database that cannot promise it now reports `WriteDuplicate` at `record`). Answers those
  /// that are recorded already, in the order asked.
  virtual Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) = 0;

  /// What is remembered for the resource, nothing if no fenced operation was applied yet. For
  /// naming a refusal only: `advance_fence` is what decides.
  virtual Result<std::optional<FenceMark>> load_fence(const Resource& resource) = 0;

  /// The check and the remembering as one conditional statement: passes when
  /// the token is newer than every remembered one of the resource, or equal with the same owner
  /// and that owner is not empty.
  virtual Result<FenceAdvance> advance_fence(const Fence& fence) = 0;

  /// The wallets' states, in the order asked; nothing where there is no such wallet. Never from a
  /// cache.
  virtual Result<std::vector<std::optional<WalletState>>> load_wallets(
      std::span<const WalletId> ids, LoadLock lock) = 0;
  virtual Result<std::vector<std::optional<WalletState>>> load_wallets_by_number(
      std::span<const WalletNumber> numbers, LoadLock lock) = 0;

  /// Those of the wallets whose revision is no longer the given one.
  virtual Result<std::vector<WalletNumber>> find_stale(
      std::span<const WalletState* const> states) = 0;

  virtual Result<std::optional<HoldRecord>> load_hold(const OperationId& id) = 0;
  virtual Result<std::optional<ReversibleOperation>> load_reversible(const OperationId& id) = 0;

  /// Open holds whose deadline is at or before `now`, oldest first.
  virtual Result<std::vector<HoldRecord>> load_due_holds(Timestamp now, std::size_t limit) = 0;

  /// `load_due_holds`, `claim` and `load_wallets` in one, for databases that charge by the round
  /// trip. Where holds are due the rest may be missing: their end changes wallets.
  virtual Result<StartAnswer> start(const StartQuestion& question);

  /// Records operations, their legs and holds, and writes the wallets, each guarded by its
  /// revision; row counts are checked. Anything but `WritesDone` leaves a transaction that can only
  /// be rolled back. Fills in `plan.wallets[i].after.links`.
  virtual Result<WriteResult> write(Plan& plan) = 0;

  /// As `write`, for wallets that `apply_deltas` has changed already: records operations, legs
  /// and holds and the entries' links only.
  virtual Result<WriteResult> record(Plan& plan) = 0;

  /// Applies the deltas one by one, each guarded by the database; answers the states after each.
  virtual Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) = 0;

  /// Writes a hold's end without an operation (expiry), guarded like any hold change, together
  /// with its wallet.
  virtual Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                           std::span<WalletChange> wallets) = 0;

  /// False where a wallet of that id exists.
  virtual Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) = 0;
  virtual Result<Wallet> load_wallet_details(const WalletState& state) = 0;
  virtual Status update_metadata(WalletNumber wallet, const Metadata& metadata) = 0;

  /// False where a currency of that code is registered already.
  virtual Result<bool> insert_currency(const Currency& currency) = 0;
  virtual Result<std::optional<Currency>> find_currency(const CurrencyCode& code) = 0;

  /// Makes everything durable. An error with Certainty::unknown: ask `Snapshot::find_operation`
  /// (in a new snapshot) or repeat with the same id.
  virtual Status commit() = 0;

  /// `write` and, where it is `WritesDone`, `commit`, in one. `at_commit` is called once before the
  /// first moment from which on the transaction may be committed, and not at all where the answer
  /// is certain before. The plan must stay as it is meanwhile.
  virtual Result<WriteResult> write_and_commit(Plan& plan, const std::function<void()>& at_commit);
};

struct StoreDescription {
  std::string name;        ///< "sqlite", "memory", …
  std::string version;     ///< Of the engine.
  std::string durability;  ///< e.g. "wal, synchronous=FULL"; "none" for memory.
};

/// A ledger's database. Any thread may call it at once.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store();

  [[nodiscard]] virtual StoreDescription describe() const = 0;

  /// Creates or brings the schema up to date; answers the names of the migrations that ran.
  virtual Result<std::vector<std::string>> migrate() = 0;

  /// Blocks until the writer's turn or the deadline (then `unavailable`).
  virtual Result<std::unique_ptr<Transaction>> begin(Deadline deadline) = 0;

  virtual Result<std::unique_ptr<Snapshot>> snapshot() = 0;

  /// Settings and versions that matter for money, one finding each.
  virtual Result<std::vector<Finding>> doctor() = 0;

  /// Bytes on disk, everything included; 0 where there is none.
  virtual Result<std::uint64_t> disk_bytes() = 0;

  /// The lease table, for the `store:` lock. Lives as long as the store.
  virtual LeaseTable& leases() = 0;

  /// The epochs for a lock service outside of the database (Redis); null where the store keeps
  /// none. Lives as long as the store.
  virtual EpochTable* epochs() { return nullptr; }

  /// The user's own SQL beside the ledger, for the guard; null where the store speaks no SQL.
  virtual GuardTable* guards() = 0;

  /// What was applied, in commit order; null where the store does not tell. Lives as long as the
  /// store.
  virtual EventLog* events() { return nullptr; }

  /// Small documents of the program's own; null where the store keeps none. Lives as long as the
  /// store.
  virtual DocumentTable* documents() { return nullptr; }

  /// The keys of the HTTP interface; null where the store keeps none. Lives as long as the store.
  virtual KeyTable* keys() { return nullptr; }
};

/// Named points of a transaction, for tests that stop or kill a process there: "begun",
/// "claimed", "loaded", "operations_recorded", "wallets_written", "before_commit",
/// "after_commit". Called on the writing thread; empty in normal use.
using StepHook = std::function<void(std::string_view step)>;

}  // namespace mizan
