// The ports' destructors, out of line so that each class has one home for its type information.

#include "mizan/epoch_table.hpp"
#include "mizan/sql.hpp"
#include "mizan/store.hpp"

namespace mizan {

Snapshot::~Snapshot() = default;
Transaction::~Transaction() = default;
Store::~Store() = default;
EpochTable::~EpochTable() = default;
SqlSession::~SqlSession() = default;
GuardTransaction::~GuardTransaction() = default;
GuardTable::~GuardTable() = default;

}  // namespace mizan
