#pragma once

#include "mizan/result.hpp"

#include "prover/workers/child.hpp"

#include <functional>

namespace mizan::prover {

// A process that outlives the prover, to tidy up after it on somebody else's server.

/// In the child: tidies up when it is told, and once more when the prover is gone. Answers its
/// exit status.
[[nodiscard]] int serve_as_janitor(const std::function<Status()>& tidy);

/// Tells it to, and waits until it has.
[[nodiscard]] Status tidy_up(Child& janitor);

}  // namespace mizan::prover
