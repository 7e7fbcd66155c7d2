#include "store/mariadb/plan_columns.hpp"

#include "store/mariadb/records.hpp"
#include "store/sql/refusal_text.hpp"

#include <algorithm>
#include <string>

namespace mizan::mariadb {
namespace {

bool has_more_than_legs(const PlannedOperation& operation) {
  return operation.refusal || operation.hold || operation.reverses || !operation.metadata.empty();
}

std::string subject_of(const PlannedOperation& operation) {
  if (operation.refusal) return {};
  if (operation.reverses) return operation.reverses->str();
  const bool changes = operation.hold && operation.hold->kind == HoldChange::Kind::change;
  return changes ? operation.hold->after.id.str() : std::string();
}

/// The columns of append_journal.sql, each over the rows.
class JournalColumns {
 public:
  explicit JournalColumns(const std::vector<sql::JournalRow>& rows) : rows_(rows) {
    add(Kind::integer, [](CellWriter& out, const auto& row) { out.integer(row.sequence.value()); });
    add_first(Kind::bytes, [](CellWriter& out, const PlannedOperation& operation) {
      out.text(operation_key(operation.id));
    });
    add_first(Kind::bytes, [](CellWriter& out, const PlannedOperation& operation) {
      out.bytes(operation.fingerprint);
    });
    add(Kind::integer, [](CellWriter& out, const auto& row) {
      out.integer(static_cast<std::int64_t>(row.operation->type));
    });
    add(Kind::integer, [](CellWriter& out, const auto& row) { out.time(row.operation->at); });
    add_legs();
    std::int64_t leg = 0;
    add(Kind::integer, [&](CellWriter& out, const auto& row) {
      leg = row.is_first ? 0 : leg + 1;
      out.integer(leg);
    });
  }

  /// The further columns of append_full_journal.sql.
  void add_further() {
    add_text([](const PlannedOperation& operation) { return subject_of(operation); });
    add_text([](const PlannedOperation& operation) {
      return operation.refusal ? sql::encode_refusal(*operation.refusal) : std::string();
    });
    add_text([](const PlannedOperation& operation) {
      return operation.refusal ? std::string() : encode_metadata(operation.metadata);
    });
    add_first(Kind::integer, [](CellWriter& out, const PlannedOperation& operation) {
      if (operation.refusal || !operation.hold) return out.null();
      out.integer(operation.hold->after.captured.value());
    });
    add_first(Kind::integer, [](CellWriter& out, const PlannedOperation& operation) {
      if (operation.refusal || !operation.hold) return out.null();
      out.integer(static_cast<std::int64_t>(operation.hold->after.status));
    });
  }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

 private:
  template <class Put>
  void add(Kind kind, Put put) {
    parameters_.column(
        kind, rows_.size(), [&](CellWriter& out, std::size_t i) { put(out, rows_[i]); });
  }

  template <class Put>
  void add_first(Kind kind, Put put) {
    add(kind, [&](CellWriter& out, const sql::JournalRow& row) {
      if (row.is_first) {
        put(out, *row.operation);
      } else {
        out.null();
      }
    });
  }

  template <class Text>
  void add_text(Text text_of) {
    add_first(Kind::text, [&](CellWriter& out, const PlannedOperation& operation) {
      const std::string text = text_of(operation);
      if (text.empty()) return out.null();
      out.text(text);
    });
  }

  template <class Number>
  void add_leg_column(Number number_of) {
    add(Kind::integer, [&](CellWriter& out, const sql::JournalRow& row) {
      if (row.leg == nullptr) return out.null();
      out.integer(number_of(row));
    });
  }

  /// A column of one side, NULL where that is the world.
  template <class Number>
  void add_side_column(WalletNumber sql::JournalRow::*side, Number number_of) {
    add(Kind::integer, [&](CellWriter& out, const sql::JournalRow& row) {
      if (row.leg == nullptr || row.*side == world_number) return out.null();
      out.integer(number_of(row));
    });
  }

