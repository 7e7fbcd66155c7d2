#include "serve/service_manager.hpp"

#include "base/text.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace mizan::serve {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds shortest_interval{10};

std::optional<milliseconds> read_watchdog(const cli::Environment& environment) {
  const auto pid = environment("WATCHDOG_PID");
  if (pid && parse_unsigned(*pid) != static_cast<std::uint64_t>(::getpid())) return std::nullopt;
  const auto text = environment("WATCHDOG_USEC");
  const auto period = text ? parse_unsigned(*text) : std::nullopt;
  if (!period || *period == 0) return std::nullopt;
  const auto half = duration_cast<milliseconds>(microseconds(*period / 2));
  return std::max(half, shortest_interval);
}

}  // namespace

ServiceManager::ServiceManager(const cli::Environment& environment)
    : socket_(environment("NOTIFY_SOCKET").value_or("")), watchdog_(read_watchdog(environment)) {
  // A path, or "@" and a name that is in no file system.
  const bool is_address = socket_.starts_with('/') || socket_.starts_with('@');
  if (!is_address || socket_.size() >= sizeof(sockaddr_un::sun_path)) socket_.clear();
}

void ServiceManager::tell(std::string_view state) const noexcept {
  if (socket_.empty()) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(socket_.begin(), socket_.end(), address.sun_path);
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return;
  ::sendto(descriptor,
           state.data(),
           state.size(),
           MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address),
           size);
  ::close(descriptor);
}

}  // namespace mizan::serve
