#pragma once

#include "prover/console.hpp"

#include <span>
#include <string_view>

namespace mizan::prover {

/// `mizan prove`: runs scenarios and judges them. Also the entry of the prover's own children.
///
/// Returns the exit status: 0 everything passed, 1 something failed, 2 inconclusive (a fault that
/// the verdict rests on never happened), 3 could not run.
/// Blocks until all is done. Call from the main thread: its children end with the thread.
int run_prove(std::span<const std::string_view> words, const Console& console);

/// `mizan demo`: tells the two stories in plain words, with real processes. Status 0, or 3 where
/// it could not run.
int run_demo(std::span<const std::string_view> words, const Console& console);

}  // namespace mizan::prover
