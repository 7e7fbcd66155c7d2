#include "base/sodium.hpp"

#include "base/assert.hpp"

#include <sodium.h>

namespace mizan {

void require_sodium() noexcept {
  static const int status = sodium_init();
  MIZAN_ASSERT(status >= 0);
}

}  // namespace mizan
