#pragma once

#include "mizan/result.hpp"

#include "bench/load.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace mizan::bench {

/// Clients of a server on this machine: each has a connection, sends a request, waits for the
/// answer, sends the next. One thread does it for all, as a load generator would.
struct HttpLoad {
  std::uint16_t port = 0;
  std::size_t connections = 1;
  Limits limits;
  std::size_t transfers_per_request = 1;

  /// Puts the next request, as it goes over the wire, into the text.
  std::function<void(std::string& text)> refresh;
  int status = 201;  ///< Of every answer; another one ends the measurement with an error.
};

[[nodiscard]] Result<LoadResult> run_http(const HttpLoad& load);

}  // namespace mizan::bench
