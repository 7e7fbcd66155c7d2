#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include "bench/baseline/baseline.hpp"
#include "bench/baseline/server_place.hpp"
#include "bench/cell.hpp"
#include "bench/options.hpp"
#include "bench/scratch.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mizan::bench {

/// What a measurement is held against, taken right before and right after it: the baseline and
/// the disk's limit. Memory has neither, and a server's disk is its own. One thread at a time.
class Yardstick {
 public:
  struct Reading {
    std::string baseline;
    std::optional<double> baseline_per_second;
    std::optional<double> baseline_one_p50_us;
    std::optional<DiskWeather> disk;
  };

  [[nodiscard]] static Result<std::unique_ptr<Yardstick>> make(const Options& options,
                                                               const Sizes& sizes,
                                                               std::size_t wallets);

  [[nodiscard]] Result<Reading> read(Pairing pairing);

  /// The baseline's own books are right.
  [[nodiscard]] Status verify();

 private:
  Yardstick() = default;

  Status add_file(const std::filesystem::path& directory);
  Status add_server(const Options& options);

  std::optional<Scratch> scratch_;
  std::vector<WalletId> wallets_;
  std::unique_ptr<ServerPlace> place_;
  std::unique_ptr<Baseline> baseline_;  // Null for memory.
  double baseline_seconds_ = 0;
  double probe_seconds_ = 0;
};

/// Sets baseline and floor to the mean of both; notes where they differ so much that the figure
/// between them means little.
void compare(Cell& cell, const Yardstick::Reading& before, const Yardstick::Reading& after);

}  // namespace mizan::bench
