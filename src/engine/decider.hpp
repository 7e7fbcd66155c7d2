#pragma once

#include "mizan/ledger.hpp"
#include "mizan/plan.hpp"
#include "mizan/store.hpp"

#include "domain/decide.hpp"
#include "engine/wallet_cache.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace mizan::engine {

/// One operation on its way through a transaction, with its tentative answer.
struct Request {
  const Operation* operation = nullptr;  ///< Outlives the request.
  std::size_t index = 0;                 ///< Where it stands in the batch that it came with.
  Fingerprint fingerprint{};
  RefusalMode refusals = RefusalMode::retryable;
  Deadline deadline = Deadline::max();
  std::optional<Result<Outcome>> result;
  /// A COMMIT that would have applied it ended with its fate unknown. Until a later transaction
  /// answers for good, no failure may claim that nothing was applied.
  bool may_be_applied = false;
  std::string commit_failure;  ///< What the last COMMIT that would have applied it said.
  /// Its caller was answered during the COMMIT: the operation may be no more.
  bool gone = false;
};

/// Nothing but named wallets and the id decides about it.
[[nodiscard]] bool moves_money_only(const Operation& operation) noexcept;

/// Decides operations one after the other inside one transaction: loads what they need, asks the
/// rules, and writes down what they answer as a plan. The answers are tentative until the
/// transaction has committed. One thread, one transaction.
class Decider {
 public:
  Decider(Transaction& transaction,
          WalletCache& cache,
          std::uint64_t attempt,
          Timestamp now,
          LoadLock lock);

  /// Ends every hold that is due, before anything is decided; answers how many.
  [[nodiscard]] Result<std::size_t> expire_holds();

  /// Notes what the requests name. Call once, before anything of the following.
  void look(std::span<Request* const> requests);

  /// Can they be decided, all of them, without asking the database anything? After `look`.
  [[nodiscard]] bool knows_enough(std::span<Request* const> requests) const noexcept;

  /// `expire_holds`, and reads what the requests need. Call once, between `look` and `decide_all`.
  [[nodiscard]] Result<std::size_t> start();

  /// Asks after the decisions what was not asked before them. False: something was to be known, and
  /// the decisions do not stand.
  [[nodiscard]] Result<bool> confirm();

  /// Fills in `result` of every request and the plan.
  [[nodiscard]] Status decide_all(std::span<Request* const> requests);

  /// Wallets that a refusal or condition relied on, that came from the cache and that the plan
  /// does not write: their revisions have not been checked by anything yet.
  [[nodiscard]] std::vector<const WalletState*> unchecked() const;

  /// Wallets that the condition of an operation to be applied looked at, that the plan does not
  /// write and that nothing locks: others could change them before the commit.
  [[nodiscard]] std::vector<const WalletState*> to_be_held() const;

  [[nodiscard]] Plan& plan() noexcept { return plan_; }

  /// Completes the plan's wallets from the states; call once, before it is written.
  void finish_plan();

  /// Before the commit: others may use the cache until `keep` or `forget`, and see which wallets
  /// are away.
  void give_away() noexcept;

  /// After the commit: the cache takes over what was written.
  void keep();

  /// After a rollback: nothing that was touched is left in the cache.
  void forget();

 private:
  struct Recorded {
    std::size_t request = 0;
  };

  [[nodiscard]] Status expire(std::span<const HoldRecord> due);
  void collect_ids(std::span<Request* const> requests);
  void find_named_wallets(std::span<Request* const> requests);
  [[nodiscard]] Result<StartAnswer> ask_after_expiry();
  void take_wallets(std::span<const std::optional<WalletState>> states);
  void fetch_ahead(std::size_t index) const noexcept;
  [[nodiscard]] Status decide_one(std::span<Request* const> requests, std::size_t index);
  [[nodiscard]] bool answer_repeat(std::span<Request* const> requests, std::size_t index);
  [[nodiscard]] Result<std::optional<Refusal>> check_fences(const Operation& operation);
  [[nodiscard]] Status resolve(const Request& request,
                               std::size_t index,
                               domain::DecisionInput& input);
  [[nodiscard]] Status resolve_hold(const OperationId& hold,
                                    const std::optional<MinorUnits>& amount,
                                    domain::DecisionInput& input);
  [[nodiscard]] Status resolve_reversal(const OperationId& id, domain::DecisionInput& input);
  [[nodiscard]] Result<CachedWallet*> wallet_by_number(WalletNumber number);
  [[nodiscard]] Result<CachedWallet*> wallet_by_id(const WalletId& id);

  /// Takes the one wallet that was just loaded into the cache.
  [[nodiscard]] Result<CachedWallet*> adopt(Result<std::vector<std::optional<WalletState>>> states);
  [[nodiscard]] domain::Side side(const WalletId& id, CachedWallet* known = nullptr);
  [[nodiscard]] domain::ResolvedLeg resolve_leg(const WalletId& from,
                                                const WalletId& to,
                                                MinorUnits amount,
                                                const CurrencyCode& currency);
  void add_transfer(domain::DecisionInput& input, const Transfer& transfer, std::size_t index);
  void rely_on(const domain::DecisionInput& input);
  void refuse(Request& request, std::size_t index, Refusal refusal);
  [[nodiscard]] Status accept(Request& request, std::size_t index, domain::Decided decided);
  void remember_hold(const HoldRecord& hold);
  CachedWallet& touch(WalletState& state);
  Slot slot_of(WalletState& state, bool adds_entries);

  Transaction& transaction_;
  WalletCache& cache_;
  std::uint64_t attempt_;
  Timestamp now_;
  LoadLock lock_;
  bool is_away_ = false;
  Plan plan_;
  std::vector<CachedWallet*> touched_;
  std::vector<CachedWallet*> written_;   // As plan_.wallets.
  std::vector<const OperationId*> ids_;  // Of the requests.
  std::vector<KnownOperation> known_;
  std::size_t next_known_ = 0;   // Requests are decided in order.
  domain::DecisionInput input_;  // Of the running decision; here to keep its memory.
  // The wallets that requests name, as the first look found them; null: not cached then.
  // Where a request's begin is in `named_from_`. Nothing drops them before the last decision.
  std::vector<const WalletId*> names_;
  std::vector<CachedWallet*> named_;
  std::vector<std::size_t> named_from_;
  std::vector<WalletId> wanted_;
  std::unordered_set<WalletId> wanted_set_;
  // What earlier operations of this transaction did, which the database does not show yet.
  bool ids_repeat_ = false;
  std::unordered_map<OperationId, Recorded> recorded_;
  std::unordered_map<OperationId, HoldRecord> holds_;
  std::unordered_map<OperationId, ReversibleOperation> reversibles_;
  bool keeps_reversibles_ = false;
};

}  // namespace mizan::engine