  void add_legs() {
    using Row = sql::JournalRow;
    add_leg_column([](const Row& row) { return row.from.value(); });
    add_leg_column([](const Row& row) { return row.to.value(); });
    add_leg_column([](const Row& row) { return row.leg->amount.value(); });
    add_side_column(&Row::from, [](const Row& row) { return row.leg->from_balance.value(); });
    add_side_column(&Row::from, [](const Row& row) {
      return static_cast<std::int64_t>(row.leg->from_version);
    });
    add_side_column(&Row::to, [](const Row& row) { return row.leg->to_balance.value(); });
    add_side_column(&Row::to,
                    [](const Row& row) { return static_cast<std::int64_t>(row.leg->to_version); });
    add_side_column(&Row::from, [](const Row& row) { return row.from_links.previous.value(); });
    add_side_column(&Row::from, [](const Row& row) { return row.from_links.jump.value(); });
    add_side_column(&Row::to, [](const Row& row) { return row.to_links.previous.value(); });
    add_side_column(&Row::to, [](const Row& row) { return row.to_links.jump.value(); });
  }

  const std::vector<sql::JournalRow>& rows_;
  Parameters parameters_;
};

/// The columns of the statements that write wallets.
class WalletColumns {
 public:
  explicit WalletColumns(std::span<const sql::WalletRow> rows) : rows_(rows) {}

  template <class Number>
  WalletColumns& integers(Number number_of) {
    parameters_.column(Kind::integer, rows_.size(), [&](CellWriter& out, std::size_t i) {
      out.integer(static_cast<std::int64_t>(number_of(rows_[i])));
    });
    return *this;
  }

  WalletColumns& min_balances() {
    parameters_.column(Kind::integer, rows_.size(), [&](CellWriter& out, std::size_t i) {
      const MinBalance& limit = rows_[i].change->after.min_balance;
      if (!limit) return out.null();
      out.integer(limit->value());
    });
    return *this;
  }

  WalletColumns& statuses() {
    parameters_.column(Kind::integer, rows_.size(), [&](CellWriter& out, std::size_t i) {
      out.integer(static_cast<std::int64_t>(rows_[i].change->after.status));
    });
    return *this;
  }

  WalletColumns& last_entry_times() {
    parameters_.column(Kind::integer, rows_.size(), [&](CellWriter& out, std::size_t i) {
      const WalletState& after = rows_[i].change->after;
      if (after.version == 0) return out.null();
      out.time(after.last_entry_at);
    });
    return *this;
  }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

 private:
  std::span<const sql::WalletRow> rows_;
  Parameters parameters_;
};

void add_ids(Parameters& parameters, const std::vector<sql::HoldChanges::Change>& holds) {
  parameters.column(Kind::text, holds.size(), [&](CellWriter& out, std::size_t i) {
    out.text(holds[i].change.after.id.view());
  });
}

template <class Number>
void add_integers(Parameters& parameters,
                  const std::vector<sql::HoldChanges::Change>& holds,
                  Number number_of) {
  parameters.column(Kind::integer, holds.size(), [&](CellWriter& out, std::size_t i) {
    out.integer(number_of(holds[i].change).value());
  });
}

template <class HoldStatusOf>
void add_statuses(Parameters& parameters,
                  const std::vector<sql::HoldChanges::Change>& holds,
                  HoldStatusOf status_of) {
  parameters.column(Kind::integer, holds.size(), [&](CellWriter& out, std::size_t i) {
    out.integer(static_cast<std::int64_t>(status_of(holds[i].change)));
  });
}

}  // namespace

JournalShape shape_of(const std::vector<sql::JournalRow>& rows) {
  const bool full = std::any_of(rows.begin(), rows.end(), [](const sql::JournalRow& row) {
    return row.is_first && has_more_than_legs(*row.operation);
  });
  return full ? JournalShape::full : JournalShape::plain;
}

Parameters journal_columns(const std::vector<sql::JournalRow>& rows, JournalShape shape) {
  JournalColumns columns(rows);
  if (shape == JournalShape::full) columns.add_further();
  return columns.parameters();
}

Parameters created_hold_columns(const std::vector<sql::HoldChanges::Change>& created) {
  Parameters columns;
  add_ids(columns, created);
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.wallet; });
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.to; });
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.amount; });
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.captured; });
  add_statuses(columns, created, [](const HoldChange& hold) { return hold.after.status; });
  columns.column(Kind::integer, created.size(), [&](CellWriter& out, std::size_t i) {
    const auto& expires_at = created[i].change.after.expires_at;
    if (!expires_at) return out.null();
    out.time(*expires_at);
  });
  columns.column(Kind::integer, created.size(), [&](CellWriter& out, std::size_t i) {
    out.time(created[i].change.after.created_at);
  });
  return columns;
}

