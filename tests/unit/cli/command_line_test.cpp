#include "cli/command_line.hpp"

#include "cli/nearest.hpp"
#include "cli/parser.hpp"
#include "cli/settings.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

using Words = std::vector<std::string>;

Command example_root() {
  Command create;
  create.name = "create";
  create.arguments = {{.name = "ID", .help = ""}, {.name = "NOTE", .help = "", .required = false}};
  create.options = {{.name = "--currency", .values = {"CUR"}, .required = true},
                    {.name = "--metadata", .values = {"K=V"}, .repeatable = true},
                    {.name = "--leg", .values = {"FROM", "TO", "AMOUNT"}, .repeatable = true},
                    {.name = "--dry-run"}};
  Command wallet;
  wallet.name = "wallet";
  wallet.children = {create};
  Command run;
  run.name = "run";
  run.arguments = {{.name = "RESOURCE", .help = ""}};
  run.takes_command_line = true;
  Command prove;
  prove.name = "prove";
  prove.takes_everything = true;
  Command root;
  root.name = "mizan";
  root.children = {wallet, run, prove};
  return root;
}

Result<Arguments, UsageError> parse_usage(const Words& words) {
  const Command root = example_root();
  auto resolved = resolve(root, words);
  if (!resolved) return UsageError{std::move(resolved).error()};
  return parse(*resolved->path.back(), global_options(), resolved->words);
}

Result<Arguments> parse_words(const Words& words) {
  auto arguments = parse_usage(words);
  if (!arguments) return std::move(arguments).error().error;
  return *std::move(arguments);
}

std::string_view field_code_of(const Words& words) {
  auto arguments = parse_usage(words);
  return arguments ? "" : arguments.error().field_code;
}

std::string problem_of(const Words& words) {
  auto arguments = parse_words(words);
  return arguments ? "" : arguments.error().detail;
}

TEST(CommandLine, what_is_missing_or_unknown_is_told_from_a_wrong_value) {
  EXPECT_EQ(field_code_of({"wallet", "create", "--currency", "EUR"}), "missing");
  EXPECT_EQ(field_code_of({"wallet", "create", "alice"}), "missing");
  EXPECT_EQ(field_code_of({"run", "payout"}), "missing");
  EXPECT_EQ(field_code_of({"run", "payout", "--"}), "missing");
  EXPECT_EQ(field_code_of({"wallet", "create", "alice", "--no-such-option"}), "unknown_field");
  EXPECT_EQ(field_code_of({"run", "payout", "one too many", "--", "true"}), "unknown_field");
  EXPECT_EQ(field_code_of({"wallet", "create", "alice", "--currency="}), "invalid_value");
  EXPECT_EQ(field_code_of({"wallet", "create", "alice", "--dry-run=yes"}), "invalid_value");
}

TEST(CommandLine, options_stand_anywhere_also_before_the_command) {
  auto arguments = parse_words(
      {"--store", "wallet", "wallet", "--json", "create", "--currency=EUR", "alice", "--dry-run"});
  ASSERT_TRUE(arguments) << arguments.error().detail;
  EXPECT_EQ(arguments->require("ID"), "alice");
  EXPECT_EQ(arguments->require("--currency"), "EUR");
  EXPECT_EQ(arguments->require("--store"), "wallet");
  EXPECT_TRUE(arguments->has("--json"));
  EXPECT_TRUE(arguments->has("--dry-run"));
  EXPECT_FALSE(arguments->has("NOTE"));
}

TEST(CommandLine, an_option_of_three_values_takes_three_each_time) {
  auto arguments = parse_words({"wallet",
                                "create",
                                "--leg",
                                "a",
                                "b",
                                "1",
                                "x",
                                "--leg",
                                "c",
                                "d",
                                "2",
                                "--currency",
                                "EUR",
                                "--metadata",
                                "k=v",
                                "note"});
  ASSERT_TRUE(arguments) << arguments.error().detail;
  EXPECT_EQ(arguments->all("--leg"), (Words{"a", "b", "1", "c", "d", "2"}));
  EXPECT_EQ(arguments->require("ID"), "x");
  EXPECT_EQ(arguments->all("--metadata"), Words{"k=v"});
  EXPECT_EQ(arguments->require("NOTE"), "note");
}

TEST(CommandLine, a_value_may_be_negative_empty_or_in_brackets) {
  auto arguments = parse_words(
      {"wallet", "create", "x", "--currency", "-5", "--metadata", "[a,b]", "--metadata", ""});
  ASSERT_TRUE(arguments) << arguments.error().detail;
  EXPECT_EQ(arguments->require("--currency"), "-5");
  EXPECT_EQ(arguments->all("--metadata"), (Words{"[a,b]", ""}));
}

