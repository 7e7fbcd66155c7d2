#include "lock/redis/release_listener.hpp"

#include "base/thread.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace mizan::redis {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds pause_first{50};
constexpr milliseconds pause_longest{1'000};
/// Without a waiter for so long the connection is given up.
constexpr std::chrono::seconds idle_longest{30};
constexpr milliseconds look_around{1'000};
constexpr std::chrono::seconds send_patience{1};

}  // namespace

ReleaseListener::ReleaseListener(Servers& servers, std::string prefix)
    : servers_(servers),
      prefix_(std::move(prefix)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

ReleaseListener::~ReleaseListener() {
  std::jthread ending;
  {
    const MutexLock lock(mutex_);
    ending = std::move(thread_);
  }
  if (ending.joinable()) {
    ending.request_stop();
    wanted_changed_.notify_all();
    ::eventfd_write(wake_, 1);
    ending.join();
  }
  if (wake_ >= 0) ::close(wake_);
}

std::uint64_t ReleaseListener::heard(std::size_t bucket) {
  const MutexLock lock(mutex_);
  return heard_[bucket];
}

void ReleaseListener::wait(std::size_t bucket, std::uint64_t seen, milliseconds at_most) {
  MutexLock lock(mutex_);
  ++waiters_;
  last_wait_ = system_clock().now();
  if (!wanted_[bucket]) {
    wanted_[bucket] = true;
    ::eventfd_write(wake_, 1);
  }
  if (!thread_.joinable()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  wanted_changed_.notify_all();
  const Instant until = last_wait_ + at_most;
  while (heard_[bucket] == seen) {
    const std::chrono::nanoseconds left = until - system_clock().now();
    if (left <= std::chrono::nanoseconds::zero()) break;
    released_.wait_for(lock, left);
  }
  --waiters_;
}

void ReleaseListener::run(const std::stop_token& stop) {
  name_this_thread("mizan-redis-ear");
  milliseconds rest = pause_first;
  while (!stop.stop_requested()) {
    await_waiter(stop);
    const Instant began_at = system_clock().now();
    if (!stop.stop_requested()) listen(stop);
    // It ended: by a server that is away, which is not asked without a rest.
    const bool lasted = system_clock().now() - began_at > pause_longest;
    rest = lasted ? pause_first : std::min(rest * 2, pause_longest);
    pause(stop, rest);
  }
}

void ReleaseListener::await_waiter(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  while (waiters_ == 0 && !stop.stop_requested()) {
    wanted_changed_.wait_for(lock, look_around);
  }
}

void ReleaseListener::pause(const std::stop_token& stop, milliseconds time) {
  MutexLock lock(mutex_);
  wanted_changed_.wait_for(lock, stop, time, [] { return false; });
}

bool ReleaseListener::is_idle() {
  const MutexLock lock(mutex_);
  return waiters_ == 0 && system_clock().now() - last_wait_ > idle_longest;
}

void ReleaseListener::listen(const std::stop_token& stop) {
  auto connection = servers_.open_listener();
  if (!connection) return;
  Subscribed subscribed{};
  while (!stop.stop_requested() && !is_idle()) {
    if (!subscribe(**connection, subscribed)) return;
    std::array<pollfd, 2> watched{{{(*connection)->descriptor(), POLLIN, 0}, {wake_, POLLIN, 0}}};
    ::poll(watched.data(), watched.size(), static_cast<int>(look_around.count()));
    eventfd_t count = 0;
    ::eventfd_read(wake_, &count);
    if (watched[0].revents != 0 && !take_messages(**connection)) return;
  }
  const MutexLock lock(mutex_);
  wanted_ = {};
}

Status ReleaseListener::subscribe(Connection& connection, Subscribed& subscribed) {
  std::vector<std::string> channels;
  {
    const MutexLock lock(mutex_);
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
      if (!wanted_[bucket] || subscribed[bucket]) continue;
      subscribed[bucket] = true;
      channels.push_back(channel_of(prefix_, bucket));
    }
  }
  if (channels.empty()) return {};
  std::vector<std::string_view> words{"SUBSCRIBE"};
  words.insert(words.end(), channels.begin(), channels.end());
  return connection.send(words, system_clock().now() + send_patience);
}

Status ReleaseListener::take_messages(Connection& connection) {
  while (true) {
    auto message = connection.poll();
    if (!message) return std::move(message).error();
    if (!*message) return {};
    if ((*message)->is_error()) return to_error("SUBSCRIBE", **message);
    note(**message);
  }
}

void ReleaseListener::note(const Reply& message) {
  // "message" channel resource, and "subscribe" channel count: what was released in between was
  // not heard, so whoever waits looks once more.
  if (message.items.size() != 3) return;
  const std::string& channel = message.items[1].text;
  const MutexLock lock(mutex_);
  for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
    if (wanted_[bucket] && channel_of(prefix_, bucket) == channel) ++heard_[bucket];
  }
  released_.notify_all();
}

}  // namespace mizan::redis
