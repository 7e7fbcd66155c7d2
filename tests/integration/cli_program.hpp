#pragma once

#include "testkit/temp_dir.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::integration {

/// What one run of the program did.
struct Ran {
  int status = -1;  ///< Exit status; 128 + the signal where one killed it.
  std::string out;
  std::string err;
};

/// The `mizan` program in a directory of its own, without the environment's settings.
class Program {
 public:
  using Words = std::vector<std::string>;

  /// Runs `mizan WORDS…` to its end.
  Ran run(const Words& words, const std::string& input = {}) const;

  /// Runs a line of /bin/sh, in which `mizan` is the program.
  Ran shell(const std::string& line) const;

  /// As `run`, and fails the test unless it exits with 0.
  Ran must(const Words& words) const;

  /// A ledger with alice and bob, who hold euros, and 100.00 with alice.
  void make_ledger() const;

  void write_file(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read_file(const std::string& name) const;

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path() / name; }

 private:
  testkit::TempDir folder_{"mizan-cli"};
};

/// Is a program of this name on the PATH?
[[nodiscard]] bool has_program(const std::string& name);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

}  // namespace mizan::integration
