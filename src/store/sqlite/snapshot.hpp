#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sqlite/reader_pool.hpp"

#include <memory>

namespace mizan::sqlite {

/// Begins a reading transaction and fixes its view. The pool must outlive the snapshot.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> take_snapshot(ReaderPool& pool);

}  // namespace mizan::sqlite
