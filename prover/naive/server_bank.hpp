#pragma once

#include "mizan/clock.hpp"

#include "prover/checkers/image.hpp"
#include "prover/servers/sql_link.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace mizan::prover::naive {

/// A session of a careless program with its tables on a server: `naive_wallets (number, id,
/// balance)` and `naive_entries`. Its statements are such programs'; each scenario adds its own.
/// One thread at a time; several sessions may work on one set of tables.
class ServerBank {
 public:
  /// `room` is there.
  [[nodiscard]] static Result<ServerBank> open(const std::string& url, const std::string& room);

  Status create_tables();
  Status create_wallet(std::string_view wallet, std::int64_t balance);

  /// Runs one; its failure is the session's to know.
  bool run(const std::string& statement) { return link_->run(statement).has_value(); }

  /// Does the server say that it did not do as it was told? (PostgreSQL answers ROLLBACK to the
  /// COMMIT of a transaction in which something failed. Such programs do not look.)
  bool commit();

  [[nodiscard]] std::int64_t read_balance(std::string_view wallet);

  /// Likewise, `FOR UPDATE`.
  [[nodiscard]] std::int64_t lock_balance(std::string_view wallet);

  /// `UPDATE … SET balance = <text>`.
  bool set_balance(std::string_view wallet, const std::string& expression);

  /// An empty side is the world.
  bool note_entry(std::string_view operation,
                  std::string_view from,
                  std::string_view to,
                  std::int64_t amount);

  [[nodiscard]] SqlLink& link() noexcept { return *link_; }

  /// Is that session waiting for a lock? Asked by another one.
  [[nodiscard]] bool sees_waiting(const ServerBank& other);

  [[nodiscard]] LedgerImage image(Timestamp now);

 private:
  explicit ServerBank(std::unique_ptr<SqlLink> link) noexcept : link_(std::move(link)) {}

  std::unique_ptr<SqlLink> link_;
};

}  // namespace mizan::prover::naive
