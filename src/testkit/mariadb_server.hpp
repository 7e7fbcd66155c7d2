#pragma once

#include "mizan/result.hpp"

#include "testkit/server.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

  struct Options {
    std::uint16_t port = 0;             ///< Of 127.0.0.1; 0: by the socket only.
    std::vector<std::string> settings;  ///< Further arguments, such as "--ssl-ca=…".
  };

  [[nodiscard]] static Result<std::unique_ptr<MariadbServer>> start() { return start(Options()); }

  [[nodiscard]] static Result<std::unique_ptr<MariadbServer>> start(const Options& options);

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
