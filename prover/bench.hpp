#pragma once

#include "mizan/ledger.hpp"
#include "mizan/lock.hpp"
#include "mizan/store.hpp"

#include "prover/checkers/checkers.hpp"
#include "prover/history.hpp"
#include "prover/place.hpp"
#include "prover/run.hpp"
#include "prover/watched_store.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// A store that the prover made, with its mutation where one is asked for.
struct OpenedStore {
  std::unique_ptr<Store> base;
  std::unique_ptr<Store> mutated;  ///< Null without a mutation.

  [[nodiscard]] Store& store() const { return mutated ? *mutated : *base; }
};

/// Opens (or creates) the ledger, a file as its owner, and brings its schema up to date.
[[nodiscard]] Result<OpenedStore> open_store(const StorePlace& place,
                                             std::string_view mutant,
                                             StepHook on_step = {});

/// One store, or two at two nodes, with one or more ledgers over it, each with a cache of its own
/// as separate processes would have, and the history of everything that was asked. Any thread may
/// call `apply`.
class Bench {
 public:
  struct Options {
    StorePlace place;
    Strategy strategy = Strategy::batched;
    std::size_t ledgers = 1;
    std::optional<StorePlace> other_node;  ///< Of the same ledger: where every second one works.
    std::string mutant;
    const Clock* clock = nullptr;  ///< Null: the machine's.
    PointHook watch;               ///< Empty: nobody watches the transactions.
  };

  [[nodiscard]] static Result<std::unique_ptr<Bench>> open(const Options& options);

  [[nodiscard]] Store& store() const { return watched_ ? *watched_ : opened_.store(); }

  /// Apart from mutants and watchers, for somebody else who works on the same tables.
  [[nodiscard]] Store& plain_store() const { return *opened_.base; }

  [[nodiscard]] const StorePlace& place() const noexcept { return place_; }

  /// What the transactions met; only where somebody watches.
  [[nodiscard]] const Met& met() const { return watched_->met(); }

  /// Likewise, at the other node.
  [[nodiscard]] const Met& other_met() const { return other_watched_->met(); }

  [[nodiscard]] Ledger& ledger(std::size_t index = 0) const { return *ledgers_.at(index); }

  [[nodiscard]] History& history() noexcept { return history_; }

  Status create_wallet(std::string_view id,
                       std::string_view currency,
                       MinBalance min_balance = MinorUnits{0});

  /// Applies and notes it. An answer that says "again" is repeated with the same id.
  Result<Outcome> apply(const History::Request& request, std::size_t ledger = 0);

  /// Applies and notes it, once, with a deadline.
  Result<Outcome> apply_until(const History::Request& request,
                              std::size_t ledger,
                              Deadline deadline);

  /// Everything that is left behind, with `readings` beside it.
  [[nodiscard]] Result<Evidence> collect(std::vector<Reading> readings = {});

 private:
  Bench() = default;

  StorePlace place_;
  OpenedStore opened_;
  OpenedStore other_;                      // Null: all ledgers are at one node.
  std::unique_ptr<WatchedStore> watched_;  // Null: nobody watches.
  std::unique_ptr<WatchedStore> other_watched_;
  const Clock* clock_ = nullptr;
  std::vector<std::unique_ptr<Ledger>> ledgers_;
  std::map<WalletId, MinBalance> floors_;
  History history_;
};

/// Asks the product's own `verify` and notes what it finds; needs no history.
void judge_by_verify(Run& run, std::string_view what, Store& store);

/// Collects, judges and verifies.
void judge_bench(Run& run, std::string_view what, Bench& bench, std::vector<Reading> readings = {});

}  // namespace mizan::prover
