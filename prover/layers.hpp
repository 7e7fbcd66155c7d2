#pragma once

#include "mizan/result.hpp"

#include "prover/report/report.hpp"
#include "prover/run.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

// Which layer protects from what: scenarios are run again with one layer switched off at a time.

/// The scenarios to go through: those that are wanted, all where none is. `invalid_request` for one
/// that this is not about, or that is wanted twice.
[[nodiscard]] Result<std::vector<std::string_view>> choose_situations(
    const std::vector<std::string>& wanted);

/// The steps of it on one store.
[[nodiscard]] std::size_t layer_steps(std::span<const std::string_view> chosen);

/// Runs them. `on_step` is told before each, and `on_done` after it.
[[nodiscard]] std::vector<LayerCell> measure_layers(
    std::span<const std::string_view> chosen,
    const RunOptions& options,
    const std::function<void(std::string_view step)>& on_step,
    const std::function<bool()>& on_done);

}  // namespace mizan::prover
