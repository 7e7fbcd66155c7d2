#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mizan {

/// A key of the HTTP interface as it is stored: never the secret itself.
struct KeyRecord {
  std::string id;           ///< Public: 1–32 of `a-z0-9`; the first part of what its owner has.
  std::string name;         ///< For people, 1–64 bytes of UTF-8.
  std::uint8_t scopes = 0;  ///< Bits: 1 read, 2 write, 4 admin. Persisted; never renumber.
  std::array<std::byte, 32> hash{};              ///< BLAKE2b-256 of the secret part.
  std::optional<std::uint32_t> rate_per_second;  ///< Requests; absent: no limit of its own.
  Timestamp created_at;
  std::optional<Timestamp> revoked_at;
};

/// The port that keeps the keys of the HTTP interface, in the ledger's own database. Any thread and
/// any process may call. Blocks: up to ten seconds. Errors: `unavailable`, `contended`; `unknown`
/// where a commit's fate was not learnt (list them); `internal` for a damaged row.
class KeyTable {
 public:
  KeyTable() = default;
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;
  virtual ~KeyTable();

  /// Durable when it answers. An id that exists is `invalid_request`.
  virtual Status add(const KeyRecord& key) = 0;

  /// All of them, in order of id.
  virtual Result<std::vector<KeyRecord>> list() = 0;

  /// False where there is no such key, or it was revoked before.
  virtual Result<bool> revoke(const std::string& id, Timestamp at) = 0;
};

}  // namespace mizan
