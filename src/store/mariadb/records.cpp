#include "store/mariadb/records.hpp"

#include "store/mariadb/mariadb_sql.hpp"
#include "store/sql/packed_id.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace mizan::mariadb {
namespace {

/// Stands in front of the 16 bytes of a UUID; no id begins with it.
constexpr std::byte uuid_mark{1};

Parameters text(std::string_view value) {
  Parameters parameters;
  parameters.text(value);
  return parameters;
}

}  // namespace

std::string operation_key(const OperationId& id) {
  const auto packed = sql::pack_uuid(id.view());
  if (!packed) return id.str();
  std::string key(1, static_cast<char>(uuid_mark));
  key.append(reinterpret_cast<const char*>(packed->data()), packed->size());
  return key;
}

Parameters operation_keys(std::span<const OperationId> ids) {
  std::vector<std::string> keys;
  keys.reserve(ids.size());
  for (const OperationId& id : ids) keys.push_back(operation_key(id));
  Parameters parameters;
  parameters.hexadecimal_list(keys);
  return parameters;
}

Parameters operation_keys(std::span<const OperationId* const> ids) {
  std::vector<std::string> keys;
  keys.reserve(ids.size());
  for (const OperationId* id : ids) keys.push_back(operation_key(*id));
  Parameters parameters;
  parameters.hexadecimal_list(keys);
  return parameters;
}

OperationId read_operation_id(const Row& row, std::size_t column) {
  const auto key = row.bytes(column);
  if (key.empty() || key.front() != uuid_mark) return OperationId(row.text(column));
  if (key.size() != 1 + std::tuple_size_v<sql::PackedId>) return OperationId();
  return sql::unpack_uuid(key.subspan(1).first<16>());
}

Result<WalletStates> read_wallet_states(const Answer& answer, std::size_t count) {
  WalletStates states(count);
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const Row row(answer, i);
    auto state = read_wallet_state(row);
    if (!state) return state.error();
    states[static_cast<std::size_t>(row.integer(0) - 1)] = *state;
  }
  return states;
}

Parameters wallet_ids(std::span<const WalletId> ids) {
  std::vector<std::string_view> texts;
  for (const WalletId& id : ids) texts.push_back(id.view());
  Parameters parameters;
  parameters.list(texts);
  return parameters;
}

Parameters operation_ids(std::span<const OperationId* const> ids) {
  std::vector<std::string_view> texts;
  for (const OperationId* id : ids) texts.push_back(id->view());
  Parameters parameters;
  parameters.list(texts);
  return parameters;
}

Parameters wallet_numbers(std::span<const WalletNumber> numbers) {
  std::vector<std::int64_t> values;
  for (const WalletNumber number : numbers) values.push_back(number.value());
  Parameters parameters;
  parameters.list(values);
  return parameters;
}

Result<std::unordered_map<OperationId, Hold>> find_holds(Session& session,
                                                         std::span<const OperationId* const> ids) {
  std::unordered_map<OperationId, Hold> holds;
  if (ids.empty()) return holds;
  auto answer = session.ask(mariadb_sql::find_holds, operation_ids(ids));
  if (!answer) return answer.error();
  for (std::size_t i = 0; i < answer->size(); ++i) {
    auto hold = sql::read_hold(Row(*answer, i));
    if (!hold) return hold.error();
    holds.emplace(hold->id, *hold);
  }
  return holds;
}

Result<std::optional<HoldRecord>> find_hold_record(Session& session, const OperationId& id) {
  const OperationId* const ids[] = {&id};
  auto answer = session.ask(mariadb_sql::find_holds, operation_ids(ids));
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<HoldRecord>();
  auto hold = sql::read_hold_record(Row(*answer, 0));
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::optional<Hold>> find_hold(Session& session, const OperationId& id) {
  const OperationId* const ids[] = {&id};
  auto holds = find_holds(session, ids);
  if (!holds) return holds.error();
  if (holds->empty()) return std::optional<Hold>();
  return std::optional(holds->begin()->second);
}

Result<std::vector<HoldRecord>> read_hold_records(const Answer& answer) {
  std::vector<HoldRecord> holds;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    auto hold = sql::read_hold_record(Row(answer, i));
    if (!hold) return hold.error();
    holds.push_back(*hold);
  }
  return holds;
}

Result<std::optional<Currency>> find_registered_currency(Session& session,
                                                         const CurrencyCode& code) {
  auto answer = session.ask(mariadb_sql::find_currency, text(code.view()));
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<Currency>();
  return std::optional(sql::read_currency(Row(*answer, 0), 0));
}

}  // namespace mizan::mariadb
