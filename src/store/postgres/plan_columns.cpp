#include "store/postgres/plan_columns.hpp"

#include "store/postgres/records.hpp"
#include "store/sql/refusal_text.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace mizan::postgres {
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

/// Whether it is the same for all rows: then it is sent once.
template <class Rows, class Value>
bool is_same(const Rows& rows, Value value_of) {
  return std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
    return value_of(row) == value_of(rows.front());
  });
}

/// The parameters of append_journal.sql.
class JournalColumns {
 public:
  explicit JournalColumns(const std::vector<sql::JournalRow>& rows) : rows_(rows) {
    parameters_.integer(rows.front().sequence.value())
        .integer(static_cast<std::int64_t>(rows.size()));
    add_first(Type::bytes_array, [](ArrayWriter& out, const PlannedOperation& operation) {
      out.text(operation_key(operation.id));
    });
    add_first(Type::bytes_array, [](ArrayWriter& out, const PlannedOperation& operation) {
      out.bytes(operation.fingerprint);
    });
    add_legs();
    add_types_and_times();
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
    add_first(Type::integer_array, [](ArrayWriter& out, const PlannedOperation& operation) {
      if (operation.refusal || !operation.hold) return out.null();
      out.integer(operation.hold->after.captured.value());
    });
    add_first(Type::small_array, [](ArrayWriter& out, const PlannedOperation& operation) {
      if (operation.refusal || !operation.hold) return out.null();
      out.small(static_cast<std::int16_t>(operation.hold->after.status));
    });
  }

  [[nodiscard]] Parameters take() { return std::move(parameters_); }

 private:
  template <class Put>
  void add(Type type, Put put) {
    parameters_.array(
        type, rows_.size(), [&](ArrayWriter& out, std::size_t i) { put(out, rows_[i]); });
  }

  template <class Put>
  void add_first(Type type, Put put) {
    add(type, [&](ArrayWriter& out, const sql::JournalRow& row) {
      if (row.is_first) {
        put(out, *row.operation);
      } else {
        out.null();
      }
    });
  }

  template <class Text>
  void add_text(Text text_of) {
    add_first(Type::text_array, [&](ArrayWriter& out, const PlannedOperation& operation) {
      const std::string text = text_of(operation);
      if (text.empty()) return out.null();
      out.text(text);
    });
  }

  template <class Number>
  void add_leg_column(Number number_of) {
    add(Type::integer_array, [&](ArrayWriter& out, const sql::JournalRow& row) {
      if (row.leg == nullptr) return out.null();
      out.integer(number_of(row));
    });
  }

  /// A column of one side, NULL where that is the world.
  template <class Number>
  void add_side_column(WalletNumber sql::JournalRow::*side, Number number_of) {
    add(Type::integer_array, [&](ArrayWriter& out, const sql::JournalRow& row) {
      if (row.leg == nullptr || row.*side == world_number) return out.null();
      out.integer(number_of(row));
    });
  }

  void add_types_and_times() {
    using Row = sql::JournalRow;
    const auto type_of = [](const Row& row) { return row.operation->type; };
    const auto time_of = [](const Row& row) { return row.operation->at; };
    const bool has_one_type = is_same(rows_, type_of);
    const bool has_one_time = is_same(rows_, time_of);
    parameters_.array(
        Type::small_array, has_one_type ? 0 : rows_.size(), [&](ArrayWriter& out, std::size_t i) {
          out.small(static_cast<std::int16_t>(type_of(rows_[i])));
        });
    parameters_.array(Type::time_array,
                      has_one_time ? 0 : rows_.size(),
                      [&](ArrayWriter& out, std::size_t i) { out.time(time_of(rows_[i])); });
    parameters_.small(static_cast<std::int16_t>(type_of(rows_.front())))
        .time(time_of(rows_.front()));
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
  explicit WalletColumns(std::span<const sql::WalletRow> rows) : rows_(rows) {
    parameters_.integer(static_cast<std::int64_t>(rows.size()));
  }

  template <class Number>
  WalletColumns& integers(Number number_of) {
    parameters_.array(Type::integer_array, rows_.size(), [&](ArrayWriter& out, std::size_t i) {
      out.integer(static_cast<std::int64_t>(number_of(rows_[i])));
    });
    return *this;
  }

  WalletColumns& min_balances() {
    parameters_.array(Type::integer_array, rows_.size(), [&](ArrayWriter& out, std::size_t i) {
      const MinBalance& limit = rows_[i].change->after.min_balance;
      if (!limit) return out.null();
      out.integer(limit->value());
    });
    return *this;
  }

  WalletColumns& statuses() {
    parameters_.array(Type::small_array, rows_.size(), [&](ArrayWriter& out, std::size_t i) {
      out.small(static_cast<std::int16_t>(rows_[i].change->after.status));
    });
    return *this;
  }

  WalletColumns& last_entry_times() {
    parameters_.array(Type::time_array, rows_.size(), [&](ArrayWriter& out, std::size_t i) {
      const WalletState& after = rows_[i].change->after;
      if (after.version == 0) return out.null();
      out.time(after.last_entry_at);
    });
    return *this;
  }

  /// Once where it is the same for all.
  WalletColumns& last_entry_time() {
    const auto time_of = [](const sql::WalletRow& row) { return row.change->after.last_entry_at; };
    const bool has_one_time = is_same(rows_, time_of);
    parameters_
        .array(Type::time_array,
               has_one_time ? 0 : rows_.size(),
               [&](ArrayWriter& out, std::size_t i) { out.time(time_of(rows_[i])); })
        .time(time_of(rows_.front()));
    return *this;
  }

  [[nodiscard]] Parameters take() { return std::move(parameters_); }

 private:
  std::span<const sql::WalletRow> rows_;
  Parameters parameters_;
};

/// The first columns of insert_holds.sql and change_holds.sql.
Parameters hold_columns(const std::vector<sql::HoldChanges::Change>& holds) {
  Parameters parameters;
  parameters.array(Type::text_array, holds.size(), [&](ArrayWriter& out, std::size_t i) {
    out.text(holds[i].change.after.id.view());
  });
  return parameters;
}

template <class Number>
void add_integers(Parameters& parameters,
                  const std::vector<sql::HoldChanges::Change>& holds,
                  Number number_of) {
  parameters.array(Type::integer_array, holds.size(), [&](ArrayWriter& out, std::size_t i) {
    out.integer(number_of(holds[i].change).value());
  });
}

template <class HoldStatusOf>
void add_statuses(Parameters& parameters,
                  const std::vector<sql::HoldChanges::Change>& holds,
                  HoldStatusOf status_of) {
  parameters.array(Type::small_array, holds.size(), [&](ArrayWriter& out, std::size_t i) {
    out.small(static_cast<std::int16_t>(status_of(holds[i].change)));
  });
}

}  // namespace

