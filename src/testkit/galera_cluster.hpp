#pragma once

#include "mizan/result.hpp"

#include "testkit/child_process.hpp"
#include "testkit/galera_node.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mizan::testkit {

/// A Galera cluster of three MariaDB nodes of our own, with a database `mizan` and a user `mizan`
/// who may do everything there and in the prover's own databases (`prove_…`) and needs no password.
/// Lives as long as the process that started it, however that ends, and leaves nothing behind. One
/// thread at a time.
///
/// Whole copies of a node (state snapshot transfers) are not made: all nodes begin as copies of one
/// folder, and one that was away gets what it missed from the cache of another (incremental
/// transfer). A node that needs more than that fails to start.
class GaleraCluster {
 public:
  static constexpr std::size_t size = 3;

  /// The cluster of this process and of the children that it starts, running from the first call to
  /// the end of the process. Children only ask for URLs.
  [[nodiscard]] static Result<GaleraCluster*> shared();

  /// The reason to skip, which names the Debian package; nothing where everything is there.
  [[nodiscard]] static std::optional<std::string> why_missing();

  [[nodiscard]] static Result<std::unique_ptr<GaleraCluster>> start();

  ~GaleraCluster();
  GaleraCluster(const GaleraCluster&) = delete;
  GaleraCluster& operator=(const GaleraCluster&) = delete;

  /// A connection URL of one node; it has no parameters yet.
  [[nodiscard]] std::string url(std::size_t node) const;

  /// One that names every node, beginning with this one.
  [[nodiscard]] std::string url_of_all(std::size_t first = 0) const;

  [[nodiscard]] GaleraNode& node(std::size_t index) { return nodes_[index]; }

  /// Runs statements as a node's root, in the database `mizan`.
  [[nodiscard]] Status execute(std::size_t node, const std::string& statements);

  /// As `gmcast.isolate = 1`.
  [[nodiscard]] Status set_provider_options(std::size_t node, const std::string& options);

  /// Brings back what was killed and thaws what was frozen; waits until every node is in step.
  /// Where none is left, the one that is furthest begins.
  [[nodiscard]] Status heal();

 private:
  GaleraCluster(std::filesystem::path folder, std::vector<GaleraNode> nodes);

  [[nodiscard]] static Result<std::unique_ptr<GaleraCluster>> try_start();
  [[nodiscard]] static std::unique_ptr<GaleraCluster> inherit(const std::string& description);

  /// What a child of this process needs to know.
  [[nodiscard]] std::string describe() const;

  [[nodiscard]] Status guard();
  [[nodiscard]] Status prepare();
  [[nodiscard]] Status start_furthest();

  std::filesystem::path folder_;
  std::vector<GaleraNode> nodes_;
  std::optional<ChildProcess> guardian_;  // Nothing: a process above us owns the cluster.
};

}  // namespace mizan::testkit
