#include "prover/workers/standard_lines.hpp"

#include <unistd.h>

#include <cerrno>
#include <iostream>

namespace mizan::prover {

std::optional<std::string> read_command() {
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

void write_line(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace mizan::prover
