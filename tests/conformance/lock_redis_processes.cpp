#include "testkit/child_process.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/lock_redis.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

// Real processes, with connections and counters of their own, over a Redis that loses its data.

namespace mizan::conformance {
namespace {

namespace fs = std::filesystem;
using testkit::ChildProcess;
using testkit::RedisServer;
using testkit::TempDir;

/// Epochs in a file that several processes share, as they would share a database.
class FileEpochs final : public EpochTable {
 public:
  explicit FileEpochs(fs::path file) : file_(std::move(file)) {}

  Result<std::int64_t> next_epoch(std::int64_t above) override {
    const int descriptor = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || ::flock(descriptor, LOCK_EX) != 0) std::abort();
    std::array<char, 32> text{};
    static_cast<void>(::pread(descriptor, text.data(), text.size() - 1, 0));
    const std::int64_t epoch = std::max<std::int64_t>(std::atoll(text.data()), above) + 1;
    const std::string written = std::to_string(epoch);
    if (::pwrite(descriptor, written.data(), written.size(), 0) < 0) std::abort();
    ::close(descriptor);
    return epoch;
  }

 private:
  fs::path file_;
};

struct Grant {
  std::int64_t sent = 0;
  std::int64_t answered = 0;
  std::int64_t token = 0;
};

std::int64_t nanoseconds_now() {
  return system_clock().now().time_since_epoch().count();
}

// Disabled: only the test below runs it, in processes of its own.
TEST(RedisWorker, DISABLED_acquires_until_it_is_told_to_stop) {
  const fs::path folder = testkit::environment_variable("MIZAN_TEST_FOLDER");
  RedisOptions options = *parse_redis_url(testkit::environment_variable("MIZAN_TEST_URL"));
  FileEpochs epochs(folder / "epoch");
  auto lock = make_redis_lock(options, &epochs, system_clock());
  ASSERT_TRUE(lock);
  std::ofstream log(folder / ("grants." + std::to_string(::getpid())));
  while (!fs::exists(folder / "stop")) {
    AcquireRequest request;
    request.resource = resource;
    request.ttl = milliseconds{300};
    request.wait_until = system_clock().now() + milliseconds{500};
    const std::int64_t sent = nanoseconds_now();
    auto outcome = (*lock)->acquire(std::move(request));
    if (!outcome || !std::holds_alternative<Lease>(*outcome)) continue;
    const Lease lease = std::get<Lease>(std::move(*outcome));
    log << sent << ' ' << nanoseconds_now() << ' ' << lease.token().value() << std::endl;
    system_clock().sleep_until(system_clock().now() + milliseconds{2});
  }
}

std::vector<Grant> read_grants(const fs::path& folder) {
  std::vector<Grant> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("grants.")) continue;
    std::ifstream file(entry.path());
    std::string line;
    while (std::getline(file, line) && !file.eof()) {  // A killed one may leave half a line.
      Grant grant;
      if (std::sscanf(line.c_str(), "%ld %ld %ld", &grant.sent, &grant.answered, &grant.token) ==
          3) {
        all.push_back(grant);
      }
    }
  }
  return all;
}

/// Grants whose token is not above one that was answered before they were asked for.
int count_wrong(std::vector<Grant> grants) {
  std::sort(grants.begin(), grants.end(), [](const Grant& a, const Grant& b) {
    return a.answered < b.answered;
  });
  std::map<std::int64_t, std::int64_t> greatest_by_time;  // Answered at → greatest until then.
  std::int64_t greatest = 0;
  for (const Grant& grant : grants) {
    greatest = std::max(greatest, grant.token);
    greatest_by_time[grant.answered] = greatest;
  }
  int wrong = 0;
  for (const Grant& grant : grants) {
    const auto after = greatest_by_time.lower_bound(grant.sent);
    if (after != greatest_by_time.begin() && std::prev(after)->second >= grant.token) ++wrong;
  }
  return wrong;
}

TEST(RedisProcesses, tokens_never_go_back_between_processes_whatever_redis_loses) {
  auto server = RedisServer::start();
  if (!server) return skip_or_fail_redis(server.error());
  const TempDir folder;
  const std::string url = "redis://127.0.0.1:" + std::to_string((*server)->port()) +
                          "?command_timeout=1s&connect_timeout=1s";
  std::vector<ChildProcess> workers;
  for (int worker = 0; worker < 3; ++worker) {
    auto child = ChildProcess::start(
        {testkit::own_program(), "--gtest_filter=RedisWorker.*", "--gtest_also_run_disabled_tests"},
        {{"MIZAN_TEST_FOLDER", folder.path().string()}, {"MIZAN_TEST_URL", url}});
    ASSERT_TRUE(child);
    workers.push_back(std::move(*child));
  }
  const auto go_on = [&] {
    const std::size_t before = read_grants(folder.path()).size();
    return eventually([&] { return read_grants(folder.path()).size() > before + 15; });
  };
  ASSERT_TRUE(go_on());
  for (int loss = 0; loss < 3; ++loss) {
    ASSERT_TRUE((*server)->ask({"FLUSHALL"}));
    ASSERT_TRUE(go_on()) << "after flush " << loss;
  }
  for (int loss = 0; loss < 3; ++loss) {
    (*server)->kill();
    if (loss == 1) workers.pop_back();  // Killed, perhaps as a holder, perhaps while it heals.
    ASSERT_TRUE((*server)->start_again());
    ASSERT_TRUE(go_on()) << "after restart " << loss;
  }
  std::ofstream(folder.path() / "stop").close();
  for (ChildProcess& worker : workers) {
    EXPECT_TRUE(worker.wait(system_clock().now() + std::chrono::seconds{60}));
  }
  const std::vector<Grant> grants = read_grants(folder.path());
  EXPECT_EQ(count_wrong(grants), 0) << "of " << grants.size();
}

TEST(RedisProcesses, the_judgement_of_grants_can_fail) {
  EXPECT_EQ(count_wrong({{1, 2, 10}, {3, 4, 11}}), 0);
  EXPECT_EQ(count_wrong({{1, 2, 10}, {3, 4, 10}}), 1);
  EXPECT_EQ(count_wrong({{1, 2, 10}, {3, 4, 9}}), 1);
  EXPECT_EQ(count_wrong({{1, 4, 10}, {3, 5, 9}}), 0) << "at the same time: no order";
}

}  // namespace
}  // namespace mizan::conformance
