#pragma once

#include "mizan/result.hpp"

#include <cstdint>
#include <string_view>

namespace mizan::prover {

enum class Engine : std::uint8_t { sqlite, postgres, mariadb };

[[nodiscard]] std::string_view to_string(Engine engine) noexcept;

/// By the scheme of a store URL; `invalid_request` where it is no URL of a server that this build
/// speaks to.
[[nodiscard]] Result<Engine> engine_of(std::string_view url);

}  // namespace mizan::prover
