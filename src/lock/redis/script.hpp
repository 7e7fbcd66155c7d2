#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "lock/redis/servers.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace mizan::redis {

/// A script of lua/: run by its hash; its text goes along where the server does not have it (any
/// more), e.g. after SCRIPT FLUSH.
struct Script {
  std::string_view name;
  std::string_view text;
  std::string_view sha1;
};

extern const Script acquire_script;
extern const Script renew_script;
extern const Script release_script;
extern const Script install_epoch_script;

struct ScriptCall {
  std::uint16_t slot = 0;
  std::span<const std::string_view> keys;
  std::span<const std::string_view> arguments;
  Deadline deadline = Deadline::max();  ///< Besides the options' own limits.
};

/// The reply; an error of the server's becomes one of ours.
[[nodiscard]] Result<Reply> run_script(Servers& servers,
                                       const Script& script,
                                       const ScriptCall& call);

}  // namespace mizan::redis
