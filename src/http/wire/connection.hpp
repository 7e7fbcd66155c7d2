#pragma once

#include "mizan/clock.hpp"

#include "http/answers.hpp"
#include "http/exchange.hpp"
#include "http/router.hpp"
#include "http/wire/request_parser.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::http {

class IoLoop;

/// One client: reads requests, keeps their answers in order, writes them together. How bytes travel
/// is left to those who derive from it (plain, TLS).
/// Threads: everything runs on its loop's thread, except `finished`.
class Connection : public ExchangeOwner, public std::enable_shared_from_this<Connection> {
 public:
  Connection(IoLoop& loop, std::string peer);

  /// Any thread.
  void finished(std::shared_ptr<ExchangeOwner> self,
                std::shared_ptr<Exchange> exchange) noexcept final;

  /// Begins to serve.
  virtual void start() { opened(); }

  /// Some of its exchanges have their answers: writes what can be written, goes on reading.
  void go_on();

  /// Ends what has taken too long.
  void check(Instant now);

  /// The server stops: it ends after the answers that are owed. `last`: also when nothing is owed
  /// but the client may still send.
  void drain(bool last);

  [[nodiscard]] bool is_idle() const noexcept;

  /// It is looking at its answers right now.
  [[nodiscard]] bool is_going_on() const noexcept { return is_going_on_; }

  bool is_dirty = false;  ///< Of the loop: in its list of those to go on with.

 protected:
  // What those who derive bring.
  virtual void begin_read(char* into, std::size_t size) = 0;  ///< Then `on_read`, later.
  [[nodiscard]] virtual std::size_t write_now(std::string_view text) = 0;  ///< What went at once.
  virtual void begin_write(std::string_view text) = 0;  ///< All of it; then `on_written`, later.
  virtual void begin_shutdown() = 0;                    ///< No more from us.
  virtual void close_socket() noexcept = 0;

  void opened();
  void on_read(bool is_ok, std::size_t size);
  void on_written(bool is_ok);
  void close();

  [[nodiscard]] IoLoop& loop() noexcept { return loop_; }

 private:
  enum class Phase { opening, open, lingering, closed };

  void read_on();
  bool parse_some();
  bool feed_parser();
  bool take_request();
  bool take_cut_request();
  bool skip_empty_line();
  void dispatch_next();
  void admit(const std::shared_ptr<Exchange>& exchange);
  [[nodiscard]] bool has_room_for(const Exchange& exchange) const;
  [[nodiscard]] std::shared_ptr<Exchange> make_exchange();
  bool refuse(const TransportProblem& problem);
  bool refuse_exchange(const std::shared_ptr<Exchange>& exchange, const TransportProblem& problem);
  [[nodiscard]] bool owes_much() const noexcept;
  [[nodiscard]] bool has_answer() const;
  [[nodiscard]] bool may_run(const Exchange& next) const;
  bool collect();
  bool flush();
  void forget_output();
  [[nodiscard]] bool awaits_continue() const;
  void say_continue();
  void time_reading();
  void count_arriving();
  void end();
  [[nodiscard]] Instant limit() const;

  IoLoop& loop_;
  std::string peer_;
  Phase phase_ = Phase::opening;
  std::vector<char> input_;
  std::size_t input_begin_ = 0;
  std::size_t input_end_ = 0;
  std::optional<RequestParser> parser_;
  std::shared_ptr<Exchange> next_;                  // Read, but must wait for those before it.
  std::deque<std::shared_ptr<Exchange>> pipeline_;  // In the order of the requests.
  std::string output_;                              // Being written, or to be written next.
  std::string output_next_;
  MemoryShare owed_;  // Of both.
  Instant request_began_{};
  Instant read_until_{};                 // For the request that is being read.
  std::optional<Instant> unread_since_;  // Its time stands still since then.
  Instant last_activity_{};
  Instant write_began_{};
  bool is_reading_ = false;
  bool is_writing_ = false;
  bool is_going_on_ = false;
  bool close_after_ = false;  // No request is taken any more.
  bool peer_done_ = false;    // The client sends no more.
  bool said_continue_ = false;
  bool is_arriving_ = false;         // It is counted among those who send a request.
  std::size_t line_end_passed_ = 0;  // Bytes of an empty line in front of the next request.
  bool speaks_old_ = false;
};

}  // namespace mizan::http