WalletShape shape_of(const Plan& plan) {
  const auto changes_held = [](const PlannedOperation& operation) {
    return static_cast<bool>(operation.hold);
  };
  const auto changes_only_balance = [](const WalletChange& change) {
    return change.balance_changed && change.after.revision == change.revision_before + 1;
  };
  const bool is_plain =
      std::none_of(plan.operations.begin(), plan.operations.end(), changes_held) &&
      std::all_of(plan.wallets.begin(), plan.wallets.end(), changes_only_balance);
  return is_plain ? WalletShape::balances : WalletShape::all;
}

JournalShape shape_of(const std::vector<sql::JournalRow>& rows) {
  const bool full = std::any_of(rows.begin(), rows.end(), [](const sql::JournalRow& row) {
    return row.is_first && has_more_than_legs(*row.operation);
  });
  return full ? JournalShape::full : JournalShape::plain;
}

Parameters journal_columns(const std::vector<sql::JournalRow>& rows, JournalShape shape) {
  JournalColumns columns(rows);
  if (shape == JournalShape::full) columns.add_further();
  return columns.take();
}

Parameters created_hold_columns(const std::vector<sql::HoldChanges::Change>& created) {
  Parameters columns = hold_columns(created);
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.wallet; });
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.to; });
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.amount; });
  add_integers(columns, created, [](const HoldChange& hold) { return hold.after.captured; });
  add_statuses(columns, created, [](const HoldChange& hold) { return hold.after.status; });
  columns.array(Type::time_array, created.size(), [&](ArrayWriter& out, std::size_t i) {
    const auto& expires_at = created[i].change.after.expires_at;
    if (!expires_at) return out.null();
    out.time(*expires_at);
  });
  columns.array(Type::time_array, created.size(), [&](ArrayWriter& out, std::size_t i) {
    out.time(created[i].change.after.created_at);
  });
  return columns;
}

Parameters changed_hold_columns(const std::vector<sql::HoldChanges::Change>& changed) {
  Parameters columns = hold_columns(changed);
  add_integers(columns, changed, [](const HoldChange& hold) { return hold.after.captured; });
  add_statuses(columns, changed, [](const HoldChange& hold) { return hold.after.status; });
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
  columns.array(Type::text_array, reversals.size(), [&](ArrayWriter& out, std::size_t i) {
    out.text(reversals[i]->reverses->view());
  });
  columns.array(Type::text_array, reversals.size(), [&](ArrayWriter& out, std::size_t i) {
    out.text(reversals[i]->id.view());
  });
  return columns;
}

Parameters balance_columns(std::span<const sql::WalletRow> rows) {
  using Wallet = sql::WalletRow;
  WalletColumns columns(rows);
  columns.integers([](const Wallet& row) { return row.change->after.number.value(); })
      .integers([](const Wallet& row) { return row.change->after.balance.value(); })
      .integers([](const Wallet& row) { return row.change->after.version; })
      .integers([](const Wallet& row) { return row.links.head.value(); })
      .integers([](const Wallet& row) { return row.links.block.value(); })
      .integers([](const Wallet& row) { return row.change->revision_before; })
      .integers([](const Wallet& row) { return row.balance_before; })
      .integers([](const Wallet& row) { return row.version_before; })
      .last_entry_time();
  return columns.take();
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
  return columns.take();
}

Parameters link_columns(std::span<const sql::WalletRow> rows) {
  using Wallet = sql::WalletRow;
  WalletColumns columns(rows);
  columns.integers([](const Wallet& row) { return row.change->after.number.value(); })
      .integers([](const Wallet& row) { return row.links.head.value(); })
      .integers([](const Wallet& row) { return row.links.block.value(); })
      .last_entry_times()
      .integers([](const Wallet& row) { return row.change->after.version; })
      .integers([](const Wallet& row) { return row.change->after.balance.value(); });
  return columns.take();
}

}  // namespace mizan::postgres
