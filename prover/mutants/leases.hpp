#pragma once

#include "mizan/lease_table.hpp"

#include <memory>

namespace mizan::prover {

/// The lock layer switched off: every acquisition succeeds at once, tokens still grow.
[[nodiscard]] std::unique_ptr<LeaseTable> make_open_leases();

/// A table that somebody else owns.
[[nodiscard]] std::unique_ptr<LeaseTable> make_borrowed_leases(LeaseTable& base);

}  // namespace mizan::prover
