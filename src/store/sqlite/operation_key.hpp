#pragma once

#include "mizan/ids.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mizan::sqlite {

class Statement;

using PackedId = std::array<std::byte, 16>;

/// A UUID in its canonical form (lower case, 8-4-4-4-12) as 16 bytes, which sort as the text does;
/// nothing for any other text.
[[nodiscard]] std::optional<PackedId> pack_uuid(std::string_view text) noexcept;
[[nodiscard]] OperationId unpack_uuid(std::span<const std::byte, 16> bytes) noexcept;

/// An operation id as the journal stores it: 16 bytes for a UUID, which is what nearly every caller
/// sends and takes half the room, else its text (decision 0012). Borrows the id.
class OperationKey {
 public:
  explicit OperationKey(const OperationId& id) noexcept
      : text_(id.view()), packed_(pack_uuid(text_)) {}

  void bind_to(Statement& statement, int parameter) const;

 private:
  std::string_view text_;
  std::optional<PackedId> packed_;
};

/// The operation id in a column of a journal row.
[[nodiscard]] OperationId read_operation_id(const Statement& statement, int column);

}  // namespace mizan::sqlite
