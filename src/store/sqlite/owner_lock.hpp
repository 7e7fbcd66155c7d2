#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <utility>

namespace mizan::sqlite {

/// What makes one process the owner of a database: a lock of the system on a file beside it, whose
/// text says who holds it. The system takes it back when the process ends, however it ends. It is
/// never on the database's own file, whose POSIX locks a second descriptor's close would drop.
/// Movable; its end gives the ownership up.
class OwnerLock {
 public:
  /// Tries until `wait` has passed; then `unavailable` names the holder.
  [[nodiscard]] static Result<OwnerLock> take(const std::filesystem::path& database,
                                              std::chrono::milliseconds wait,
                                              const Clock& clock);

  OwnerLock(OwnerLock&& other) noexcept
      : database_(std::move(other.database_)),
        descriptor_(std::exchange(other.descriptor_, -1)),
        device_(other.device_),
        inode_(other.inode_) {}

  OwnerLock& operator=(OwnerLock&&) = delete;
  ~OwnerLock();

  /// `unavailable` where the file that is locked no longer has its name: whoever comes then locks
  /// another file and owns the database too. Costs one stat call.
  [[nodiscard]] Status check() const;

  [[nodiscard]] const std::filesystem::path& database() const noexcept { return database_; }

 private:
  OwnerLock(std::filesystem::path database, int descriptor) noexcept
      : database_(std::move(database)), descriptor_(descriptor) {}

  std::filesystem::path database_;
  int descriptor_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

/// FILE + "-owner".
[[nodiscard]] std::filesystem::path owner_file(const std::filesystem::path& database);

}  // namespace mizan::sqlite
