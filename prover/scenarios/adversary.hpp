#pragma once

#include "mizan/store.hpp"

#include <memory>
#include <string_view>

namespace mizan::prover {

/// Somebody else's transaction on the ledger's own tables, through the port as any program would,
/// but in whatever order it likes. Its end rolls back. One thread at a time.
class Adversary {
 public:
  /// With some rows written, so that a database that chooses the lighter one of two transactions
  /// as a deadlock's victim chooses the other one.
  [[nodiscard]] static Result<Adversary> begin(Store& store);

  /// Each blocks while another transaction is in the way; an error ends it.
  Status lock_wallet(std::string_view wallet);
  Status take_mark(const Fence& fence);

 private:
  explicit Adversary(std::unique_ptr<Transaction> transaction) noexcept
      : transaction_(std::move(transaction)) {}

  std::unique_ptr<Transaction> transaction_;
};

}  // namespace mizan::prover
