#include "http/wire/io_loop.hpp"

#include "base/thread.hpp"

#include <boost/asio/post.hpp>

#include <array>
#include <chrono>
#include <ctime>
#include <string>
#include <utility>

namespace mizan::http {
namespace {

constexpr std::chrono::milliseconds watch_interval{250};

std::string http_date(Timestamp time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  const std::time_t moment = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&moment, &parts);
  std::array<char, 40> text{};
  // The C locale is in force: no other is ever set.
  const std::size_t size =
      std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

}  // namespace

IoLoop::IoLoop(const LoopGround& ground, std::size_t number)
    : ground_(ground), work_(context_.get_executor()), timer_(context_), thread_([this, number] {
        name_this_thread(("mizan-io-" + std::to_string(number)).c_str());
        run();
      }) {}

IoLoop::~IoLoop() {
  stop();
}

void IoLoop::stop() {
  if (!thread_.joinable()) return;
  work_.reset();
  context_.stop();
  thread_.join();
}

void IoLoop::run() {
  here_ = std::this_thread::get_id();
  watch();
  while (!context_.stopped()) {
    if (context_.poll() + take_answers() > 0) {
      busy_at_ = now();
    } else if (!may_look_again()) {
      rest();
    }
  }
  // Handlers that hold connections go with the context; these would hold each other.
  connections_.clear();
  dirty_.clear();
}

void IoLoop::push(std::shared_ptr<Connection> connection,
                  std::shared_ptr<Exchange> exchange) noexcept {
  if (is_here()) {
    exchange->mark_ready();
    if (!connection->is_going_on()) mark(connection);
    return;
  }
  bool wakes = false;
  {
    const MutexLock lock(mutex_);
    answered_.emplace_back(std::move(connection), std::move(exchange));
    wakes = std::exchange(is_asleep_, false);
  }
  // Whatever runs makes the thread look at the answers.
  if (wakes) boost::asio::post(context_, [] {});
}

/// With at most one request under way the processors are idle, and waking a thread takes about as
/// long as what it waits for: so it stays awake for the time of a usual commit, and after an answer
/// for the moment in which the next request may come.
bool IoLoop::may_look_again() const {
  constexpr std::chrono::microseconds usual_commit{500};
  constexpr std::chrono::microseconds usual_pause{100};
  const std::size_t requests = ground_.requests;
  if (requests > 1 || connections_.empty()) return false;
  return now() - busy_at_ < (requests == 1 ? usual_commit : usual_pause);
}

void IoLoop::rest() {
  {
    const MutexLock lock(mutex_);
    if (!answered_.empty()) return;
    is_asleep_ = true;
  }
  context_.run_one();
  const MutexLock lock(mutex_);
  is_asleep_ = false;
}

/// Goes on with those who have their answers; says how many there were.
std::size_t IoLoop::take_answers() {
  {
    const MutexLock lock(mutex_);
    if (answered_.empty()) return 0;
    std::swap(answered_, taken_);
  }
  const std::size_t count = taken_.size();
  for (const auto& [connection, exchange] : taken_) {
    exchange->mark_ready();
    mark(connection);
  }
  taken_.clear();
  settle();
  return count;
}

void IoLoop::mark(const std::shared_ptr<Connection>& connection) {
  if (connection->is_dirty) return;
  connection->is_dirty = true;
  dirty_.push_back(connection);
}

void IoLoop::settle() {
  // Going on with one may answer exchanges of it at once, and mark it again.
  for (std::size_t i = 0; i < dirty_.size(); ++i) {
    const std::shared_ptr<Connection> connection = dirty_[i];
    connection->is_dirty = false;
    connection->go_on();
  }
  dirty_.clear();
}

void IoLoop::add(const std::shared_ptr<Connection>& connection) {
  connections_.insert(connection);
  connection->start();
  if (is_draining_) connection->drain(is_last_);
  settle();
}

void IoLoop::remove(const std::shared_ptr<Connection>& connection) {
  if (connections_.erase(connection) > 0) --ground_.connections;
}

void IoLoop::drain(bool last) {
  is_draining_ = true;
  is_last_ = last;
  const std::vector<std::shared_ptr<Connection>> all(connections_.begin(), connections_.end());
  for (const auto& connection : all) connection->drain(last);
  settle();
}

void IoLoop::watch() {
  timer_.expires_after(watch_interval);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    const std::vector<std::shared_ptr<Connection>> all(connections_.begin(), connections_.end());
    const Instant instant = now();
    for (const auto& connection : all) connection->check(instant);
    settle();
    watch();
  });
}

const std::string& IoLoop::date() {
  const Timestamp now = std::chrono::floor<std::chrono::seconds>(ground_.services.clock.wall_now());
  if (now != date_second_ || date_.empty()) {
    date_second_ = now;
    date_ = http_date(now);
  }
  return date_;
}

}  // namespace mizan::http
