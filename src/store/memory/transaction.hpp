#pragma once

#include "store/memory/tables.hpp"
#include "store/memory/writer_turn.hpp"

#include <memory>

namespace mizan::memory {

/// Begins a transaction for a writer that has taken the turn; the transaction gives it back.
/// `tables`, `turn` and `on_step` must outlive it.
[[nodiscard]] std::unique_ptr<Transaction> begin_transaction(Tables& tables,
                                                             WriterTurn& turn,
                                                             const StepHook& on_step);

}  // namespace mizan::memory
