#pragma once

#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/mariadb/session.hpp"
#include "store/sql/hold_changes.hpp"
#include "store/sql/numbers.hpp"
#include "store/sql/plan_rows.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mizan::mariadb {

/// Which columns of the wallets a plan still has to write.
enum class WalletWrite : bool {
  state,  ///< All of them.
  links,  ///< The deltas were applied before; only the chain's beginning is missing.
};

/// Writes plans inside a database transaction, with one statement per table and, where the plan is
/// small, in one round trip. First come the wallets, in order of their numbers, so that two
/// transactions never wait for each other and what is stale is found before anything else is
/// written. The number that the journal's sequences begin with is above what the wallets have so
/// far, so that along one wallet they grow. One thread at a time.
class PlanWriter {
 public:
  /// `number` was drawn for the transaction, if one was; otherwise one of `numbers` serves, or
  /// another is drawn.
  PlanWriter(Session& session,
             sql::Numbers& numbers,
             const StepHook& on_step,
             std::optional<std::int64_t> number = std::nullopt) noexcept
      : session_(session), numbers_(numbers), on_step_(on_step), number_(number) {}

  [[nodiscard]] Result<WriteResult> write(Plan& plan, WalletWrite what);
  [[nodiscard]] Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                                 std::span<WalletChange> wallets);

 private:
  /// A statement of the plan.
  struct Part {
    enum class What : std::uint8_t {
      wallets,
      links,
      journal,
      created_holds,
      changed_holds,
      reversals,
      outbox,
    };

    What what;
    std::string_view statement;
    Parameters parameters;
    std::int64_t expected;  ///< What it must count.
  };

  /// The transaction's number, above all that its wallets' entries have so far.
  [[nodiscard]] Status draw(const Plan& plan);
  [[nodiscard]] Result<std::int64_t> draw_number();
  [[nodiscard]] Status draw_on_cluster(const Plan& plan);

  [[nodiscard]] bool is_on_cluster() const noexcept { return session_.connection().peer().is_node; }

  [[nodiscard]] Result<WriteResult> gather_holds(const Plan& plan);
  void add_part(Part::What what, std::string_view statement, Parameters parameters);
  void add_wallets(const sql::PlanRows& rows, WalletWrite what);
  void add_holds();
  void add_outbox(const sql::PlanRows& rows);
  [[nodiscard]] Result<WriteResult> write_parts(const Plan& plan, const sql::PlanRows& rows);
  [[nodiscard]] Result<WriteResult> explain_failure(Part::What what,
                                                    const Plan& plan,
                                                    const sql::PlanRows& rows,
                                                    const Answers& answers);
  [[nodiscard]] Result<WriteResult> explain_count(const Part& part,
                                                  const sql::PlanRows& rows,
                                                  std::int64_t counted);

  /// An id was recorded by somebody else: which one?
  [[nodiscard]] Result<WriteResult> find_duplicate(const Plan& plan, const Error& violation);
  [[nodiscard]] Result<WriteResult> find_known_hold(const Error& violation);
  [[nodiscard]] Result<WriteResult> find_changed_hold();
  [[nodiscard]] Result<WriteResult> find_reversed(const Plan& plan, const Error& violation);

  /// Names those of the wallets whose revision is not the one before, after the rollback; where
  /// there are none, the plan is wrong.
  [[nodiscard]] Result<WriteResult> name_stale(std::span<const sql::WalletRow> rows,
                                               const Error& violation);

  [[nodiscard]] Result<Sequence> read_jump(WalletNumber wallet, Sequence entry);

  void step(std::string_view name) const {
    if (on_step_) on_step_(name);
  }

  Session& session_;
  sql::Numbers& numbers_;
  const StepHook& on_step_;
  std::optional<std::int64_t> number_;
  Sequence first_;  // Of the transaction's rows.
  sql::HoldChanges holds_;
  std::vector<Part> parts_;
};

/// Sequences of one transaction: its number times this, plus the place.
inline constexpr std::int64_t rows_per_batch = 1 << 20;

}  // namespace mizan::mariadb
