#pragma once

#include "mizan/result.hpp"

#include "testkit/child_process.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::testkit {

struct RedisServerOptions {
  /// With an append-only file that is synced on every write; otherwise nothing is kept.
  bool append_only = false;

  /// Settings as the configuration file has them, e.g. {"requirepass", "secret"}.
  std::vector<std::pair<std::string, std::string>> settings{};

  bool sentinel = false;  ///< Run it as a Sentinel; `settings` then hold its lines.
};

/// A private redis-server on a free port of 127.0.0.1, in a temporary directory. Killed and
/// removed at its end, or at the end of this process, whatever ends it. One thread at a time, but
/// for what only sends a signal.
class RedisServer {
 public:
  /// Starts and waits until it answers. `invalid_request` naming the package where the program is
  /// not installed.
  [[nodiscard]] static Result<std::unique_ptr<RedisServer>> start(RedisServerOptions options = {});

  /// The reason to skip, which names the Debian package; nothing where the programs are there.
  [[nodiscard]] static std::optional<std::string> why_missing();

  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;
  ~RedisServer();

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }

  /// SIGKILL, and waits for the end.
  void kill();

  /// After `kill`: the same program, port and directory.
  [[nodiscard]] Status start_again();

  void freeze() noexcept;  ///< SIGSTOP: it accepts connections and answers nothing.
  void thaw() noexcept;    ///< SIGCONT.

  /// One command over a connection of its own; see RedisWire::ask for the form of the reply.
  [[nodiscard]] Result<std::string> ask(const std::vector<std::string>& words) const;

 private:
  RedisServer(RedisServerOptions options, std::string program)
      : options_(std::move(options)), program_(std::move(program)) {}

  [[nodiscard]] Status make_directory();
  [[nodiscard]] Status start_on(std::uint16_t port);
  [[nodiscard]] Status await_answer();
  [[nodiscard]] bool has_ended();
  [[nodiscard]] std::string password() const;
  [[nodiscard]] Status write_configuration() const;

  RedisServerOptions options_;
  std::string program_;
  std::filesystem::path directory_;
  std::optional<ChildProcess> guardian_;  // Tidies up when this process ends, however it ends.
  std::uint16_t port_ = 0;
  std::optional<ChildProcess> process_;
};

/// A master, a replica of it and a Sentinel that watches both under the name "mizan".
class RedisSentinelGroup {
 public:
  /// The Sentinel fails over by itself once the master was silent for `down_after`: by default
  /// later than any test lasts, because on a busy machine a master may be silent for a while.
  [[nodiscard]] static Result<std::unique_ptr<RedisSentinelGroup>> start(
      std::chrono::milliseconds down_after = std::chrono::minutes{10});

  [[nodiscard]] RedisServer& first() noexcept { return *first_; }  ///< The master at the start.

  [[nodiscard]] RedisServer& second() noexcept { return *second_; }

  [[nodiscard]] RedisServer& sentinel() noexcept { return *sentinel_; }

  /// Where the Sentinel says that the master is, as a port.
  [[nodiscard]] Result<int> master_port() const;

  /// Waits until the Sentinel knows the replica, without which it cannot fail over, and the replica
  /// has all that was written until now, which a failover would lose otherwise.
  [[nodiscard]] Status await_replica() const;

 private:
  RedisSentinelGroup() = default;

  [[nodiscard]] Status await_copy() const;

  std::unique_ptr<RedisServer> first_;
  std::unique_ptr<RedisServer> second_;
  std::unique_ptr<RedisServer> sentinel_;
};

/// Three masters with a third of the slots each.
class RedisCluster {
 public:
  [[nodiscard]] static Result<std::unique_ptr<RedisCluster>> start();

  [[nodiscard]] std::vector<std::unique_ptr<RedisServer>>& nodes() noexcept { return nodes_; }

  /// Waits until every node says that all is well.
  [[nodiscard]] Status await_whole() const;

 private:
  RedisCluster() = default;

  std::vector<std::unique_ptr<RedisServer>> nodes_;
};

}  // namespace mizan::testkit
