#include "cli/manual.hpp"

#include "cli/commands/commands.hpp"
#include "cli/context.hpp"

#include <string>

namespace mizan::cli {
namespace {

int run_manual(const Arguments& arguments, Context& context) {
  const bool of_settings = arguments.require("PAGE") == "mizan.conf";
  context.out().write(of_settings ? settings_manual() : program_manual(context.root()));
  return 0;
}

}  // namespace

Command manual_command() {
  return {.name = "manual",
          .summary = "Print a page for man",
          .arguments = {{.name = "PAGE",
                         .help = "mizan (section 1) or mizan.conf (section 5)",
                         .choices = {"mizan", "mizan.conf"}}},
          .examples = {{"man <(mizan manual mizan)", "Read it"},
                       {"mizan manual mizan > /usr/local/share/man/man1/mizan.1", "For everybody"}},
          .run = run_manual};
}

}  // namespace mizan::cli
