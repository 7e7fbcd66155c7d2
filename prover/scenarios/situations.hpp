#pragma once

#include "mizan/result.hpp"

#include "prover/history.hpp"
#include "prover/run.hpp"
#include "prover/workers/crew.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace mizan::prover {

/// A protection that a row of the layer matrix does without.
enum class Layer : std::uint8_t { none, lock, fence, operation_id, guard };

[[nodiscard]] std::string_view to_string(Layer layer) noexcept;

/// Two worker processes in front of one store, with one layer switched off. Lock off: everybody is
/// granted it at once. Fence off: no token is sent along. Operation id off: each attempt gets an
/// id of its own. Guard off: the store writes what was decided on an old read.
class Stage {
 public:
  Stage(Run& run, Layer off) : run_(run), off_(off) {}

  /// False after noting in the run why not.
  [[nodiscard]] bool open(std::string_view mutant);

  [[nodiscard]] Layer off() const noexcept { return off_; }

  [[nodiscard]] Run& run() noexcept { return run_; }

  [[nodiscard]] Crew& crew() noexcept { return *crew_; }

  [[nodiscard]] Worker& first() noexcept { return *first_; }

  [[nodiscard]] Worker& second() noexcept { return *second_; }

  [[nodiscard]] History& history() noexcept { return history_; }

  /// Kills the owner and reads what it left behind.
  [[nodiscard]] Result<Evidence> close();

 private:
  [[nodiscard]] Result<std::string> lock_word() const;

  Run& run_;
  Layer off_;
  StorePlace place_;
  History history_;
  std::unique_ptr<Crew> crew_;
  std::unique_ptr<Worker> first_;
  std::unique_ptr<Worker> second_;
};

/// What came of one situation.
struct Effect {
  bool ran = false;
  bool is_right = false;
  std::string text;
  Code first = Code::internal;   ///< What the first worker was answered, at the end.
  Code second = Code::internal;  ///< What the second worker was answered.
};

/// The story of the lock that lies: the first holder stops past its time to live, the second one
/// settles the invoice, the first wakes up and settles it too. `same_id`: both use the invoice's
/// own id; otherwise the first brings an operation of its own. `story` may be null.
[[nodiscard]] Effect paused_holder_settles(Stage& stage, bool same_id, Story* story);

/// Two withdrawals of 80 from 100, decided on balances that both read before.
[[nodiscard]] Effect two_at_once(Stage& stage);

/// The answer of the first holder is lost; a second one, with a newer token, settles again.
[[nodiscard]] Effect late_duplicate(Stage& stage);

}  // namespace mizan::prover
