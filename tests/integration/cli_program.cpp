#include "cli_program.hpp"

#include "testkit/server.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace mizan::integration {
namespace {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A word for /bin/sh.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

Ran Program::shell(const std::string& line) const {
  const std::string bin = std::filesystem::path(MIZAN_BINARY).parent_path();
  const std::string script =
      "cd " + quoted(folder_.path()) +
      " && unset MIZAN_STORE MIZAN_LOCK MIZAN_CONFIG MIZAN_REFUSALS MIZAN_STRATEGY MIZAN_FENCE "
      "MIZAN_FENCE_RESOURCE MIZAN_FENCE_OWNER; export HOME=/nonexistent XDG_CONFIG_HOME= PATH=" +
      quoted(bin) + ":$PATH; { " + line + "\n} >.out 2>.err";
  // The shell of the tests: every word of ours is quoted.
  const int status = std::system(script.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          read_whole(folder_.path() / ".out"),
          read_whole(folder_.path() / ".err")};
}

Ran Program::run(const Words& words, const std::string& input) const {
  write_file(".in", input);
  std::string line = "mizan";
  for (const std::string& word : words) line += " " + quoted(word);
  return shell(line + " <.in");
}

Ran Program::must(const Words& words) const {
  Ran ran = run(words);
  EXPECT_EQ(ran.status, 0) << ::testing::PrintToString(words) << "\n" << ran.out << ran.err;
  return ran;
}

void Program::make_ledger() const {
  must({"init"});
  must({"wallet", "create", "alice", "--currency", "EUR"});
  must({"wallet", "create", "bob", "--currency", "EUR"});
  must({"deposit", "alice", "100", "--id", "first"});
}

void Program::write_file(const std::string& name, const std::string& text) const {
  std::ofstream(folder_.path() / name, std::ios::binary) << text;
}

std::string Program::read_file(const std::string& name) const {
  return read_whole(folder_.path() / name);
}

bool has_program(const std::string& name) {
  const bool is_there =
      std::system(("command -v " + quoted(name) + " >/dev/null 2>&1").c_str()) == 0;
  EXPECT_TRUE(is_there || !testkit::is_required("clients")) << name << " is missing";
  return is_there;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace mizan::integration
