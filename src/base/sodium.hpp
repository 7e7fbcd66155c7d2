#pragma once

namespace mizan {

/// Prepares libsodium, once per process; aborts where the machine offers no randomness.
void require_sodium() noexcept;

}  // namespace mizan
