#include "store/sqlite/entry_chain.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <string>
#include <utility>

namespace mizan::sqlite {
namespace {

Error broken_chain(WalletNumber wallet, Sequence sequence) {
  return internal_error("sqlite: read_entry",
                        "the entries of wallet number " + std::to_string(wallet.value()) +
                            " do not go on at sequence " + std::to_string(sequence.value()));
}

}  // namespace

Result<std::optional<ChainedEntry>> EntryChain::read(Sequence sequence) {
  if (sequence.value() == 0) return std::optional<ChainedEntry>();
  Statement row = connection_.statement(sqlite_sql::read_entry);
  row.bind(1, sequence.value());
  auto found = row.step();
  if (!found) return found.error();
  const bool debit = *found && row.integer(0) == wallet_.value();
  const bool credit = *found && row.integer(1) == wallet_.value();
  const auto links = *found ? sql::decode_links(sequence, row.bytes(7)) : std::nullopt;
  if (debit == credit || !links) return broken_chain(wallet_, sequence);
  ChainedEntry entry;
  entry.sequence = sequence;
  entry.at = row.time(8);
  const auto type = sql::type_of(row.integer(9), sequence);
  if (!type) return type.error();
  entry.type = *type;
  entry.change = MinorUnits{debit ? -row.integer(2) : row.integer(2)};
  entry.balance = MinorUnits{row.integer(debit ? 3 : 5)};
  entry.version = static_cast<std::uint64_t>(row.integer(debit ? 4 : 6));
  entry.counterparty = WalletNumber{row.integer(debit ? 1 : 0)};
  entry.links = debit ? links->from : links->to;
  return std::optional(entry);
}

Result<std::optional<ChainedEntry>> EntryChain::previous(const ChainedEntry& entry) {
  return read(entry.links.previous);
}

Result<std::optional<ChainedEntry>> EntryChain::find_version(std::uint64_t version) {
  auto entry = read(head_);
  while (entry && *entry && (*entry)->version > version) {
    const std::uint64_t jump = sql::jump_version((*entry)->version);
    const bool far = jump != 0 && jump >= version;
    entry = read(far ? (*entry)->links.jump : (*entry)->links.previous);
  }
  return entry;
}

Result<std::optional<ChainedEntry>> EntryChain::find_time(Timestamp time) {
  auto entry = read(head_);
  while (entry && *entry && (*entry)->at > time) {
    auto jump = read((*entry)->links.jump);
    if (!jump) return jump;
    // A jump that lands at or before `time` may have gone too far.
    const bool take_jump = *jump && (*jump)->at > time;
    entry = take_jump ? std::move(jump) : read((*entry)->links.previous);
  }
  return entry;
}

}  // namespace mizan::sqlite
