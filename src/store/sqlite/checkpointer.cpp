#include "store/sqlite/checkpointer.hpp"

#include "base/thread.hpp"

#include <sqlite3.h>

namespace mizan::sqlite {

Checkpointer::Checkpointer(Writer& writer, std::uint32_t pages_max)
    : writer_(writer), pages_max_(pages_max), thread_([this] { work(); }) {
  // This replaces SQLite's own checkpoint, which would be part of the COMMIT.
  sqlite3_wal_hook(writer_.connection().handle(), after_commit, this);
}

Checkpointer::~Checkpointer() {
  {
    const MutexLock lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
  sqlite3_wal_hook(writer_.connection().handle(), nullptr, nullptr);
}

int Checkpointer::after_commit(void* self, sqlite3* /*database*/, const char* /*name*/, int pages) {
  auto& checkpointer = *static_cast<Checkpointer*>(self);
  if (pages < static_cast<int>(checkpointer.pages_max_)) return SQLITE_OK;
  {
    const MutexLock lock(checkpointer.mutex_);
    checkpointer.is_due_ = true;
  }
  checkpointer.changed_.notify_one();
  return SQLITE_OK;
}

void Checkpointer::work() {
  name_this_thread("mizan-wal");
  MutexLock lock(mutex_);
  while (!is_closing_) {
    if (!is_due_) {
      changed_.wait(lock);
      continue;
    }
    is_due_ = false;
    lock.unlock();
    writer_.checkpoint();
    lock.lock();
  }
}

}  // namespace mizan::sqlite
