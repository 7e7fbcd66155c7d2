#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace mizan::prover {

/// Where the prover talks to. `out` and `err` take whole pieces of text.
struct Console {
  std::function<void(std::string_view text)> out;
  std::function<void(std::string_view text)> err;
  std::string request_id;  ///< Of this call, for a problem in JSON.
  bool colours = false;    ///< A terminal that wants them.
  bool progress = false;   ///< `err` is a terminal: a line may be drawn and wiped there.
};

}  // namespace mizan::prover
