// The ports' destructors, out of line so that each class has one home for its type information.

#include "mizan/document_table.hpp"
#include "mizan/epoch_table.hpp"
#include "mizan/event_log.hpp"
#include "mizan/key_table.hpp"
#include "mizan/sql.hpp"
#include "mizan/store.hpp"

namespace mizan {

Snapshot::~Snapshot() = default;
Transaction::~Transaction() = default;
Store::~Store() = default;
EpochTable::~EpochTable() = default;
EventLog::~EventLog() = default;
DocumentTable::~DocumentTable() = default;
KeyTable::~KeyTable() = default;
KeyKeeper::~KeyKeeper() = default;
SqlSession::~SqlSession() = default;
GuardTransaction::~GuardTransaction() = default;
GuardTable::~GuardTable() = default;

KeyTable* find_keys(Store& store) noexcept {
  auto* const keeper = dynamic_cast<KeyKeeper*>(&store);
  return keeper == nullptr ? nullptr : &keeper->keys();
}

}  // namespace mizan
