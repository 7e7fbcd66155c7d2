#pragma once

#include "mizan/store.hpp"

#include "store/mariadb/session.hpp"

#include <memory>

namespace mizan::mariadb {

/// The port over a session. `on_step` must outlive it.
[[nodiscard]] std::unique_ptr<Transaction> make_transaction(Session session,
                                                            const StepHook& on_step);

}  // namespace mizan::mariadb
