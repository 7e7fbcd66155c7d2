#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace mizan {

void assertion_failed(const char* file, int line, const char* expression) noexcept {
  static_cast<void>(
      std::fprintf(stderr, "mizan: assertion failed: %s:%d: %s\n", file, line, expression));
  std::abort();
}

}  // namespace mizan