Parameters changed_hold_columns(const std::vector<sql::HoldChanges::Change>& changed) {
  Parameters columns;
  add_integers(columns, changed, [](const HoldChange& hold) { return hold.after.captured; });
  add_statuses(columns, changed, [](const HoldChange& hold) { return hold.after.status; });
  add_ids(columns, changed);
  add_integers(columns, changed, [](const HoldChange& hold) { return hold.captured_before; });
  add_statuses(columns, changed, [](const HoldChange& hold) { return hold.status_before; });
  return columns;
}

Parameters reversal_columns(const Plan& plan) {
  std::vector<const PlannedOperation*> reversals;
  for (const PlannedOperation& operation : plan.operations) {
    if (operation.reverses && !operation.refusal) reversals.push_back(&operation);
  }
  Parameters columns;
  columns.column(Kind::text, reversals.size(), [&](CellWriter& out, std::size_t i) {
    out.text(reversals[i]->reverses->view());
  });
  columns.column(Kind::text, reversals.size(), [&](CellWriter& out, std::size_t i) {
    out.text(reversals[i]->id.view());
  });
  return columns;
}

Parameters wallet_columns(std::span<const sql::WalletRow> rows) {
  using Wallet = sql::WalletRow;
  WalletColumns columns(rows);
  columns.integers([](const Wallet& row) { return row.change->after.number.value(); })
      .integers([](const Wallet& row) { return row.change->after.balance.value(); })
      .integers([](const Wallet& row) { return row.change->after.held.value(); })
      .min_balances()
      .statuses()
      .integers([](const Wallet& row) { return row.change->after.version; })
      .integers([](const Wallet& row) { return row.change->after.revision; })
      .integers([](const Wallet& row) { return row.links.head.value(); })
      .integers([](const Wallet& row) { return row.links.block.value(); })
      .last_entry_times()
      .integers([](const Wallet& row) { return row.change->revision_before; })
      .integers([](const Wallet& row) { return row.balance_before; })
      .integers([](const Wallet& row) { return row.version_before; });
  return columns.parameters();
}

Parameters link_columns(std::span<const sql::WalletRow> rows) {
  using Wallet = sql::WalletRow;
  WalletColumns columns(rows);
  columns.integers([](const Wallet& row) { return row.links.head.value(); })
      .integers([](const Wallet& row) { return row.links.block.value(); })
      .last_entry_times()
      .integers([](const Wallet& row) { return row.change->after.number.value(); })
      .integers([](const Wallet& row) { return row.change->after.version; })
      .integers([](const Wallet& row) { return row.change->after.balance.value(); });
  return columns.parameters();
}

Parameters delta_columns(const GuardedDelta& delta) {
  std::optional<std::int64_t> version;
  if (delta.version) version = static_cast<std::int64_t>(*delta.version);
  const std::int64_t change = delta.balance_change.value();
  const std::int64_t held = delta.held_change.value();
  Parameters parameters;
  parameters.integer(change)
      .integer(held)
      .integer(change == 0 ? 0 : 1)
      .text(delta.wallet.view())
      .text(delta.currency.view())
      .text(delta.currency.view())
      .flag(delta.require_active)
      .integer_or_null(version)
      .integer_or_null(version)
      .integer(change)
      .integer(held)
      .integer(change)
      .integer(held)
      .flag(delta.require_funds)
      .integer(change)
      .integer(held);
  return parameters;
}

}  // namespace mizan::mariadb
