#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mizan {

struct MariadbOptions {
  /// Where a server listens.
  struct Address {
    std::string host;
    std::uint16_t port = 3306;
  };

  std::string host;    ///< Empty: by the socket.
  std::string socket;  ///< Empty: the library's own, such as /run/mysqld/mysqld.sock.
  std::uint16_t port = 3306;

  /// Further nodes of the same Galera cluster, in order of preference. All connections go to one
  /// node, and to the next when that one cannot be reached or is not in its cluster's majority.
  std::vector<Address> further_nodes;

  std::string user;
  std::string password;                 ///< Empty: `password_file`.
  std::filesystem::path password_file;  ///< Its first line is the password. Empty: none.
  std::string database;

  /// How the names of the ledger's tables begin: 1–32 of `a-z0-9_`, a letter first.
  std::string prefix = "mizan_";

  enum class Tls : std::uint8_t {
    off,
    required,  ///< Encrypted, with whoever answers.
    verified,  ///< Encrypted, with a certificate of a known authority and of this host.
  };

  Tls tls = Tls::off;
  std::filesystem::path tls_ca;           ///< The authority's certificate. Empty: the system's.
  std::filesystem::path tls_certificate;  ///< Our own, where the server wants one.
  std::filesystem::path tls_key;

  // Changes performance.
  std::uint32_t connections_max = 16;  ///< Open transactions at once; who comes later waits.
  std::uint32_t readers_max = 8;       ///< Open snapshots at once; then they wait.

  std::chrono::milliseconds open_wait{10'000};  ///< How long opening waits for the server.

  StepHook on_step;  ///< See store.hpp; for tests.
};

/// Reads `mariadb://user:password@host:port/database?parameter=value` (or `mysql://`: the server
/// itself says what it is). Nodes of a Galera cluster stand side by side: `host:port,host:port`.
/// Parameters: `socket`, `prefix`, `password_file`, `tls` (`off`,
/// `required` or `verified`), `tls_ca`, `tls_certificate`, `tls_key`, `connections_max`,
/// `readers_max`.
/// Errors: `invalid_request` for what is none; no message has a password in it.
[[nodiscard]] Result<MariadbOptions> parse_mariadb_url(std::string_view url);

/// Connects and looks at the server; `migrate` makes or updates the tables.
/// Errors: `unavailable` while the server cannot be reached; `invalid_request` for options that
/// cannot be, or a server that is none of MariaDB 10.6 or later. No message has a password in it.
/// Blocks: up to `open_wait`, or a second longer while nobody answers.
///
/// A ledger in tables of one MariaDB database, or of one on a Galera cluster. Any number of
/// processes may have it open at once, at whichever nodes. `clock` must outlive it.
[[nodiscard]] Result<std::unique_ptr<Store>> open_mariadb_store(MariadbOptions options,
                                                                const Clock& clock);

}  // namespace mizan
