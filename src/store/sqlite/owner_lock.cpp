#include "store/sqlite/owner_lock.hpp"

#include "base/text.hpp"
#include "store/sqlite/database_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>

namespace mizan::sqlite {
namespace {

constexpr std::chrono::milliseconds poll_interval{10};

/// Locks that belong to the open file, not to the process: two owners within one process exclude
/// each other too, and closing another descriptor of the file does not drop the lock.
bool try_lock(int descriptor) {
  struct flock request {};

  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  int done = 0;
  do {
    done = fcntl(descriptor, F_OFD_SETLK, &request);
  } while (done != 0 && errno == EINTR);
  return done == 0;
}

bool is_held_by_other(int reason) {
  return reason == EAGAIN || reason == EACCES;
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The command's name and arguments, separated by spaces.
std::string command_line() {
  std::string command = read_text("/proc/self/cmdline");
  std::replace(command.begin(), command.end(), '\0', ' ');
  while (!command.empty() && command.back() == ' ') command.pop_back();
  return command;
}

std::string host_name() {
  struct utsname names {};

  return uname(&names) == 0 ? names.nodename : "unknown";
}

std::string describe_self(const Clock& clock) {
  return "pid " + std::to_string(getpid()) + " on " + escape_for_log(host_name()) + ", " +
         escape_for_log(command_line()) + ", since " + to_rfc3339(clock.wall_now()) + "\n";
}

/// Best effort: the lock holds without the text.
void write_description(int descriptor, const std::string& text) {
  if (ftruncate(descriptor, 0) != 0) return;
  static_cast<void>(pwrite(descriptor, text.data(), text.size(), 0));
}

Error held_by_other(const std::filesystem::path& database) {
  std::string holder = read_text(owner_file(database));
  while (!holder.empty() && holder.back() == '\n') holder.pop_back();
  return unavailable(
      "sqlite: open",
      database.string() + " is owned by " +
          (holder.empty() ? std::string("another process") : escape_for_log(holder)) +
          "; one process at a time may write, others can read beside it; where that is mizan "
          "serve, go through it: --store http://127.0.0.1:7780, or where it listens");
}

}  // namespace

std::filesystem::path owner_file(const std::filesystem::path& database) {
  std::filesystem::path file = database;
  file += "-owner";
  return file;
}

Result<OwnerLock> OwnerLock::take(const std::filesystem::path& database,
                                  std::chrono::milliseconds wait,
                                  const Clock& clock) {
  const std::filesystem::path file = owner_file(database);
  OwnerLock lock(database, open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock.descriptor_ < 0) return open_failure(file, errno);
  const Instant until = clock.now() + wait;
  while (!try_lock(lock.descriptor_)) {
    if (!is_held_by_other(errno)) return open_failure(file, errno);
    const Instant now = clock.now();
    if (now >= until) return held_by_other(database);
    clock.sleep_until(std::min<Instant>(now + poll_interval, until));
  }

  struct stat locked {};

  if (fstat(lock.descriptor_, &locked) != 0) return open_failure(file, errno);
  lock.device_ = locked.st_dev;
  lock.inode_ = locked.st_ino;
  write_description(lock.descriptor_, describe_self(clock));
  return lock;
}

Status OwnerLock::check() const {
  const std::filesystem::path file = owner_file(database_);

  struct stat named {};

  const bool same =
      stat(file.c_str(), &named) == 0 && named.st_dev == device_ && named.st_ino == inode_;
  if (same) return {};
  return unavailable("sqlite: commit",
                     file.string() +
                         " was removed or replaced under this process, so that another one may own "
                         "the database by now; restart this process");
}

OwnerLock::~OwnerLock() {
  // The file stays: removing it would let two processes lock two files of one name.
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace mizan::sqlite
