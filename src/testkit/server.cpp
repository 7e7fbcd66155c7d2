#include "testkit/server.hpp"

#include "testkit/eventually.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace mizan::testkit {
namespace {

constexpr std::chrono::seconds patience{60};
constexpr std::size_t log_bytes_shown = 2'000;

/// Its input is a pipe that only this process holds, so it ends when this process does.
constexpr const char* guardian =
    "directory=$1; signal=$2; shift 2\n"
    "\"$@\" >>\"$directory/log\" 2>&1 </dev/null &\n"
    "server=$!\n"
    "exec 2>/dev/null\n"
    "trap '' INT TERM HUP\n"
    "cat >/dev/null\n"
    "kill -\"$signal\" \"$server\" 2>/dev/null\n"
    "wait \"$server\"\n"
    "rm -rf \"$directory\"\n";

Error failed(std::string_view step, std::string detail) {
  return internal_error("server: " + std::string(step), std::move(detail));
}

Error failed_with_errno(std::string_view step) {
  return failed(step, std::strerror(errno));
}

const passwd* other_user(const std::string& name) {
  if (name.empty() || ::geteuid() != 0) return nullptr;
  return ::getpwnam(name.c_str());
}

/// "/usr/lib/postgresql/*/bin" as the folders that there are, the newest version first.
std::vector<std::filesystem::path> expand(const std::string& pattern) {
  const std::size_t star = pattern.find("/*");
  if (star == std::string::npos) return {pattern};
  std::vector<std::filesystem::path> versions;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(pattern.substr(0, star), missing)) {
    versions.push_back(entry.path());
  }
  std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) {
    return ::strverscmp(a.c_str(), b.c_str()) > 0;
  });
  for (auto& version : versions) version += pattern.substr(star + 2);
  return versions;
}

std::vector<std::filesystem::path> path_folders() {
  std::vector<std::filesystem::path> folders;
  std::string rest = environment_variable("PATH") + ":/usr/sbin:/sbin";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.erase(0, colon + 1);
  }
  return folders;
}

class Socket {
 public:
  Socket() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}

  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

std::string environment_variable(std::string_view name) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=') {
      return std::string(text.substr(name.size() + 1));
    }
  }
  return {};
}

bool is_required(std::string_view server) {
  const std::string list = "," + environment_variable("MIZAN_REQUIRE") + ",";
  return list.find("," + std::string(server) + ",") != std::string::npos;
}

std::optional<std::filesystem::path> find_program(std::string_view name,
                                                  const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> places;
  for (const std::string& folder : folders) {
    for (auto& place : expand(folder)) places.push_back(std::move(place));
  }
  for (auto& place : path_folders()) places.push_back(std::move(place));
  for (const auto& place : places) {
    const std::filesystem::path program = place / name;
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return std::nullopt;
}

Result<std::uint16_t> free_port() {
  const Socket socket;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (socket.descriptor() < 0 || ::bind(socket.descriptor(), any, size) != 0 ||
      ::getsockname(socket.descriptor(), any, &size) != 0) {
    return failed_with_errno("free_port");
  }
  return ntohs(address.sin_port);
}

Result<std::unique_ptr<TempDir>> Server::make_directory(std::string_view prefix,
                                                        const std::string& user) {
  auto directory = TempDir::make(prefix);
  if (!directory) return failed("directory", "no temporary directory can be made");
  const passwd* owner = other_user(user);
  if (owner != nullptr && ::chown(directory->path().c_str(), owner->pw_uid, owner->pw_gid) != 0) {
    return failed_with_errno("directory");
  }
  return directory;
}

Result<std::vector<std::string>> Server::as_user(std::vector<std::string> arguments,
                                                 const std::string& name) {
  const passwd* user = other_user(name);
  if (user == nullptr) return arguments;
  const auto setpriv = find_program("setpriv");
  if (!setpriv) return failed("start", "setpriv is missing (Debian package util-linux)");
  std::vector<std::string> words = {setpriv->string(),
                                    "--reuid=" + std::to_string(user->pw_uid),
                                    "--regid=" + std::to_string(user->pw_gid),
                                    "--init-groups"};
  words.insert(words.end(),
               std::make_move_iterator(arguments.begin()),
               std::make_move_iterator(arguments.end()));
  return words;
}

Result<Server> Server::start(std::unique_ptr<TempDir> directory, const ServerCommand& command) {
  auto program = as_user(command.arguments, command.user);
  if (!program) return program.error();
  const std::filesystem::path path = directory->path();
  std::vector<std::string> words = {
      "/bin/sh", "-c", guardian, "server", path.string(), std::to_string(command.stop_signal)};
  words.insert(words.end(), program->begin(), program->end());
  auto shell = ChildProcess::start(words);
  if (!shell) return shell.error();
  directory->keep();  // From now on the shell removes it.
  return Server(path, std::move(*shell));
}

Status Server::run(std::vector<std::string> arguments, const std::string& user) {
  auto words = as_user(std::move(arguments), user);
  if (!words) return words.error();
  words->insert(words->begin(), {"/bin/sh", "-c", "exec \"$@\" 2>&1", "run"});
  auto child = ChildProcess::start(*words);
  if (!child) return child.error();
  child->close_input();
  const Deadline deadline = system_clock().now() + patience;
  std::string output;
  for (;;) {
    auto line = child->read_line(deadline);
    if (!line) return line.error();
    if (!*line) break;
    output += **line + '\n';
  }
  auto end = child->wait(deadline);
  if (!end) return end.error();
  if (end->status == 0) return {};
  return failed("run", (*words)[4] + ": " + output);
}

Server::~Server() {
  if (!shell_) return;
  shell_->close_input();
  // The shell tidies up; a server that does not end is left to it.
  static_cast<void>(shell_->wait(system_clock().now() + patience));
}

Status Server::wait_until_ready(const std::function<bool()>& is_ready) const {
  if (eventually(is_ready, patience)) return {};
  return failed("start", "it does not answer; its log ends with: " + log());
}

std::string Server::log() const {
  std::ifstream file(directory_ / "log");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.size() > log_bytes_shown) text.erase(0, text.size() - log_bytes_shown);
  return text;
}

}  // namespace mizan::testkit
