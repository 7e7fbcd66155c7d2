#pragma once

#include "mizan/result.hpp"

#include "prover/workers/child.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::prover {

/// The prover's own rooms (schemas or databases) on a server: their names begin with a random
/// prefix that nobody else has. A process of its own drops them when this one ends, however it
/// ends.
class ServerGround {
 public:
  struct Options {
    std::string url;
    std::size_t number = 0;  ///< By which children find the URL.
    bool keep = false;       ///< Nothing is dropped.
  };

  /// Connects, looks that nothing has the prefix and that rooms can be made.
  [[nodiscard]] static Result<std::unique_ptr<ServerGround>> open(const Options& options);
  ServerGround(const ServerGround&) = delete;
  ServerGround& operator=(const ServerGround&) = delete;
  ~ServerGround();

  [[nodiscard]] const std::string& prefix() const noexcept { return prefix_; }

  /// Drops what is there now.
  [[nodiscard]] Status clear();

 private:
  explicit ServerGround(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string prefix_;
  std::optional<Child> janitor_;  // Nothing: everything is kept.
};

}  // namespace mizan::prover
