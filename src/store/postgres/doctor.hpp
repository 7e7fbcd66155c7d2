#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/postgres/session.hpp"

#include <cstdint>
#include <vector>

namespace mizan::postgres {

/// The server's settings and versions that matter for money. `connections` is how many this
/// process may open.
[[nodiscard]] Result<std::vector<Finding>> inspect(Session& session, std::uint32_t connections);

/// The settings that decide whether a commit is on disk when it is acknowledged.
struct Durability {
  bool fsync = false;
  bool full_page_writes = false;
  std::string synchronous_commit;
};

/// One line for people. A server that may forget a commit is not called durable.
[[nodiscard]] std::string describe(const Durability& durability);

[[nodiscard]] Result<Durability> read_durability(Session& session);

}  // namespace mizan::postgres
