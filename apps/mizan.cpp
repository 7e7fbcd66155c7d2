#include "cli/application.hpp"
#include "cli/output.hpp"
#include "wiring.hpp"

#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

namespace {

mizan::cli::Terminals look_at_terminals(const mizan::cli::Environment& environment) {
  const auto terminal = environment("TERM");
  return {.out = isatty(STDOUT_FILENO) != 0,
          .err = isatty(STDERR_FILENO) != 0,
          .colours = !environment("NO_COLOR").has_value() && terminal && *terminal != "dumb"};
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away is an answer to write(), not the end of an operation.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a limit on the size of files (ulimit -f): the write fails and is reported.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const mizan::cli::Wiring wiring = mizan::make_wiring();
  const mizan::cli::Terminals terminals = look_at_terminals(wiring.environment);
  mizan::cli::Output out(mizan::cli::to_descriptor(STDOUT_FILENO), terminals.out);
  mizan::cli::Output err(mizan::cli::to_descriptor(STDERR_FILENO), true);
  return mizan::cli::run(words, wiring, {out, err, terminals});
}
