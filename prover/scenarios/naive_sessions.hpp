#pragma once

#include "prover/history.hpp"
#include "prover/naive/server_bank.hpp"
#include "prover/run.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::prover {

/// Two sessions of a careless program over tables of its own on the server under test, a third one
/// that looks on, and what the program told its clients.
class NaiveSessions {
 public:
  using Wallets = std::vector<std::pair<std::string_view, std::int64_t>>;

  /// Null after noting in the run why not. The second session may be at another node.
  [[nodiscard]] static std::unique_ptr<NaiveSessions> open(Run& run,
                                                           const Wallets& wallets,
                                                           std::size_t second_node = 0);

  [[nodiscard]] naive::ServerBank& first() noexcept { return first_; }

  [[nodiscard]] naive::ServerBank& second() noexcept { return second_; }

  [[nodiscard]] naive::ServerBank& observer() noexcept { return observer_; }

  /// Waits until the first or the second one waits for a lock.
  [[nodiscard]] bool await_waiting(const naive::ServerBank& session);

  /// Waits until the first one, which waits for a lock, has looked for a deadlock and found none:
  /// the next one to wait is the one that finds it.
  void await_look(const naive::ServerBank& session);

  /// The program told a client that this was done, or that it was not.
  void tell(std::size_t client, const Operation& operation, bool done);

  /// Do the checkers find that something is wrong? In a run with a mutant they judge it as if it
  /// were the product.
  [[nodiscard]] bool is_caught(Run& run);

 private:
  NaiveSessions(naive::ServerBank first, naive::ServerBank second, naive::ServerBank observer)
      : first_(std::move(first)), second_(std::move(second)), observer_(std::move(observer)) {}

  naive::ServerBank first_;
  naive::ServerBank second_;
  naive::ServerBank observer_;
  History history_;
};

}  // namespace mizan::prover
