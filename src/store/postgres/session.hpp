#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/postgres/pool.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::postgres {

/// One database transaction on a connection of its own. It begins with the first statement, in the
/// same round trip. Its end rolls back what was not committed. Movable; one thread at a time.
class Session {
 public:
  enum class Kind : std::uint8_t {
    ledger,  ///< Writes, with our own statements only: their plans are steered.
    write,
    read,
  };

  Session(Pool::Lent lent, const Clock& clock, Deadline deadline, Kind kind) noexcept
      : lent_(std::move(lent)), clock_(&clock), deadline_(deadline), kind_(kind) {}

  Session(Session&& other) noexcept
      : lent_(std::move(other.lent_)),
        clock_(other.clock_),
        deadline_(other.deadline_),
        kind_(other.kind_),
        state_(std::exchange(other.state_, State::ended)),
        preamble_(other.preamble_) {}

  Session& operator=(Session&&) = delete;
  ~Session();

  /// Queues a statement.
  void send(std::string_view statement, const Parameters& parameters = {});

  /// Queues a statement of the user's.
  void send_user(const std::string& text, const Parameters& parameters);

  /// One round trip: the answers of what was queued.
  [[nodiscard]] Result<std::vector<Answer>> run();

  /// Both for one statement.
  [[nodiscard]] Result<Answer> ask(std::string_view statement, const Parameters& parameters = {});

  /// Nothing is sent where nothing was done.
  [[nodiscard]] Status commit();

  /// `run` and, where nothing failed, COMMIT, in one round trip.
  [[nodiscard]] Result<std::vector<Answer>> run_and_commit();

  /// Rolls back, then asks outside of any transaction, in one round trip.
  [[nodiscard]] Result<Answer> roll_back_and_ask(std::string_view statement,
                                                 const Parameters& parameters);

  [[nodiscard]] Connection& connection() const noexcept { return lent_.connection(); }

  [[nodiscard]] const Clock& clock() const noexcept { return *clock_; }

 private:
  enum class State : std::uint8_t { idle, open, ended };

  void begin();

  /// A little time is left for it also after the deadline.
  [[nodiscard]] Deadline end_of_rollback() const;
  void drop_preamble(std::vector<Answer>& answers);

  Pool::Lent lent_;
  const Clock* clock_;
  Deadline deadline_;
  Kind kind_;
  State state_ = State::idle;
  std::size_t preamble_ = 0;  // Statements of ours in front of what was queued.
};

}  // namespace mizan::postgres
