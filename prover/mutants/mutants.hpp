#pragma once

#include "mizan/lease_table.hpp"
#include "mizan/store.hpp"

#include <memory>
#include <string_view>

namespace mizan::prover {

// Mutants: what goes wrong when one step of a store or of a lock is left out. They decorate the
// public ports, so they work over every store. `prove --self-test` demands that each is caught.

/// What a mutant or a careless program gets wrong; empty for an unknown name.
[[nodiscard]] std::string_view describe_mutant(std::string_view name) noexcept;

/// The store with that mutation, or null where the name is no mutant of a store. `base` must
/// outlive it. `on_step` is told of "between_legs", the step that exists in a mutant only.
[[nodiscard]] std::unique_ptr<Store> make_mutant_store(std::string_view name,
                                                       Store& base,
                                                       StepHook on_step = {});

/// The lease table with that mutation, or null where the name is none of a lease table.
[[nodiscard]] std::unique_ptr<LeaseTable> make_mutant_leases(std::string_view name,
                                                             LeaseTable& base);

}  // namespace mizan::prover
