#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

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

  OwnerLock(OwnerLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

  OwnerLock& operator=(OwnerLock&&) = delete;
  ~OwnerLock();

 private:
  explicit OwnerLock(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
};

/// FILE + "-owner".
[[nodiscard]] std::filesystem::path owner_file(const std::filesystem::path& database);

}  // namespace mizan::sqlite
