#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace mizan::bench {

/// Where a run talks to. `out` and `err` take whole pieces of text, from one thread.
struct Console {
  std::function<void(std::string_view text)> out;
  std::function<void(std::string_view text)> err;
  bool progress = false;  ///< `err` is a terminal: a line that is overwritten may be drawn there.
  bool json = false;      ///< As `--json`, for a program that has read it already.
};

/// `mizan bench`: measures the workloads that the words name, each figure beside a hand-written
/// baseline and the disk's own limit, and verifies the ledger after each.
///
/// Returns:  the exit status: 0, 1 usage, 5 when something failed or a ledger did not verify.
/// Blocks:   minutes. SIGINT and SIGTERM end it early, with its files removed.
/// Threads:  one run per process at a time.
[[nodiscard]] int run_bench(std::span<const std::string_view> words, const Console& console);

}  // namespace mizan::bench
