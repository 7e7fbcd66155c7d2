#include "cli/reference.hpp"

#include "base/random.hpp"
#include "cli/application.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

namespace mizan::cli {
namespace {

Command whole_tree() {
  static const Wiring wiring{.clock = system_clock(),
                             .random = system_random(),
                             .environment = {},
                             .open_store = {},
                             .open_lock = {},
                             .subcommands = {}};
  return make_root(wiring);
}

/// MIZAN_WRITE_REFERENCE=1 writes the file instead.
void expect_fresh(const std::string& name, const std::string& text) {
  const std::string path = std::string(MIZAN_SOURCE_DIR) + "/docs/reference/" + name;
  if (std::getenv("MIZAN_WRITE_REFERENCE") != nullptr) std::ofstream(path) << text;
  std::ifstream stream(path);
  const std::string there(std::istreambuf_iterator<char>(stream), {});
  EXPECT_EQ(there, text) << path << " is out of date; run this test with MIZAN_WRITE_REFERENCE=1";
}

TEST(Reference, the_page_of_the_command_line_is_what_the_commands_say) {
  expect_fresh("cli.md", cli_reference(whole_tree()));
}

TEST(Reference, the_page_of_the_settings_is_what_the_table_says) {
  expect_fresh("config.md", config_reference());
}

void for_each(Path& path, const std::function<void(const Path&)>& visit) {
  visit(path);
  for (const Command& child : path.back()->children) {
    path.push_back(&child);
    for_each(path, visit);
    path.pop_back();
  }
}

TEST(Help, every_command_has_a_summary_an_example_and_exit_statuses) {
  const Command root = whole_tree();
  Path start{&root};
  for_each(start, [](const Path& path) {
    const Command& command = *path.back();
    const std::string name = full_name(path);
    EXPECT_FALSE(command.summary.empty()) << name;
    EXPECT_EQ(command.summary.find('\n'), std::string::npos) << name;
    const bool leaf = command.children.empty();
    EXPECT_EQ(leaf, static_cast<bool>(command.run)) << name;
    if (leaf && !command.takes_everything) {
      EXPECT_FALSE(command.examples.empty()) << name;
    }
    for (const Example& example : command.examples) {
      EXPECT_NE(example.line.find("mizan"), std::string::npos) << name;
    }
    for (const Option& option : command.options) {
      EXPECT_FALSE(option.help.empty()) << name << " " << option.name;
    }
    const std::string text = help_text(path, Style(false));
    EXPECT_NE(text.find("Exit status"), std::string::npos) << name;
    EXPECT_EQ(text.find(" \n"), std::string::npos) << "white space at the end of a line: " << name;
  });
}

TEST(Completion, each_shell_hears_of_each_command) {
  const Command root = whole_tree();
  for (const std::string& script :
       {bash_completion(root), zsh_completion(root), fish_completion(root)}) {
    for (const Command& command : root.children) {
      EXPECT_NE(script.find(command.name), std::string::npos) << command.name;
    }
  }
}

}  // namespace
}  // namespace mizan::cli
