#pragma once

#include "mizan/key_table.hpp"

#include "base/mutex.hpp"

#include <map>
#include <string>
#include <utility>

namespace mizan::memory {

/// The keys of the HTTP interface, for as long as the store lives. Any thread may call.
class MemoryKeyTable final : public KeyTable {
 public:
  Status add(const KeyRecord& key) override {
    const MutexLock lock(mutex_);
    if (keys_.emplace(key.id, key).second) return {};
    return invalid_request("memory: keys", "a key of this id exists");
  }

  Result<std::vector<KeyRecord>> list() override {
    const MutexLock lock(mutex_);
    std::vector<KeyRecord> all;
    for (const auto& [id, key] : keys_) all.push_back(key);
    return all;
  }

  Result<bool> revoke(const std::string& id, Timestamp at) override {
    const MutexLock lock(mutex_);
    const auto found = keys_.find(id);
    if (found == keys_.end() || found->second.revoked_at) return false;
    found->second.revoked_at = at;
    return true;
  }

 private:
  Mutex mutex_;
  std::map<std::string, KeyRecord> keys_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::memory
