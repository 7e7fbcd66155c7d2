#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace mizan::prover {

/// The children of the prover are this program again, with words that only the prover knows:
///
///   --as-owner SOCKET DESK    the process that owns the store, where it has one owner
///   --as-worker SOCKET        a process that takes leases and pays through the owner
///   --as-worker DESK          one that connects to the server itself
///   --as-naive FILE           a careless process on its own tables
///   --as-janitor N PREFIX     drops the rooms of that prefix on server N when it is told, and at
///                             the end
///   --as-lock-janitor PREFIX  removes the keys of that prefix from the user's Redis, likewise
///
/// DESK is five words: see workers/desk.hpp.
///
/// Runs the role and answers its exit status; nothing where the words are no role.
[[nodiscard]] std::optional<int> run_role(std::span<const std::string_view> words);

// What each understands on its standard input, one line per command, is in its own file.
int run_owner(std::span<const std::string_view> words);
int run_worker(std::span<const std::string_view> words);
int run_naive(std::span<const std::string_view> words);
int run_janitor(std::span<const std::string_view> words);
int run_lock_janitor(std::span<const std::string_view> words);

}  // namespace mizan::prover
