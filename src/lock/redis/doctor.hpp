#pragma once

#include "mizan/finding.hpp"
#include "mizan/result.hpp"

#include "lock/redis/servers.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mizan::redis {

/// Looks at every server that keeps leases: role, eviction, persistence, version.
[[nodiscard]] Result<std::vector<Finding>> inspect(Servers& servers);

/// The findings of what one server says with INFO; `server` is its name in them.
[[nodiscard]] std::vector<Finding> judge(std::string_view info, const std::string& server);

}  // namespace mizan::redis
