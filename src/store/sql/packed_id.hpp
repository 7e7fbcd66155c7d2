#pragma once

#include "mizan/ids.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mizan::sql {

using PackedId = std::array<std::byte, 16>;

/// A UUID in its canonical form (lower case, 8-4-4-4-12) as 16 bytes, which sort as the text does;
/// nothing for any other text.
[[nodiscard]] std::optional<PackedId> pack_uuid(std::string_view text) noexcept;
[[nodiscard]] OperationId unpack_uuid(std::span<const std::byte, 16> bytes) noexcept;

}  // namespace mizan::sql
