#pragma once

#include "mizan/clock.hpp"
#include "mizan/ids.hpp"

#include "prover/checkers/image.hpp"
#include "prover/naive/database.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::prover::naive {

/// The wallet tables of a careless program, with the statements that such programs are made of.
/// One thread, one process at a time per object; several objects may use one file.
class Bank {
 public:
  explicit Bank(const std::filesystem::path& file);

  void create_tables();
  void create_wallet(std::string_view wallet, std::int64_t balance);

  [[nodiscard]] std::int64_t read_balance(std::string_view wallet);

  /// The absolute write: whatever stands there now is overwritten.
  void write_balance(std::string_view wallet, std::int64_t balance);

  /// The relative write, without asking what stands there now.
  void add_balance(std::string_view wallet, std::int64_t change);

  /// Notes a movement; an empty side is the world.
  void note_entry(std::string_view operation,
                  std::string_view from,
                  std::string_view to,
                  std::int64_t amount,
                  std::int64_t from_balance,
                  std::int64_t to_balance);

  [[nodiscard]] bool knows(std::string_view operation);

  /// A lock with a time to live, as Redis gives it with SET NX PX; its token counts per lock.
  [[nodiscard]] std::optional<std::int64_t> try_lock(std::string_view resource,
                                                     std::int64_t now_ms,
                                                     std::int64_t ttl_ms);

  /// Read, check, write. `between` runs after the read, where others may come in.
  bool withdraw(std::string_view operation,
                std::string_view wallet,
                std::int64_t amount,
                const std::function<void()>& between);

  /// Debit and credit, each a transaction of its own; `between` runs between them.
  void transfer_in_two_steps(std::string_view operation,
                             std::string_view from,
                             std::string_view to,
                             std::int64_t amount,
                             const std::function<void()>& between);

  /// One transaction, but the token of the source's lock is compared with the destination's mark
  /// as well, and nobody counts the rows. Answers true: it noticed nothing.
  bool transfer_as_written(std::string_view operation,
                           std::string_view from,
                           std::string_view to,
                           std::int64_t amount,
                           std::int64_t token);

  void set_token(std::string_view wallet, std::int64_t token);

  [[nodiscard]] LedgerImage image(Timestamp now);

 private:
  Database database_;
};

}  // namespace mizan::prover::naive
