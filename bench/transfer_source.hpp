#pragma once

#include "mizan/operation.hpp"

#include "base/random.hpp"
#include "base/uuid.hpp"
#include "bench/pairing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mizan::bench {

enum class IdOrder : std::uint8_t {
  time_ordered,  ///< UUIDs of version 7, as our own clients make them.
  random,        ///< 36 characters that come in no order.
};

/// Names of the wallets 0 … count − 1 of every measured ledger.
[[nodiscard]] WalletId wallet_name(std::size_t index);
[[nodiscard]] std::vector<WalletId> wallet_names(std::size_t count);

/// What a client asks for: endless transfers of 1 to 100 minor units. The same seed and pairing
/// give the same wallets and amounts. One thread at a time; one of its own per caller, as one per
/// client process would be.
class TransferSource {
 public:
  struct Options {
    Pairing pairing;
    IdOrder ids = IdOrder::time_ordered;
    std::uint64_t seed = 1;
  };

  /// `wallets` must outlive it and be as many as the pairing names.
  TransferSource(std::span<const WalletId> wallets, const Options& options);

  /// Makes the operation the next transfer. Reuses what it holds: no allocation in the loop.
  void refresh(Operation& operation);

  [[nodiscard]] OperationId next_id();

  /// Indices of the next source and destination.
  [[nodiscard]] std::pair<std::size_t, std::size_t> next_wallets();

  [[nodiscard]] std::int64_t next_amount();

 private:
  std::span<const WalletId> wallets_;
  Options options_;
  SeededRandom random_;
  UuidGenerator uuids_;
};

/// A transfer with one leg, to be filled in by `TransferSource::refresh`.
[[nodiscard]] Operation blank_transfer();

}  // namespace mizan::bench
