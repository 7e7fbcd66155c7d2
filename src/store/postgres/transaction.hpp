#pragma once

#include "mizan/store.hpp"

#include "store/postgres/numbers.hpp"
#include "store/postgres/session.hpp"

#include <memory>

namespace mizan::postgres {

/// The port over a session. `numbers` and `on_step` must outlive it.
[[nodiscard]] std::unique_ptr<Transaction> make_transaction(Session session,
                                                            Numbers& numbers,
                                                            const StepHook& on_step);

}  // namespace mizan::postgres
