#include "store/sqlite/batch_builder.hpp"

#include "store/sql/refusal_text.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace mizan::sqlite {
namespace {

Error bad_plan(std::int64_t wallet, std::string_view what) {
  return internal_error("sqlite: write",
                        "wallet number " + std::to_string(wallet) + ": " + std::string(what));
}

}  // namespace

std::size_t journal_rows(const PlannedOperation& operation) noexcept {
  return operation.refusal || operation.legs.empty() ? 1 : operation.legs.size();
}

BatchBuilder::BatchBuilder(Connection& connection, Batch& batch, Sequence last)
    : connection_(connection), batch_(batch), last_(last) {}

Status BatchBuilder::build(Plan& plan) {
  batch_.clear();
  wallets_.clear();
  wallets_.reserve(plan.wallets.size());
  for (const WalletChange& change : plan.wallets) {
    Progress& wallet = wallets_.emplace_back();
    wallet.number = change.after.number.value();
    wallet.links = change.after.links;
  }
  batch_.journal.reserve(plan.operations.size());
  for (const PlannedOperation& operation : plan.operations) {
    if (Status added = add_operation(operation); !added) return added;
  }
  return add_balances(plan.wallets);
}

Status BatchBuilder::add_operation(const PlannedOperation& operation) {
  const std::size_t first = batch_.journal.size();
  const std::size_t rows = journal_rows(operation);
  batch_.journal.resize(first + rows);
  for (std::size_t i = 0; i < rows; ++i) {
    JournalRow& row = batch_.journal[first + i];
    row.type = static_cast<std::int64_t>(operation.type);
    row.at = operation.at.time_since_epoch().count();
  }
  JournalRow& head = batch_.journal[first];
  head.id = &operation.id;
  head.fingerprint = &operation.fingerprint;
  head.packed_id = sql::pack_uuid(operation.id.view());
  if (operation.refusal || operation.hold || operation.reverses || !operation.metadata.empty()) {
    add_texts(operation, head);
  }
  if (operation.refusal) return {};
  for (std::size_t i = 0; i < operation.legs.size(); ++i) {
    if (Status added = add_leg(operation.legs[i], batch_.journal[first + i]); !added) return added;
  }
  return {};
}

void BatchBuilder::add_texts(const PlannedOperation& operation, JournalRow& row) {
  JournalTexts texts;
  if (operation.refusal) {
    texts.refusal = sql::encode_refusal(*operation.refusal);
  } else {
    if (operation.reverses) {
      texts.subject = operation.reverses->str();
    } else if (operation.hold && operation.hold->kind == HoldChange::Kind::change) {
      texts.subject = operation.hold->after.id.str();
    }
    texts.metadata = encode_metadata(operation.metadata);
  }
  batch_.texts.push_back(std::move(texts));
  row.texts = static_cast<std::uint32_t>(batch_.texts.size());
}

Status BatchBuilder::add_leg(const PlannedLeg& leg, JournalRow& row) {
  if (leg.amount.value() <= 0) return bad_plan(0, "a leg's amount is not positive");
  const auto index = static_cast<std::int64_t>(&row - batch_.journal.data());
  const Sequence sequence{last_.value() + 1 + index};
  sql::EntryLinks from;
  sql::EntryLinks to;
  row.has_leg = true;
  row.amount = leg.amount.value();
  if (leg.from != world_slot) {
    row.from_balance = leg.from_balance.value();
    auto links = advance(leg.from, {leg.from_version, row.from_balance, -row.amount}, sequence);
    if (!links) return links.error();
    from = *links;
    row.from_wallet = wallets_[leg.from].number;
    row.from_version = static_cast<std::int64_t>(leg.from_version);
  }
  if (leg.to != world_slot) {
    row.to_balance = leg.to_balance.value();
    auto links = advance(leg.to, {leg.to_version, row.to_balance, row.amount}, sequence);
    if (!links) return links.error();
    to = *links;
    row.to_wallet = wallets_[leg.to].number;
    row.to_version = static_cast<std::int64_t>(leg.to_version);
  }
  row.links = sql::EncodedLinks(sequence, from, to);
  return {};
}

