#include "cli/completion.hpp"

#include "cli/commands/commands.hpp"
#include "cli/context.hpp"

#include <string>

namespace mizan::cli {
namespace {

int run_completion(const Arguments& arguments, Context& context) {
  const std::string shell = arguments.require("SHELL");
  const Command& root = context.root();
  if (shell == "bash") {
    context.out().write(bash_completion(root));
  } else if (shell == "zsh") {
    context.out().write(zsh_completion(root));
  } else {
    context.out().write(fish_completion(root));
  }
  return 0;
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .summary = "Print a script that completes commands in a shell",
          .arguments = {{.name = "SHELL",
                         .help = "bash, zsh or fish",
                         .choices = {"bash", "zsh", "fish"}}},
          .examples = {{"source <(mizan completion bash)", "For this shell"},
                       {"mizan completion fish > ~/.config/fish/completions/mizan.fish",
                        "For every shell to come"}},
          .run = run_completion};
}

}  // namespace mizan::cli
