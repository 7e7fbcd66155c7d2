#pragma once

namespace mizan {

/// Prints the place and the expression to stderr and aborts. Behind MIZAN_ASSERT.
[[noreturn]] void assertion_failed(const char* file, int line, const char* expression) noexcept;

}  // namespace mizan

/// Stays on in every build. States what the code itself guarantees; never used on input, which is
/// refused with an error instead. One condition each, so that the message says which one broke.
#define MIZAN_ASSERT(condition)                        \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::mizan::assertion_failed(__FILE__, __LINE__, #condition))
