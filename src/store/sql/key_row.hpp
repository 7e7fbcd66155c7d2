#pragma once

#include "mizan/key_table.hpp"
#include "mizan/result.hpp"

#include <algorithm>
#include <cstdint>

namespace mizan::sql {

/// Columns as in each dialect's list_keys.sql: id, name, scopes, hash, rate (NULL: none), created
/// at, revoked at (NULL: not). `Row` as in rows.hpp; `where` is of its dialect.
template <class Row>
Result<KeyRecord> read_key(const Row& row, const char* where) {
  KeyRecord key;
  key.id = row.text(0);
  key.name = row.text(1);
  key.scopes = static_cast<std::uint8_t>(row.integer(2));
  const auto hash = row.bytes(3);
  if (hash.size() != key.hash.size()) return internal_error(where, "a stored key is damaged");
  std::copy(hash.begin(), hash.end(), key.hash.begin());
  if (const auto rate = row.optional_integer(4)) {
    key.rate_per_second = static_cast<std::uint32_t>(*rate);
  }
  key.created_at = row.time(5);
  key.revoked_at = row.optional_time(6);
  return key;
}

}  // namespace mizan::sql
