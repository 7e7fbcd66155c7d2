#pragma once

#include "engine/attempt.hpp"

#include <cstddef>
#include <cstdint>

namespace mizan::engine {

/// The strategies that give each operation a database transaction of its own, on the calling
/// thread. Each leaves the final answer in the request. Any number of threads at once.

/// Does the request come with the tentative answer of a commit of unknown fate?
enum class Doubt : std::uint8_t { none, commit_unknown };

/// Row locks in canonical order, then the decision.
void apply_pessimistic(const Context& context, Request& request, Doubt doubt = Doubt::none);

/// Read without a lock, decide, write only while every revision is what was read; at most
/// `attempts_max` lost races, then `contended`.
void apply_optimistic(const Context& context, Request& request, std::size_t attempts_max);

/// The conditions are part of the UPDATEs. What the database refuses, and what an UPDATE cannot
/// say (conditions on other wallets, malformed legs), is decided under row locks.
void apply_atomic(const Context& context, Request& request);

/// Decides under row locks and keeps nothing.
void dry_run(const Context& context, std::span<Request* const> requests, Atomicity atomicity);

/// One transaction for all, or for none.
void apply_all_or_none(const Context& context, std::span<Request* const> requests);

/// Answers the items of an all-or-none batch that `cause`, a malformed one with its answer, keeps
/// from being applied: those that were applied before as such, the others with the same answer.
void answer_kept_back(const Context& context,
                      std::span<Request* const> requests,
                      const Request& cause);

}  // namespace mizan::engine
