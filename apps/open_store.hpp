#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "cli/context.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

namespace mizan {

/// Opens the store that a URL names.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(
    std::string_view url, cli::Access access, std::optional<std::chrono::milliseconds> wait);

}  // namespace mizan
