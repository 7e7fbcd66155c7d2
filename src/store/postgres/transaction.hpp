#pragma once

#include "mizan/store.hpp"

#include "store/postgres/session.hpp"
#include "store/sql/numbers.hpp"

#include <memory>

namespace mizan::postgres {

/// The port over a session. `numbers` and `on_step` must outlive it.
[[nodiscard]] std::unique_ptr<Transaction> make_transaction(Session session,
                                                            sql::Numbers& numbers,
                                                            const StepHook& on_step);

}  // namespace mizan::postgres
