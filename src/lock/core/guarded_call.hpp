#pragma once

#include "mizan/result.hpp"

#include <exception>

namespace mizan::lock {

/// Calls a lease table of somebody else's making: an exception, which the port does not allow,
/// becomes an error and can neither end a thread nor escape from a destructor.
template <class Call>
auto guarded_call(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& thrown) {
    return unavailable("lock: lease table", thrown.what());
  } catch (...) {
    return unavailable("lock: lease table", "it threw something that is no std::exception");
  }
}

}  // namespace mizan::lock
