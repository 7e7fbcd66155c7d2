#include "cli/manual.hpp"

#include "cli/secret_variables.hpp"
#include "cli/settings.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan::cli {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Command tree(std::string description) {
  Command leaf{.name = "leaf",
               .summary = "Does it",
               .description = std::move(description),
               .options = {{.name = "--if-version", .values = {"WALLET=N"}, .help = "Only then"}},
               .examples = {{"mizan leaf", "The example"}},
               .run = [](const Arguments&, Context&) { return 0; }};
  return {.name = "mizan", .summary = "It", .description = "All", .children = {leaf}};
}

TEST(Manual, says_all_that_a_command_says) {
  const std::string page = program_manual(tree("Plain words"));
  EXPECT_TRUE(holds(page, ".SS mizan leaf [\\-\\-if\\-version WALLET=N]\nDoes it.\n"));
  EXPECT_TRUE(holds(page, "Plain words"));
  EXPECT_TRUE(holds(page, "\\fB\\-\\-if\\-version WALLET=N\\fR\nOnly then\n"));
  EXPECT_TRUE(holds(page, "The example:"));
  EXPECT_TRUE(holds(page, ".SH EXIT STATUS"));
}

// In man(7) a line that begins with a point or a quote is a request, and a backslash an escape.
TEST(Manual, text_is_never_a_request_or_an_escape) {
  const std::string page = program_manual(tree(".5 is no amount\n'quoted' and a\\b"));
  EXPECT_TRUE(holds(page, "\n\\&.5 is no amount\n\\&'quoted' and a\\eb\n"));
}

TEST(Manual, names_every_setting) {
  const std::string page = settings_manual();
  for (const SettingKind& kind : setting_kinds()) {
    EXPECT_TRUE(holds(page, ".TP\n\\fB" + kind.key + "\\fR\n")) << kind.key;
  }
}

TEST(Manual, names_the_variables_that_hold_secrets) {
  for (const std::string& page : {program_manual(tree("It")), settings_manual()}) {
    EXPECT_TRUE(holds(page, ".SH ENVIRONMENT\n"));
    for (const SecretVariable& variable : secret_variables) {
      EXPECT_TRUE(holds(page, std::string(variable.names))) << variable.names;
    }
  }
}

}  // namespace
}  // namespace mizan::cli
