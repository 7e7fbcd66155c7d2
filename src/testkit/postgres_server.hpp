#pragma once

#include "mizan/result.hpp"

#include "testkit/server.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::testkit {

/// A PostgreSQL server of our own, durable like a real one, with one superuser `mizan` who needs
/// no password. One thread at a time.
class PostgresServer {
 public:
  /// The server of this process and of the children that it starts: running from the first call
  /// to the end of the process.
  [[nodiscard]] static Result<PostgresServer*> shared();

  /// The reason to skip, which names the Debian package; nothing where the programs are there.
  [[nodiscard]] static std::optional<std::string> why_missing();

  /// `prepare` is given the data directory before the server starts, to add to its settings.
  [[nodiscard]] static Result<std::unique_ptr<PostgresServer>> start(
      const std::function<void(const std::filesystem::path& data)>& prepare = {});

  /// A connection URL that has parameters already: more are added with `&`.
  [[nodiscard]] const std::string& url() const noexcept { return url_; }

  /// Runs statements with psql, in one transaction.
  [[nodiscard]] Status execute(const std::string& statements) const;

  /// The command line of a psql that is connected to it, quiet and without a settings file.
  [[nodiscard]] Result<std::vector<std::string>> psql() const;

 private:
  PostgresServer(std::string url, std::optional<Server> server)
      : url_(std::move(url)), server_(std::move(server)) {}

  std::string url_;
  std::optional<Server> server_;  // Nothing: a process above us owns it.
};

}  // namespace mizan::testkit
