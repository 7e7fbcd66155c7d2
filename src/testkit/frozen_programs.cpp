#include "testkit/frozen_programs.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace mizan::testkit {
namespace {

struct Process {
  int id = 0;
  int parent = 0;
  std::string name;
};

int number_at(const std::string& text, std::size_t begin) {
  return static_cast<int>(std::strtol(text.c_str() + std::min(begin, text.size()), nullptr, 10));
}

/// As /proc/ID/stat says: `id (name) state parent …`, where a name may have brackets.
std::optional<Process> read_process(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t begin = text.find('(');
  const std::size_t end = text.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return std::nullopt;
  constexpr std::size_t to_parent = 4;
  return Process{number_at(text, 0),
                 number_at(text, end + to_parent),
                 text.substr(begin + 1, end - begin - 1)};
}

std::vector<Process> read_processes() {
  std::vector<Process> processes;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    if (auto process = read_process(entry.path())) processes.push_back(*std::move(process));
  }
  return processes;
}

/// Processes of this name below the present one.
std::vector<int> find_below(std::string_view name) {
  const auto processes = read_processes();
  std::vector<int> below = {::getpid()};
  std::vector<int> found;
  for (std::size_t i = 0; i < below.size(); ++i) {
    for (const Process& process : processes) {
      if (process.parent != below[i]) continue;
      below.push_back(process.id);
      if (process.name == name) found.push_back(process.id);
    }
  }
  return found;
}

}  // namespace

FrozenPrograms::FrozenPrograms(std::string_view name) {
  // Whom one has started before it was frozen is found in the next round.
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const int process : find_below(name)) {
      if (std::find(frozen_.begin(), frozen_.end(), process) != frozen_.end()) continue;
      frozen_.push_back(process);
      is_new = ::kill(process, SIGSTOP) == 0 || is_new;
    }
  }
}

FrozenPrograms::~FrozenPrograms() {
  for (const int process : frozen_) ::kill(process, SIGCONT);
}

}  // namespace mizan::testkit
