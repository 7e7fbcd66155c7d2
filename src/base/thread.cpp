#include "base/thread.hpp"

#include <pthread.h>

#include <string>
#include <string_view>

namespace mizan {

void name_this_thread(const char* name) noexcept {
  // A longer name would be refused as a whole; 15 bytes never leave the string's inline buffer.
  const std::string cut(std::string_view(name).substr(0, 15));
  static_cast<void>(pthread_setname_np(pthread_self(), cut.c_str()));
}

}  // namespace mizan
