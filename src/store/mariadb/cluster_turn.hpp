#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "store/mariadb/session.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mizan::mariadb {

/// The turn to migrate a ledger on a Galera cluster: a row of the database, since named locks are a
/// node's own. It ends by itself, where its owner does; nobody needs it for as long as that takes.
/// One thread at a time.
class ClusterTurn {
 public:
  /// Speaks over this connection, which stays usable in between.
  ClusterTurn(Pool::Lent lent, const Clock& clock, Deadline deadline);

  /// Waits for it until the deadline.
  [[nodiscard]] Status take();

  /// Where this fails the turn ends by itself.
  void give_back();

 private:
  /// One attempt, in a transaction of its own; false where somebody else has it.
  [[nodiscard]] Result<bool> try_once();

  [[nodiscard]] Connection& connection() const noexcept { return lent_->connection(); }

  template <class Work>
  [[nodiscard]] Result<bool> in_transaction(Work work);
  [[nodiscard]] Result<bool> change(std::string_view statement, const Parameters& parameters);

  std::optional<Pool::Lent> lent_;  // Nothing while a session has it.
  const Clock& clock_;
  Deadline deadline_;
  std::string owner_;
};

}  // namespace mizan::mariadb
