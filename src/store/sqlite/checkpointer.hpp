#pragma once

#include "base/mutex.hpp"
#include "store/sqlite/writer.hpp"

#include <condition_variable>
#include <cstdint>
#include <thread>

struct sqlite3;

namespace mizan::sqlite {

/// Copies the WAL back into the database once it has grown to `pages_max` pages: by the writing
/// connection, which alone checkpoints, in a turn of its own that comes after the commit that made
/// the WAL too large. Whoever waits for that commit is answered before the copying begins.
/// Threads: has one of its own. Destruction waits for a checkpoint that is under way.
class Checkpointer {
 public:
  /// `writer` must outlive it and must not be in use yet.
  Checkpointer(Writer& writer, std::uint32_t pages_max);
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;
  ~Checkpointer();

 private:
  static int after_commit(void* self, sqlite3* database, const char* name, int pages);
  void work();

  Writer& writer_;
  std::uint32_t pages_max_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  bool is_due_ MIZAN_GUARDED_BY(mutex_) = false;
  bool is_closing_ MIZAN_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace mizan::sqlite
