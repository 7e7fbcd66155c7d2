#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/mariadb/pool.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::mariadb {

/// One database transaction on a connection of its own. It begins with the first statement. Its end
/// rolls back what was not committed, and so does the first error: some errors end a statement only
/// and leave the rest of the transaction open, others end the transaction, and what is sent after
/// them would be a transaction of its own. Movable; one thread at a time.
class Session {
 public:
  enum class Kind : std::uint8_t {
    write,
    read,
    observe,  ///< Each statement by itself: nothing begins at a node outside its majority.
  };

  Session(Pool::Lent lent, const Clock& clock, Deadline deadline, Kind kind) noexcept
      : lent_(std::move(lent)), clock_(&clock), deadline_(deadline), kind_(kind) {}

  Session(Session&& other) noexcept
      : lent_(std::move(other.lent_)),
        clock_(other.clock_),
        deadline_(other.deadline_),
        kind_(other.kind_),
        state_(std::exchange(other.state_, State::ended)) {}

  Session& operator=(Session&&) = delete;
  ~Session();

  [[nodiscard]] Result<Answer> ask(std::string_view statement, const Parameters& parameters = {});

  /// Statements in as few round trips as they can be asked in; see `Connection::ask_all`.
  [[nodiscard]] Answers ask_all(std::span<const Question> questions);

  /// One statement for many rows; answers how many were affected.
  [[nodiscard]] Result<std::int64_t> ask_for_rows(std::string_view statement,
                                                  const Parameters& rows);

  /// Runs an INSERT. False where the key is there already; then the transaction goes on.
  [[nodiscard]] Result<bool> insert(std::string_view statement, const Parameters& parameters);

  [[nodiscard]] Status tell(std::string_view statement, std::span<const std::int64_t> numbers);

  /// Runs a statement of the user's.
  [[nodiscard]] Result<Answer> ask_user(const std::string& text, const Parameters& parameters);

  /// Nothing is sent where nothing was done.
  [[nodiscard]] Status commit();

  void roll_back();

  /// For what cannot be, such as a row that is ours and not there: on a cluster the transaction may
  /// have been overtaken, and what was met since belongs to another one. Then answers that it is to
  /// be run again, otherwise the error that was given. In either case it can only be rolled back.
  [[nodiscard]] Error explain(Error impossible);

  /// Asks in a transaction of its own, after the end of this one.
  [[nodiscard]] Result<Answer> ask_afterwards(std::string_view statement,
                                              const Parameters& parameters);

  [[nodiscard]] Connection& connection() const noexcept { return lent_.connection(); }

  [[nodiscard]] const Clock& clock() const noexcept { return *clock_; }

  /// The connection, for a further session; this one is at its end.
  [[nodiscard]] Pool::Lent release() noexcept { return std::move(lent_); }

  [[nodiscard]] Deadline deadline() const noexcept { return deadline_; }

 private:
  enum class State : std::uint8_t { idle, open, ended };

  /// What is to be sent before the next statement: nothing but for the first one.
  [[nodiscard]] Result<std::string_view> beginning();
  [[nodiscard]] Status begin();
  [[nodiscard]] Deadline patience() const;

  /// A little time is left for it also after the deadline.
  [[nodiscard]] Deadline end_of_rollback() const;

  /// After each statement: is the transaction still the same one?
  [[nodiscard]] Status check_open();

  Pool::Lent lent_;
  const Clock* clock_;
  Deadline deadline_;
  Kind kind_;
  State state_ = State::idle;
};

}  // namespace mizan::mariadb
