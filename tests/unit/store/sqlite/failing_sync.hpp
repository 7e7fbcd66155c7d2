#pragma once

namespace mizan::sqlite {

/// While one lives, the system refuses to put anything on disk: every sync of this process fails.
/// What was written is there all the same, as it is after the failed sync of a real disk.
class FailingSync {
 public:
  FailingSync() noexcept;
  FailingSync(const FailingSync&) = delete;
  FailingSync& operator=(const FailingSync&) = delete;
  ~FailingSync();
};

}  // namespace mizan::sqlite
