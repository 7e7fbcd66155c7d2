#pragma once

#include "mizan/ledger.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <vector>

namespace mizan::property {

/// One operation to be, in small numbers, so that it shrinks well: which wallets, which earlier
/// operation and whether an id is repeated is looked up when the sequence is played.
struct Wish {
  std::uint8_t verb = 0;
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  std::int64_t amount = 0;
  std::uint8_t refers_to = 0;
  std::uint8_t twist = 0;      ///< Repeats of ids, stated currencies, conditions, fences.
  std::uint8_t more_legs = 0;  ///< For transfers.
};

/// What is done in one go: a batch of operations, or something about wallets or time.
struct Step {
  std::uint8_t kind = 0;
  std::uint8_t strategy = 0;
  std::uint8_t ledger = 0;  ///< Two ledgers share the store, so that each has stale caches.
  std::uint8_t wallet = 0;
  std::vector<Wish> wishes;
};

std::ostream& operator<<(std::ostream& out, const Wish& wish);
std::ostream& operator<<(std::ostream& out, const Step& step);

[[nodiscard]] rc::Gen<std::vector<Step>> any_sequence();

}  // namespace mizan::property
