#pragma once

#include "mizan/ledger.hpp"
#include "mizan/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// The words of `mizan prove`.
struct ProveOptions {
  std::vector<std::string> scenarios;  ///< Empty: all.
  std::vector<Strategy> strategies;    ///< Empty: all four.
  std::optional<std::uint64_t> seed;
  std::vector<std::string> stores;   ///< URLs; empty: `sqlite:`, or those of the lab.
  std::vector<std::string> engines;  ///< Of the lab; empty: all.
  std::string lock;                  ///< URL; empty: each store's own leases, Redis where private.
  std::string report_file;
  bool list = false;
  bool json = false;
  bool keep = false;
  bool self_test = false;
  bool layers = false;
  bool lab = false;
  bool allow_destructive = false;
  bool help = false;
};

/// `invalid_request` names the word that is wrong.
[[nodiscard]] Result<ProveOptions> parse_prove_options(std::span<const std::string_view> words);

/// The words of `mizan demo`.
struct DemoOptions {
  std::string file = "mizan-demo.db";
  bool help = false;
};

[[nodiscard]] Result<DemoOptions> parse_demo_options(std::span<const std::string_view> words);

}  // namespace mizan::prover
