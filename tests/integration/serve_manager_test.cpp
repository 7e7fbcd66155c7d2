#include "testkit/child_process.hpp"
#include "testkit/temp_dir.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

namespace mizan::integration {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// What a service manager listens on: one end of sd_notify(3).
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path)
      : descriptor_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const auto* raw = reinterpret_cast<const sockaddr*>(&address);
    bound_ = ::bind(descriptor_, raw, sizeof address) == 0;
  }

  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  ~NotifySocket() { ::close(descriptor_); }

  [[nodiscard]] bool bound() const { return bound_; }

  /// The next message, or nothing within the time.
  [[nodiscard]] std::string next(milliseconds within) const {
    pollfd watched{descriptor_, POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(within.count())) != 1) return {};
    std::array<char, 512> buffer{};
    const ssize_t got = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
  }

 private:
  int descriptor_;
  bool bound_ = false;
};

class ServeManager : public ::testing::Test {
 protected:
  testkit::ChildProcess serve(const std::vector<testkit::ChildProcess::Variable>& variables) {
    auto process = testkit::ChildProcess::start({MIZAN_BINARY,
                                                 "serve",
                                                 "--listen",
                                                 "127.0.0.1:0",
                                                 "--store",
                                                 "sqlite:" + (folder_.path() / "a.db").string()},
                                                variables);
    EXPECT_TRUE(process) << process.error().detail;
    return *std::move(process);
  }

  testkit::TempDir folder_{"mizan-manager"};
  std::string path_ = (folder_.path() / "notify").string();
  NotifySocket manager_{path_};
};

TEST_F(ServeManager, hears_that_it_is_ready_alive_and_stopping) {
  ASSERT_TRUE(manager_.bound());
  testkit::ChildProcess server = serve({{"NOTIFY_SOCKET", path_}, {"WATCHDOG_USEC", "100000"}});
  EXPECT_EQ(manager_.next(seconds{20}).substr(0, 8), "READY=1\n");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(manager_.next(seconds{20}), "WATCHDOG=1");
  server.terminate();
  std::string message = "WATCHDOG=1";
  while (message == "WATCHDOG=1") message = manager_.next(seconds{20});
  EXPECT_EQ(message, "STOPPING=1");
  const auto exit = server.wait(system_clock().now() + seconds{20});
  EXPECT_TRUE(exit && exit->status == 0);
}

TEST_F(ServeManager, another_process_s_watchdog_is_not_ours) {
  testkit::ChildProcess server =
      serve({{"NOTIFY_SOCKET", path_}, {"WATCHDOG_USEC", "100000"}, {"WATCHDOG_PID", "1"}});
  EXPECT_EQ(manager_.next(seconds{20}).substr(0, 8), "READY=1\n");
  EXPECT_EQ(manager_.next(milliseconds{500}), "");
}

}  // namespace
}  // namespace mizan::integration
