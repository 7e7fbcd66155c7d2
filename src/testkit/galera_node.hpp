#pragma once

#include "mizan/result.hpp"

#include "testkit/child_process.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::testkit {

/// The programs of a Galera cluster.
struct GaleraPrograms {
  std::string install;
  std::string server;
  std::string client;
  std::string provider;  ///< The library that makes a server a node.

  [[nodiscard]] static std::optional<GaleraPrograms> find();
};

/// Where a node is. Its folder is in the cluster's, which has the folder `bin` too.
struct GaleraPlace {
  std::filesystem::path folder;
  std::uint16_t port = 0;      ///< Of SQL, on 127.0.0.1.
  std::uint16_t group = 0;     ///< Where the nodes speak to each other.
  std::uint16_t transfer = 0;  ///< Where it gets what it missed.

  [[nodiscard]] std::string socket() const { return (folder / "socket").string(); }
};

/// One node of a Galera cluster: small, but as durable as a real one, and quick to notice that
/// another one is gone. Movable; one thread at a time. Its end kills it.
class GaleraNode {
 public:
  /// How it comes up.
  enum class Start : bool {
    joins,
    bootstraps,  ///< It is the first one; the others join it.
  };

  GaleraNode(GaleraPlace place, std::string group) noexcept
      : place_(std::move(place)), group_(std::move(group)) {}

  [[nodiscard]] const GaleraPlace& place() const noexcept { return place_; }

  /// Makes an empty data folder.
  [[nodiscard]] Status install() const;

  /// Takes over what another one has, which is not running.
  [[nodiscard]] Status copy_from(const GaleraNode& other) const;

  /// Starts it from what is in its folder and waits until it is in step with the cluster. A node
  /// that was killed gets what it missed from another one's cache.
  [[nodiscard]] Status start(Start how);

  /// Ends it in order and waits for it.
  [[nodiscard]] Status stop();

  void kill();  ///< SIGKILL; returns when it is gone.
  void freeze() noexcept;
  void thaw() noexcept;

  [[nodiscard]] bool is_running();

  /// Does it take part, with everything that the others have?
  [[nodiscard]] bool is_synced() const;

  /// Runs statements as its root and answers what they print, without names of columns.
  [[nodiscard]] Result<std::string> ask(const std::string& statements) const;

  /// The newest write set that is on its disk; of a node that is not running.
  [[nodiscard]] Result<std::int64_t> recover();

 private:
  [[nodiscard]] std::vector<std::string> arguments() const;
  [[nodiscard]] Status launch(const std::vector<std::string>& further, const std::string& log);
  [[nodiscard]] std::string log(const std::string& name) const;
  [[nodiscard]] Status permit_bootstrap() const;

  GaleraPlace place_;
  std::string group_;     // "gcomm://" and where all nodes are.
  std::string position_;  // As `recover` found it.
  std::optional<ChildProcess> process_;
};

}  // namespace mizan::testkit
