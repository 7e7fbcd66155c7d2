#pragma once

namespace mizan {

/// Names the calling thread for debuggers, `top -H` and crash reports; 15 bytes are kept.
void name_this_thread(const char* name) noexcept;

}  // namespace mizan