Result<sql::EntryLinks> BatchBuilder::advance(Slot slot,
                                              const SideEntry& entry,
                                              Sequence sequence) {
  if (slot >= wallets_.size()) return bad_plan(0, "a leg names a wallet outside the plan");
  Progress& wallet = wallets_[slot];
  std::int64_t balance_before = 0;
  if (__builtin_sub_overflow(entry.balance, entry.change, &balance_before)) {
    return bad_plan(wallet.number, "an entry leaves 64 bits");
  }
  if (wallet.version == 0) {
    wallet.version_before = entry.version - 1;
    wallet.balance_before = balance_before;
  } else if (entry.version != wallet.version + 1 || balance_before != wallet.balance) {
    return bad_plan(wallet.number, "an entry does not follow the one before it");
  }
  const bool has_head = (entry.version > 1) == (wallet.links.head.value() != 0);
  const bool has_block = (entry.version > sql::history_stride) == (wallet.links.block.value() != 0);
  if (!has_head || !has_block) return bad_plan(wallet.number, "its links are not its own");
  wallet.version = entry.version;
  wallet.balance = entry.balance;
  sql::EntryLinks links{wallet.links.head, wallet.links.block};
  if (entry.version % sql::history_stride == 0) {
    auto jump = find_jump(wallet, entry.version);
    if (!jump) return jump.error();
    links.jump = *jump;
    wallet.links.block = sequence;
  }
  wallet.links.head = sequence;
  return links;
}

Result<Sequence> BatchBuilder::find_jump(const Progress& wallet, std::uint64_t version) {
  const std::uint64_t target = sql::jump_version(version);
  if (target == 0) return Sequence{};
  // The block before is a stride back; from there the jumps reach the target.
  Sequence at = wallet.links.block;
  for (std::uint64_t reached = version - sql::history_stride; reached != target;
       reached = sql::jump_version(reached)) {
    auto further = jump_of(wallet.number, at);
    if (!further) return further;
    at = *further;
  }
  return at;
}

Result<Sequence> BatchBuilder::jump_of(std::int64_t wallet, Sequence sequence) {
  std::optional<sql::LinkedSides> sides;
  bool credit = false;
  if (sequence > last_) {
    const auto index = static_cast<std::size_t>(sequence.value() - last_.value() - 1);
    const JournalRow& row = batch_.journal[index];
    sides = sql::decode_links(sequence, row.links.bytes());
    credit = row.to_wallet == wallet;
  } else {
    Statement statement = connection_.statement(sqlite_sql::read_links);
    statement.bind(1, sequence.value());
    auto found = statement.step();
    if (!found) return found.error();
    if (*found) {
      credit = statement.integer(0) == wallet;
      sides = sql::decode_links(sequence, statement.bytes(1));
    }
  }
  const Sequence jump = sides ? (credit ? sides->to.jump : sides->from.jump) : Sequence{};
  if (jump.value() == 0) return bad_plan(wallet, "its chain of entries is broken");
  return jump;
}

Status BatchBuilder::add_balances(std::vector<WalletChange>& wallets) {
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  order.reserve(wallets.size());
  for (std::size_t i = 0; i < wallets.size(); ++i) order.emplace_back(wallets_[i].number, i);
  if (!std::is_sorted(order.begin(), order.end())) std::sort(order.begin(), order.end());
  batch_.balances.reserve(wallets.size());
  for (const auto& [number, i] : order) {
    WalletState& after = wallets[i].after;
    Progress& progress = wallets_[i];
    if (progress.version == 0) {
      progress.version = progress.version_before = after.version;
      progress.balance = progress.balance_before = after.balance.value();
    }
    if (progress.version != after.version || progress.balance != after.balance.value()) {
      return bad_plan(progress.number, "its entries do not end in its state");
    }
    after.links = progress.links;
    BalanceRow& row = batch_.balances.emplace_back();
    row.wallet = number;
    row.balance = after.balance.value();
    row.held = after.held.value();
    if (after.min_balance) row.min_balance = after.min_balance->value();
    row.status = static_cast<std::int64_t>(after.status);
    row.version = static_cast<std::int64_t>(after.version);
    row.revision_before = static_cast<std::int64_t>(wallets[i].revision_before);
    row.revision_after = static_cast<std::int64_t>(after.revision);
    row.balance_before = progress.balance_before;
    row.version_before = static_cast<std::int64_t>(progress.version_before);
    row.head = after.links.head.value();
    row.block = after.links.block.value();
  }
  return {};
}

}  // namespace mizan::sqlite
