#pragma once

#include "mizan/clock.hpp"
#include "mizan/ids.hpp"

#include "base/random.hpp"

#include <optional>

namespace mizan::mariadb {

/// Where a transaction's rows in the journal begin on a Galera cluster. Nodes that draw from one
/// counter are in each other's way at every COMMIT, so the place comes from the machine's clock and
/// some random bits, above what the transaction's wallets have so far (`used`). Two transactions
/// that choose overlapping places cannot both commit: a row's sequence is its key.
/// Nothing where no place is left.
[[nodiscard]] std::optional<Sequence> cluster_sequence(Timestamp now,
                                                       Sequence used,
                                                       Random& random);

}  // namespace mizan::mariadb
