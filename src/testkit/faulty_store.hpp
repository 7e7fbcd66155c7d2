#pragma once

#include "mizan/store.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace mizan::testkit {

/// What goes wrong with a call.
enum class Fault : std::uint8_t {
  unavailable,                ///< Nothing was done; the store is not there.
  retryable,                  ///< Nothing was done: a deadlock, a serialization failure.
  connection_lost,            ///< Nothing was done: a new connection may be tried at once.
  alarm,                      ///< Nothing was done: the store's second net caught something.
  commit_applied_unreported,  ///< `commit` only: done, but reported as unknown.
  commit_lost_unreported,     ///< `commit` only: not done, and reported as unknown.
};

/// A store around another one, where calls fail as the test says. Calls are named as the members
/// of Store, Transaction and Snapshot ("begin", "snapshot", "claim", "write", "commit",
/// "find_operation", …); those of a snapshot that a transaction has too are "snapshot.<name>".
/// Any thread may call it. Transactions and snapshots keep what they need alive.
class FaultyStore : public Store {
 public:
  explicit FaultyStore(std::unique_ptr<Store> inner);
  ~FaultyStore() override;

  /// After `skip` more calls of that name, `times` of them fail.
  void fail(std::string_view call, Fault fault, std::size_t times = 1, std::size_t skip = 0);

  /// Forgets every failure still to come.
  void heal();

  /// Runs on the calling thread before each call; must not call `before_call` itself.
  void before_call(std::function<void(std::string_view call)> hook);

  /// How often a call of that name was made, failed ones included.
  [[nodiscard]] std::size_t calls(std::string_view call) const;

  [[nodiscard]] Store& inner() noexcept { return *inner_; }

  [[nodiscard]] StoreDescription describe() const override;
  Result<std::vector<std::string>> migrate() override;
  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override;
  Result<std::unique_ptr<Snapshot>> snapshot() override;
  Result<std::vector<Finding>> doctor() override;
  Result<std::uint64_t> disk_bytes() override;
  LeaseTable& leases() override;
  EpochTable* epochs() override;
  GuardTable* guards() override;
  EventLog* events() override;
  DocumentTable* documents() override;
  KeyTable* keys() override;

  class Script;

 private:
  std::unique_ptr<Store> inner_;
  std::shared_ptr<Script> script_;  // Shared with the transactions and snapshots it made.
};

}  // namespace mizan::testkit
