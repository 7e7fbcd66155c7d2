#pragma once

#include "mizan/document_table.hpp"

#include "base/mutex.hpp"

#include <map>
#include <string>
#include <utility>

namespace mizan::memory {

/// Documents, for as long as the store lives. Any thread may call.
class MemoryDocumentTable final : public DocumentTable {
 public:
  Result<std::optional<Document>> find(std::string_view kind, std::string_view name) override {
    const MutexLock lock(mutex_);
    const auto found = documents_.find(key(kind, name));
    if (found == documents_.end()) return std::optional<Document>();
    return std::optional(found->second);
  }

  Result<std::vector<Document>> list(std::string_view kind,
                                     std::string_view after,
                                     std::size_t limit) override {
    const MutexLock lock(mutex_);
    std::vector<Document> documents;
    for (auto next = documents_.upper_bound(key(kind, after)); next != documents_.end(); ++next) {
      if (next->first.first != kind || documents.size() == limit) break;
      documents.push_back(next->second);
    }
    return documents;
  }

  Result<bool> write(std::string_view kind, const Document& document) override {
    if (Status valid = check_document(kind, document); !valid) return valid.error();
    const MutexLock lock(mutex_);
    const auto found = documents_.find(key(kind, document.name));
    const std::uint64_t revision = found == documents_.end() ? 0 : found->second.revision;
    if (revision != document.revision) return false;
    Document& kept = documents_[key(kind, document.name)];
    kept = document;
    ++kept.revision;
    return true;
  }

  Result<bool> remove(std::string_view kind, std::string_view name) override {
    const MutexLock lock(mutex_);
    return documents_.erase(key(kind, name)) == 1;
  }

 private:
  using Key = std::pair<std::string, std::string>;

  static Key key(std::string_view kind, std::string_view name) {
    return {std::string(kind), std::string(name)};
  }

  Mutex mutex_;
  std::map<Key, Document> documents_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::memory
