#pragma once

#include "prover/run.hpp"

#include <cstddef>
#include <cstdint>

namespace mizan::prover {

/// Many withdrawals of one amount from one wallet, all at the same moment.
struct Withdrawals {
  std::int64_t initial = 0;
  std::size_t count = 0;
  std::int64_t amount = 0;
};

/// By the product, half through one ledger and half through another one over the same store, each
/// with a cache that knows the wallet already. Judges.
void withdraw_in_parallel(Run& run, Strategy strategy, const Withdrawals& task);

struct NaiveResult {
  std::size_t succeeded = 0;
  std::int64_t balance = 0;
  bool violated = false;  ///< The checkers found what is wrong.
};

/// By a careless program whose workers all read before the first one writes. With a mutant of
/// that name it is judged as if it were the product.
NaiveResult withdraw_naively(Run& run, const Withdrawals& task);

}  // namespace mizan::prover
