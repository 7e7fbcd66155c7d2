#include "store/sqlite/operation_key.hpp"

#include "store/sqlite/connection.hpp"

namespace mizan::sqlite {
void OperationKey::bind_to(Statement& statement, int parameter) const {
  if (packed_) {
    statement.bind(parameter, std::span<const std::byte>(*packed_));
  } else {
    statement.bind(parameter, text_);
  }
}

OperationId read_operation_id(const Statement& statement, int column) {
  if (!statement.is_blob(column)) return OperationId(statement.text(column));
  const auto bytes = statement.bytes(column);
  if (bytes.size() != std::tuple_size_v<sql::PackedId>) return OperationId();
  return sql::unpack_uuid(bytes.first<16>());
}

}  // namespace mizan::sqlite
