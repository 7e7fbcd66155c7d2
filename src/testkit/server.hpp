#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "testkit/child_process.hpp"
#include "testkit/temp_dir.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::testkit {

// What private servers of tests have in common. A server has a directory of its own and a port
// that is nobody else's, lives as long as the process that started it, and leaves nothing behind.

/// A variable of this process's environment, empty where it is not set.
[[nodiscard]] std::string environment_variable(std::string_view name);

/// Does MIZAN_REQUIRE (names with commas, such as "postgres,redis") name this server? Then its
/// absence is a failure and no reason to skip.
[[nodiscard]] bool is_required(std::string_view server);

/// The newest version of a program: in folders such as "/usr/lib/postgresql/*/bin" (one `*` at
/// most), else on PATH.
[[nodiscard]] std::optional<std::filesystem::path> find_program(
    std::string_view name, const std::vector<std::string>& folders = {});

/// A TCP port of 127.0.0.1 that was free a moment ago.
[[nodiscard]] Result<std::uint16_t> free_port();

struct ServerCommand {
  std::vector<std::string> arguments;  ///< The program and its arguments; stays in front.
  std::string user;                    ///< Runs as this user where we are root; empty: as we are.
  int stop_signal = 15;                ///< Asks it to end at once.
};

/// A program in a directory of its own, in front of which stands a small shell that waits for the
/// end of this process, however it ends: then the server is stopped and the directory removed.
/// Movable; one thread at a time.
class Server {
 public:
  /// A new directory that `user` owns, where we may give it away.
  [[nodiscard]] static Result<std::unique_ptr<TempDir>> make_directory(std::string_view prefix,
                                                                       const std::string& user);

  /// Starts the command; its output goes to the file `log` in the directory.
  [[nodiscard]] static Result<Server> start(std::unique_ptr<TempDir> directory,
                                            const ServerCommand& command);

  /// Runs a command to its end, as the user where we are root; an error says what it printed.
  [[nodiscard]] static Status run(std::vector<std::string> arguments, const std::string& user);

  /// The words that run the arguments as the user, where we are root.
  [[nodiscard]] static Result<std::vector<std::string>> as_user(std::vector<std::string> arguments,
                                                                const std::string& user);

  Server(Server&&) noexcept = default;
  Server& operator=(Server&&) noexcept = default;
  ~Server();

  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }

  /// Asks until the server answers; an error ends with the last lines of its log.
  [[nodiscard]] Status wait_until_ready(const std::function<bool()>& is_ready) const;

  /// The last lines that it printed.
  [[nodiscard]] std::string log() const;

 private:
  Server(std::filesystem::path directory, ChildProcess shell)
      : directory_(std::move(directory)),
        shell_(std::make_unique<ChildProcess>(std::move(shell))) {}

  std::filesystem::path directory_;
  std::unique_ptr<ChildProcess> shell_;  // Null: moved from.
};

}  // namespace mizan::testkit
