#include "tests/unit/store/sqlite/failing_sync.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace mizan::sqlite {
namespace {

std::atomic<bool> syncs_fail = false;

int sync_by(long call, int file) {
  if (!syncs_fail) return static_cast<int>(syscall(call, file));
  errno = EIO;
  return -1;
}

}  // namespace

FailingSync::FailingSync() noexcept {
  syncs_fail = true;
}

FailingSync::~FailingSync() {
  syncs_fail = false;
}

}  // namespace mizan::sqlite

// The program's own functions of these names stand before those of the C library, for SQLite too.

extern "C" [[gnu::visibility("default")]] int fsync(int file) {
  return mizan::sqlite::sync_by(SYS_fsync, file);
}

extern "C" [[gnu::visibility("default")]] int fdatasync(int file) {
  return mizan::sqlite::sync_by(SYS_fdatasync, file);
}
