#pragma once

#include "mizan/result.hpp"

#include "testkit/server.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::testkit {

/// A MariaDB server of our own, durable like a real one, with a database `mizan` and a user `mizan`
/// who may do everything there and in databases of the prover's (`prove_…`) and needs no password.
/// One thread at a time.
class MariadbServer {
 public:
  /// The server of this process and of the children that it starts: running from the first call
  /// to the end of the process.
  [[nodiscard]] static Result<MariadbServer*> shared();

  /// The reason to skip, which names the Debian package; nothing where the programs are there.
  [[nodiscard]] static std::optional<std::string> why_missing();

  [[nodiscard]] static Result<std::unique_ptr<MariadbServer>> start();

  /// A connection URL that has parameters already: more are added with `&`.
  [[nodiscard]] const std::string& url() const noexcept { return url_; }

  /// Runs statements as the server's root, in the database `mizan`.
  [[nodiscard]] Status execute(const std::string& statements) const;

 private:
  MariadbServer(std::string socket, std::optional<Server> server);

  std::string socket_;
  std::string url_;
  std::optional<Server> server_;  // Nothing: a process above us owns it.
};

}  // namespace mizan::testkit
