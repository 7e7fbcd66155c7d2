#include "store/sqlite/wal_buffer.hpp"

namespace mizan::sqlite {

const char* wal_buffer_layer() {
  return nullptr;
}

}  // namespace mizan::sqlite
