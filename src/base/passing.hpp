#pragma once

#include "mizan/code.hpp"

namespace mizan {

/// Was nothing done, and may the same request be answered otherwise in a moment, without anybody
/// mending anything? Such a refusal passes by itself.
[[nodiscard]] inline bool is_passing(Code code) noexcept {
  constexpr int first_refusal = 400;
  return is_retryable(code) && http_status(code) >= first_refusal && code != Code::unknown;
}

}  // namespace mizan
