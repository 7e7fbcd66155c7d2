#include "prover/workers/roles.hpp"

#include "prover/workers/child.hpp"

namespace mizan::prover {

std::optional<int> run_role(std::span<const std::string_view> words) {
  if (words.empty()) return std::nullopt;
  int (*role)(std::span<const std::string_view>) = nullptr;
  // They outlive the prover, to tidy up after it.
  if (words.front() == "--as-janitor") return run_janitor(words.subspan(1));
  if (words.front() == "--as-lock-janitor") return run_lock_janitor(words.subspan(1));
  if (words.front() == "--as-owner") role = run_owner;
  if (words.front() == "--as-worker") role = run_worker;
  if (words.front() == "--as-naive") role = run_naive;
  if (role == nullptr) return std::nullopt;
  die_with_parent();
  return role(words.subspan(1));
}

}  // namespace mizan::prover
