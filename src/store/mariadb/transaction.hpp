#pragma once

#include "mizan/store.hpp"

#include "store/mariadb/session.hpp"
#include "store/sql/numbers.hpp"

#include <memory>

namespace mizan::mariadb {

/// The port over a session. `numbers` and `on_step` must outlive it.
[[nodiscard]] std::unique_ptr<Transaction> make_transaction(Session session,
                                                            sql::Numbers& numbers,
                                                            const StepHook& on_step);

}  // namespace mizan::mariadb
