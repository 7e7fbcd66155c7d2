#pragma once

#include <cstdint>
#include <string>

namespace mizan {

/// What the doctor of a store or of a lock service found.
struct Finding {
  enum class Level : std::uint8_t { ok, warning, problem };
  Level level = Level::ok;
  std::string name;    ///< e.g. "synchronous".
  std::string detail;  ///< What is, why it matters, what to do.
};

}  // namespace mizan
