#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mizan::memory {

/// Counts committed transactions. The transaction under way writes with the number after the last
/// committed one, so that no reader sees it.
using CommitNumber = std::uint64_t;

/// A row with its past: what every commit left of it, as far back as a reader may still look.
/// Not synchronised; see Tables.
template <class T>
class Versioned {
 public:
  /// The row as of `commit`, or null when it did not exist yet.
  [[nodiscard]] const T* at(CommitNumber commit) const noexcept {
    for (auto version = versions_.rbegin(); version != versions_.rend(); ++version) {
      if (version->first <= commit) return &version->second;
    }
    return nullptr;
  }

  /// Writes the row as of `commit` and forgets what nobody at or after `oldest_reader` can see.
  /// Answers what this very commit had written before, for the undo.
  std::optional<T> put(CommitNumber commit, T value, CommitNumber oldest_reader) {
    forget_before(oldest_reader);
    if (!versions_.empty() && versions_.back().first == commit) {
      return std::exchange(versions_.back().second, std::move(value));
    }
    versions_.emplace_back(commit, std::move(value));
    return std::nullopt;
  }

  /// Takes the newest `put` back; `before` is what it answered.
  void undo_put(std::optional<T> before) {
    if (before) {
      versions_.back().second = std::move(*before);
    } else {
      versions_.pop_back();
    }
  }

 private:
  void forget_before(CommitNumber oldest_reader) {
    const auto unseen =
        std::find_if(versions_.begin(), versions_.end(), [oldest_reader](const auto& version) {
          return version.first > oldest_reader;
        });
    if (unseen - versions_.begin() > 1) versions_.erase(versions_.begin(), unseen - 1);
  }

  std::vector<std::pair<CommitNumber, T>> versions_;
};

}  // namespace mizan::memory
