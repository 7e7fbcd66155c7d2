#pragma once

#include "mizan/result.hpp"

#include "prover/workers/child.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::prover {

/// The prover's own schemas on the user's server: their names begin with a random prefix that
/// nobody else has. A process of its own drops them when this one ends, however it ends.
class ServerGround {
 public:
  /// Connects and looks that nothing has the prefix. With `keep` nothing is dropped.
  [[nodiscard]] static Result<std::unique_ptr<ServerGround>> open(const std::string& url,
                                                                  bool keep);
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
