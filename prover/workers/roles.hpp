#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace mizan::prover {

/// The children of the prover are this program again, with words that only the prover knows:
///
///   --as-owner FILE SOCKET STRATEGY LEDGERS MUTANT LOCK   the one process that owns the store
///   --as-worker SOCKET                                    a process that takes leases and pays
///   --as-naive FILE                                       a careless process on its own tables
///
/// Runs the role and answers its exit status; nothing where the words are no role.
[[nodiscard]] std::optional<int> run_role(std::span<const std::string_view> words);

// What each understands on its standard input, one line per command, is in its own file.
int run_owner(std::span<const std::string_view> words);
int run_worker(std::span<const std::string_view> words);
int run_naive(std::span<const std::string_view> words);

}  // namespace mizan::prover
