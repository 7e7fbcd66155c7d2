#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sqlite/writer.hpp"

#include <memory>

namespace mizan::sqlite {

/// `scope` holds the turn and a database transaction that has just begun.
[[nodiscard]] std::unique_ptr<Transaction> make_transaction(WriteScope scope);

}  // namespace mizan::sqlite