TEST(CommandLine, an_equals_sign_never_takes_the_next_word) {
  const Words create{"wallet", "create", "x", "--currency", "EUR"};
  const auto with = [&](const Words& more) {
    Words words = create;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  EXPECT_EQ(problem_of(with({"--metadata=", "--dry-run"})), "option --metadata has an empty value");
  EXPECT_EQ(problem_of(with({"--leg=", "a", "b", "1"})), "option --leg has an empty value");
  EXPECT_EQ(problem_of(with({"--store=", "y"})), "option --store has an empty value");
  EXPECT_EQ(problem_of(with({"--dry-run=false"})), "option --dry-run takes no value");
  EXPECT_EQ(problem_of(with({"--metadata=k="})), "");
  EXPECT_EQ(problem_of(with({"--metadata", "--store="})), "") << "a value";
  EXPECT_EQ(problem_of(with({"---dry-run"})),
            "there is no option ---dry-run; did you mean --dry-run?");
  EXPECT_NE(problem_of(with({"--!run"})), "");
  EXPECT_EQ(problem_of(with({"--", "note", "--json"})),
            "'--json' after -- is one argument too many; options go before --");
  EXPECT_EQ(problem_of(with({"--", "--store="})), "") << "an argument, here NOTE";
}

TEST(CommandLine, after_two_dashes_nothing_is_an_option) {
  auto arguments = parse_words({"wallet", "create", "--currency", "EUR", "--", "-5", "--json"});
  ASSERT_TRUE(arguments) << arguments.error().detail;
  EXPECT_EQ(arguments->require("ID"), "-5");
  EXPECT_EQ(arguments->require("NOTE"), "--json");
}

TEST(CommandLine, the_words_after_two_dashes_are_left_as_they_are) {
  auto arguments = parse_words({"run", "r", "--json", "--", "sh", "--json", "-c", "--"});
  ASSERT_TRUE(arguments) << arguments.error().detail;
  EXPECT_EQ(arguments->rest(), (Words{"sh", "--json", "-c", "--"}));
  EXPECT_NE(problem_of({"run", "r", "sh"}), "");
  EXPECT_NE(problem_of({"run", "r", "--"}), "");
  EXPECT_FALSE(wants_json({"run", "r", "--", "--json"}));
  EXPECT_TRUE(wants_json({"run", "--json", "r"}));
}

TEST(CommandLine, a_command_of_others_gets_its_words_untouched) {
  const Command root = example_root();
  auto resolved = resolve(root, {"--store", "x", "prove", "--seed", "5", "--help", "--"});
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->path.back()->name, "prove");
  EXPECT_EQ(resolved->rest, (Words{"--seed", "5", "--help", "--"}));
  EXPECT_EQ(resolved->words, (Words{"--store", "x"}));
  EXPECT_FALSE(resolved->help);
}

TEST(CommandLine, what_is_wrong_is_named_with_what_was_meant) {
  EXPECT_EQ(problem_of({"walet"}),
            "there is no command 'mizan walet'; did you mean 'mizan wallet'?");
  EXPECT_EQ(problem_of({"xyzzy"}), "there is no command 'mizan xyzzy'; `mizan --help` lists them");
  EXPECT_EQ(problem_of({"wallet", "create", "--currency", "EUR"}), "ID is missing");
  EXPECT_EQ(problem_of({"wallet", "create", "a"}), "--currency CUR is missing");
  EXPECT_EQ(problem_of({"wallet", "create", "a", "--curency", "EUR"}),
            "there is no option --curency; did you mean --currency?");
  EXPECT_EQ(problem_of({"wallet", "create", "a", "b", "c", "--currency", "EUR"}),
            "'c' is one argument too many");
  EXPECT_EQ(problem_of({"wallet", "create", "a", "--currency", "EUR", "--refusals", "maybe"}),
            "--refusals is one of retryable, final, not 'maybe'");
  EXPECT_NE(problem_of({"wallet", "create", "a", "--currency", "EUR", "--currency", "USD"}), "");
  EXPECT_NE(problem_of({"wallet", "create", "a", "--currency"}), "");
}

TEST(CommandLine, help_and_version_have_all_their_usual_forms) {
  const Command root = example_root();
  for (const Words& words : {Words{"help", "wallet", "create"},
                             Words{"wallet", "create", "--help"},
                             Words{"wallet", "-h", "create", "x"}}) {
    auto resolved = resolve(root, words);
    ASSERT_TRUE(resolved);
    EXPECT_TRUE(resolved->help);
    EXPECT_EQ(resolved->path.back()->name, "create");
  }
}

TEST(Nearest, counts_slips_of_the_finger) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("wallet", "wallet"), 0U);
  EXPECT_EQ(edit_distance("walet", "wallet"), 1U);
  EXPECT_EQ(edit_distance("wlalet", "wallet"), 1U) << "two neighbours swapped";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  const Words names{"deposit", "withdraw", "transfer"};
  EXPECT_EQ(nearest("depsoit", names), "deposit");
  EXPECT_EQ(nearest("x", names), std::nullopt);
  EXPECT_EQ(nearest(std::string(1'000'000, 'a'), names), std::nullopt) << "and at once";
}

}  // namespace
}  // namespace mizan::cli
