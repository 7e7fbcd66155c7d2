#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include "store/sqlite/batch.hpp"

namespace mizan::sqlite {

class Connection;

/// The greatest operation ids that were ever recorded: a greater one is certainly new, which saves
/// callers with time-ordered ids the look-up. A mark may be too high (after a rollback), which
/// costs look-ups; it is never too low. One thread at a time.
class IdMarks {
 public:
  [[nodiscard]] Status load(Connection& connection);

  [[nodiscard]] bool is_new(const OperationId& id) const noexcept;

  /// To be called before the rows can become visible.
  void raise(const std::vector<JournalRow>& rows) noexcept;

 private:
  // SQLite sorts every text before every blob, so the two kinds have a mark each.
  OperationId text_;
  OperationId uuid_;
};

}  // namespace mizan::sqlite
