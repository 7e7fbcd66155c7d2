#pragma once

#include "mizan/clock.hpp"
#include "mizan/store.hpp"

#include <memory>

namespace mizan {

/// The reference store: everything in this process's memory, gone at the end. `clock` must
/// outlive it.
[[nodiscard]] std::unique_ptr<Store> make_memory_store(const Clock& clock, StepHook on_step = {});

}  // namespace mizan
