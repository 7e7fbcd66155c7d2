#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "base/mutex.hpp"
#include "store/sql/turn.hpp"
#include "store/sqlite/connection.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace mizan::sqlite {

/// Connections that only read, opened when needed and kept. They never checkpoint. Must outlive
/// what it lends. Any thread may call.
class ReaderPool {
 public:
  struct Options {
    std::filesystem::path file;
    std::uint32_t readers_max = 8;
    std::uint32_t cache_kib = 8'192;
  };

  ReaderPool(Options options, const Clock& clock);

  /// Gives a connection back to the pool at its end.
  class Lent {
   public:
    Lent(ReaderPool& pool, std::unique_ptr<Connection> connection) noexcept
        : pool_(&pool), connection_(std::move(connection)) {}

    Lent(Lent&&) noexcept = default;
    Lent& operator=(Lent&&) = delete;
    ~Lent();

    [[nodiscard]] Connection& connection() const noexcept { return *connection_; }

    /// Refuses a file of another schema version than the program's, or one that lacks a table or
    /// an index. The latter is looked for until it was not found wanting once.
    [[nodiscard]] Status require_whole_schema();

   private:
    ReaderPool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  /// Blocks while every connection is out, up to half a minute.
  [[nodiscard]] Result<Lent> lend() MIZAN_EXCLUDES(mutex_);

 private:
  void take_back(std::unique_ptr<Connection> connection) noexcept MIZAN_EXCLUDES(mutex_);
  [[nodiscard]] Result<std::unique_ptr<Connection>> open() const;

  Options options_;
  const Clock& clock_;
  sql::Turn turn_;
  std::atomic<bool> objects_known_ = false;
  Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::sqlite
