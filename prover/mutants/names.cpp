#include "prover/mutants/mutants.hpp"

#include <array>
#include <utility>

namespace mizan::prover {

std::string_view describe_mutant(std::string_view name) noexcept {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 29> all{{
      {"ack-before-commit", "answers first, commits later"},
      {"balance-from-snapshot", "the new balance is computed from what a snapshot says"},
      {"batch-collapses",
       "of several changes to one wallet in a batch one is kept, all are acknowledged"},
      {"claim-forgets", "the table of operation ids has no unique index"},
      {"commit-in-the-middle", "each leg in a transaction of its own"},
      {"conflict-surfaces", "a COMMIT that another node came before is answered as a failure"},
      {"deadlock-surfaces", "what should be run again is answered as a failure"},
      {"epochs-forgotten", "a Redis lock's epoch is what Redis still knows, and one"},
      {"expiry-unguarded", "a timer ends a hold whatever became of it"},
      {"fence-not-advanced", "the token is taken along and never compared"},
      {"goes-on-after-rollback", "a deadlock's victim runs the rest outside of its transaction"},
      {"grants-invented", "no answer from the lock service counts as a yes"},
      {"guard-ignored", "writes what was decided on an old read"},
      {"insert-surfaces", "the second of two first inserts gets the database's complaint"},
      {"leg-dropped", "the credit goes nowhere and nobody counts the rows"},
      {"locks-unordered", "wallets are locked in the order in which the request names them"},
      {"naive-article", "compares the source's token with the destination's mark"},
      {"naive-holder", "trusts its lock, writes the balance it computed before the pause"},
      {"naive-snapshot", "reads, checks, writes inside one database transaction"},
      {"naive-subquery", "subtracts from a balance that a subquery reads"},
      {"naive-withdraw", "reads, checks, writes"},
      {"naive-two-writes", "debit and credit without a transaction"},
      {"reads-unguarded", "what a decision only read is not locked"},
      {"receipt-altered", "a repeat is computed anew instead of read back"},
      {"release-by-anyone", "the lock is released by DEL"},
      {"renewal-takes-again", "a renewal that finds nothing takes the lease again"},
      {"through-double", "amounts pass through a floating-point number"},
      {"timeout-commits", "after a lock timeout the statements before it are committed"},
      {"tokens-go-back", "the lock's counter was restored from an old snapshot"},
  }};
  for (const auto& [known, summary] : all) {
    if (known == name) return summary;
  }
  return {};
}

}  // namespace mizan::prover
