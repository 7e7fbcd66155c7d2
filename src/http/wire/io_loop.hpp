#pragma once

#include "mizan/clock.hpp"

#include "base/mutex.hpp"
#include "http/router.hpp"
#include "http/server.hpp"
#include "http/services.hpp"
#include "http/wire/connection.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

namespace mizan::http {

/// What all loops of a server share.
struct LoopGround {
  Services& services;
  const Router& router;
  const ServerOptions& options;
  std::atomic<std::size_t>& connections;
  std::atomic<std::size_t>& requests;  ///< In flight.
  std::atomic<std::size_t>& arriving;  ///< Connections with a request that is not in flight yet.
};

/// One thread with its sockets. Answers from other threads are gathered: however many come while
/// the thread is at something else, it is woken once, and not at all while it is awake.
/// Threads: `push` and `post` any; everything else its own.
class IoLoop {
 public:
  IoLoop(const LoopGround& ground, std::size_t number);
  IoLoop(const IoLoop&) = delete;
  IoLoop& operator=(const IoLoop&) = delete;
  ~IoLoop();  ///< As `stop`.

  /// Stops the thread; what is open is closed. What is pushed from then on is seen by nobody. Of
  /// the server's own thread.
  void stop();

  [[nodiscard]] boost::asio::io_context& context() noexcept { return context_; }

  /// An exchange of this connection has its answer.
  void push(std::shared_ptr<Connection> connection, std::shared_ptr<Exchange> exchange) noexcept;

  void add(const std::shared_ptr<Connection>& connection);
  void remove(const std::shared_ptr<Connection>& connection);

  /// See Connection::drain.
  void drain(bool last);

  /// Goes on with the connections whose exchanges were answered on this thread.
  void settle();

  [[nodiscard]] bool is_here() const noexcept { return std::this_thread::get_id() == here_; }

  [[nodiscard]] bool is_draining() const noexcept { return is_draining_; }

  [[nodiscard]] const LoopGround& ground() const noexcept { return ground_; }

  [[nodiscard]] Instant now() const { return ground_.services.clock.now(); }

  /// The date as HTTP writes it; made anew once a second.
  [[nodiscard]] const std::string& date();

 private:
  using Answered = std::pair<std::shared_ptr<Connection>, std::shared_ptr<Exchange>>;

  void run();
  std::size_t take_answers();
  [[nodiscard]] bool may_look_again() const;
  void rest();
  void mark(const std::shared_ptr<Connection>& connection);
  void watch();

  LoopGround ground_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  std::unordered_set<std::shared_ptr<Connection>> connections_;
  std::vector<std::shared_ptr<Connection>> dirty_;
  std::vector<Answered> taken_;
  std::string date_;
  Timestamp date_second_{};
  std::thread::id here_;  // Set before anybody has an exchange of this loop.
  bool is_draining_ = false;
  bool is_last_ = false;
  Instant busy_at_{};
  Mutex mutex_;
  bool is_asleep_ MIZAN_GUARDED_BY(mutex_) = false;
  std::vector<Answered> answered_ MIZAN_GUARDED_BY(mutex_);
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace mizan::http
