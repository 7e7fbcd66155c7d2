#pragma once

#include "mizan/result.hpp"

#include "testkit/server.hpp"

#include <memory>
#include <optional>
#include <string>

namespace mizan::testkit {

/// A PgBouncer of our own before the PostgreSQL server of this process, in transaction mode: each
/// transaction gets whichever connection is free. One thread at a time.
class PgBouncer {
 public:
  /// The one of this process and of the children that it starts: running from the first call to
  /// the end of the process.
  [[nodiscard]] static Result<PgBouncer*> shared();

  /// The reason to skip, which names the Debian packages; nothing where the programs are there.
  [[nodiscard]] static std::optional<std::string> why_missing();

  /// A connection URL that has parameters already: more are added with `&`.
  [[nodiscard]] const std::string& url() const noexcept { return url_; }

 private:
  PgBouncer(std::string url, std::optional<Server> server)
      : url_(std::move(url)), server_(std::move(server)) {}

  [[nodiscard]] static Result<std::unique_ptr<PgBouncer>> start();

  std::string url_;
  std::optional<Server> server_;  // Nothing: a process above us owns it.
};

}  // namespace mizan::testkit
