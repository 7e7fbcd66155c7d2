#include "cli_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mizan::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CliCompletion, bash_completes_commands_options_and_values) {
  if (!has_program("bash")) GTEST_SKIP() << "the package bash is not installed";
  const Program program;
  program.write_file("try.bash", R"(source <(mizan completion bash)
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mizan; echo "${COMPREPLY[*]}"; }
complete_words mizan wallet cr
complete_words mizan --store x wallet create --cu
complete_words mizan transfer --strategy o
complete_words mizan completion ''
)");
  EXPECT_EQ(program.shell("bash --norc try.bash").out,
            "create\n--currency\noptimistic\nbash zsh fish\n");
}

TEST(CliCompletion, zsh_completes_commands_options_and_values) {
  if (!has_program("zsh")) GTEST_SKIP() << "the package zsh is not installed";
  const Program program;
  // Outside of an interactive shell its helpers are replaced by ones that print.
  program.write_file("try.zsh", R"(compdef() { :; }
_describe() { local name=${@[-1]}; print -l -- ${(P)name}; }
compadd() { print -l -- "$@"; }
source <(mizan completion zsh)
words=(mizan wallet cr); CURRENT=3; _mizan
words=(mizan wallet create --cu); CURRENT=4; _mizan
words=(mizan transfer --strategy o); CURRENT=4; _mizan
)");
  const Ran ran = program.shell("zsh -f try.zsh");
  EXPECT_THAT(ran.out, HasSubstr("create:Create a wallet\n")) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("--currency:"));
  EXPECT_THAT(ran.out, HasSubstr("optimistic\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("deposit:")));
}

TEST(CliCompletion, fish_completes_commands_options_and_values) {
  if (!has_program("fish")) GTEST_SKIP() << "the package fish is not installed";
  const Program program;
  program.write_file("try.fish", R"(mizan completion fish | source
complete -C 'mizan wallet cr'
complete -C 'mizan --store x wallet create --cu'
complete -C 'mizan transfer --strategy o'
)");
  const Ran ran = program.shell("HOME=$PWD fish --no-config try.fish");
  EXPECT_THAT(ran.out, HasSubstr("create\tCreate a wallet\n")) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("--currency\t"));
  EXPECT_THAT(ran.out, HasSubstr("optimistic\t"));
  EXPECT_THAT(ran.out, Not(HasSubstr("deposit\t")));
}

TEST(CliTerminal, colours_are_for_terminals_that_want_them) {
  if (!has_program("script")) GTEST_SKIP() << "the package bsdutils is not installed";
  const Program program;
  program.make_ledger();
  const std::string at_terminal = "script -qec 'mizan wallet list' /dev/null";
  EXPECT_THAT(program.shell("TERM=xterm " + at_terminal).out, HasSubstr("\x1b[32mactive"));
  EXPECT_THAT(program.shell("NO_COLOR=1 TERM=xterm " + at_terminal).out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(program.shell("TERM=dumb " + at_terminal).out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(program.shell("TERM=xterm script -qec 'mizan wallet list --json' /dev/null").out,
              Not(HasSubstr("\x1b[")));
}

}  // namespace
}  // namespace mizan::integration
