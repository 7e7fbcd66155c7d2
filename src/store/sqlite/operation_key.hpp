#pragma once

#include "mizan/ids.hpp"

#include "store/sql/packed_id.hpp"

#include <optional>
#include <string_view>

namespace mizan::sqlite {

class Statement;

/// An operation id as the journal stores it: 16 bytes for a UUID, which is what nearly every caller
/// sends and takes half the room, else its text (decision 0012). Borrows the id.
class OperationKey {
 public:
  explicit OperationKey(const OperationId& id) noexcept
      : text_(id.view()), packed_(sql::pack_uuid(text_)) {}

  void bind_to(Statement& statement, int parameter) const;

 private:
  std::string_view text_;
  std::optional<sql::PackedId> packed_;
};

/// The operation id in a column of a journal row.
[[nodiscard]] OperationId read_operation_id(const Statement& statement, int column);

}  // namespace mizan::sqlite
