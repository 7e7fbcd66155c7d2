#pragma once

#include "testkit/temp_dir.hpp"

#include <filesystem>
#include <memory>
#include <thread>
#include <utility>

namespace mizan::prover {

/// The prover's private directory. It is removed at the end, and also when a signal ends the
/// program (SIGINT, SIGTERM, SIGHUP), unless it is to be kept. One at a time per process.
class Workplace {
 public:
  /// Null where no directory can be made.
  [[nodiscard]] static std::unique_ptr<Workplace> make(bool keep);

  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return directory_->path(); }

 private:
  explicit Workplace(std::unique_ptr<testkit::TempDir> directory)
      : directory_(std::move(directory)) {}

  void watch_signals();

  std::unique_ptr<testkit::TempDir> directory_;
  std::thread watcher_;
};

}  // namespace mizan::prover
