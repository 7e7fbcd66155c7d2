#pragma once

#include "mizan/code.hpp"
#include "mizan/operation.hpp"
#include "mizan/wallet.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mizan::testkit {

/// The money rules once more, as simply as they can be said: one operation after the other, plain
/// maps, no versions, no database. Written from the specification and not from the rules it
/// checks. Knows neither fences nor conditions nor expiry. One thread at a time.
class ModelLedger {
 public:
  struct ModelWallet {
    CurrencyCode currency;
    std::int64_t balance = 0;
    std::int64_t held = 0;
    MinBalance min_balance = MinorUnits{0};
    WalletStatus status = WalletStatus::active;
    std::uint64_t entries = 0;
  };

  void create(const NewWallet& made);
  void set_status(const WalletId& wallet, WalletStatus status);

  /// What the ledger must answer; the wallets change when that is `applied`.
  Code apply(const Operation& operation);

  [[nodiscard]] const std::map<WalletId, ModelWallet>& wallets() const noexcept { return wallets_; }

 private:
  struct Move {
    WalletId from;  ///< Empty: the world.
    WalletId to;
    std::int64_t amount = 0;
  };

  struct Reserved {
    WalletId wallet;
    WalletId to;
    std::int64_t remaining = 0;
  };

  struct Past {
    std::string content;
    OperationType type = OperationType::transfer;
    std::vector<Move> moves;
  };

  [[nodiscard]] Code decide(const Operation& operation, std::vector<Move>& moves);
  [[nodiscard]] Code decide_capture(const CaptureHold& capture, std::vector<Move>& moves);
  [[nodiscard]] Code decide_void(const VoidHold& request);
  [[nodiscard]] Code decide_hold(const OperationId& id, const CreateHold& hold);
  [[nodiscard]] Code decide_reverse(const Reverse& reverse, std::vector<Move>& moves);
  [[nodiscard]] Code check(const std::vector<Move>& moves) const;
  [[nodiscard]] Code carry_out(const std::vector<Move>& moves);
  [[nodiscard]] static bool affords(const ModelWallet& wallet, std::int64_t amount);

  std::map<WalletId, ModelWallet> wallets_;
  std::map<OperationId, Reserved> holds_;
  std::map<OperationId, Past> past_;
  std::set<OperationId> reversed_;
};

}  // namespace mizan::testkit
