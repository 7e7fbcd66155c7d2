#include "prover/run.hpp"

#include "prover/mutants/mutants.hpp"
#include "prover/options.hpp"
#include "prover/report/report.hpp"
#include "prover/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

namespace mizan::prover {
namespace {

using ::testing::HasSubstr;

Run make_run() {
  return Run("a-scenario", RunOptions{});
}

TEST(ProverRun, passes_when_everything_holds) {
  auto run = make_run();
  run.expect(true, "unused");
  run.sometimes("a fault landed", 1);
  EXPECT_EQ(run.finish().verdict, Verdict::pass);
}

TEST(ProverRun, is_inconclusive_when_the_fault_never_happened) {
  auto run = make_run();
  run.expect(true, "unused");
  run.sometimes("a fault landed", 0);
  const ScenarioResult result = run.finish();
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.reason, HasSubstr("a fault landed"));
}

TEST(ProverRun, fails_on_a_violation_even_when_something_else_never_happened) {
  auto run = make_run();
  run.sometimes("a fault landed", 0);
  run.expect(false, "eleven of ten");
  EXPECT_EQ(run.finish().verdict, Verdict::fail);
}

TEST(ProverRun, says_that_it_could_not_run) {
  auto run = make_run();
  run.could_not_run(unavailable("store", "gone"));
  run.could_not_run(unavailable("store", "second"));
  const ScenarioResult result = run.finish();
  EXPECT_EQ(result.verdict, Verdict::could_not_run);
  EXPECT_EQ(result.reason, "store: gone");
}

TEST(Report, gives_each_verdict_its_exit_status) {
  EXPECT_EQ(exit_status_of(Verdict::pass), 0);
  EXPECT_EQ(exit_status_of(Verdict::skipped), 0);
  EXPECT_EQ(exit_status_of(Verdict::fail), 1);
  EXPECT_EQ(exit_status_of(Verdict::inconclusive), 2);
  EXPECT_EQ(exit_status_of(Verdict::could_not_run), 3);
}

TEST(Report, the_worst_verdict_is_the_verdict) {
  std::array<ScenarioResult, 3> results;
  EXPECT_EQ(overall(results), Verdict::pass);
  results[1].verdict = Verdict::inconclusive;
  EXPECT_EQ(overall(results), Verdict::inconclusive);
  results[2].verdict = Verdict::fail;
  results[0].verdict = Verdict::could_not_run;
  EXPECT_EQ(overall(results), Verdict::fail);
}

TEST(Report, a_violation_cannot_break_the_line_it_is_printed_on) {
  ScenarioResult result;
  result.name = "x";
  result.verdict = Verdict::fail;
  result.reason = "wallet \x1b[2J\nPASS";
  const std::string line = table_line(result, false);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_EQ(line.find("\nPASS"), std::string::npos);
}

TEST(Report, a_witness_is_shown_with_its_quotes_and_cut_where_it_is_long) {
  CatchResult result;
  result.scenario = "x";
  result.witness = "{\"wallet\":\"alice\"}\x1b[2J";
  const std::string line = catch_line(result, false);
  EXPECT_THAT(line, HasSubstr("{\"wallet\":\"alice\"}"));
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  result.witness = std::string(100, '"') + std::string(100, 'a');
  EXPECT_THAT(catch_line(result, false),
              HasSubstr(std::string(100, '"') + std::string(60, 'a') + "…"));
}

TEST(Scenarios, have_names_of_their_own_and_a_mutant_each) {
  std::set<std::string_view> names;
  for (const Scenario& scenario : scenarios()) {
    EXPECT_TRUE(names.insert(scenario.name).second) << scenario.name;
    EXPECT_FALSE(scenario.catches.empty()) << scenario.name;
    EXPECT_EQ(find_scenario(scenario.name), &scenario);
    for (const ExpectedCatch& each : scenario.catches) {
      EXPECT_FALSE(describe_invariant(each.invariant).empty()) << each.invariant;
      EXPECT_FALSE(describe_mutant(each.mutant).empty()) << each.mutant;
    }
  }
  EXPECT_EQ(find_scenario("no-such"), nullptr);
}

TEST(ProveOptions, take_scenarios_and_options_in_any_order) {
  const std::array<std::string_view, 5> words{"numbers", "--seed", "7", "retry-once", "--json"};
  const auto options = parse_prove_options(words);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->scenarios, (std::vector<std::string>{"numbers", "retry-once"}));
  EXPECT_EQ(options->seed, 7U);
  EXPECT_TRUE(options->json);
}

TEST(ProveOptions, refuse_what_they_do_not_know) {
  for (const std::string_view word : {"no-such", "--no-such", "--seed"}) {
    EXPECT_FALSE(parse_prove_options(std::array{word})) << word;
  }
  EXPECT_FALSE(parse_prove_options(std::array<std::string_view, 2>{"--seed", "-1"}));
  EXPECT_FALSE(parse_prove_options(std::array<std::string_view, 2>{"--strategy", "naive"}));
  EXPECT_FALSE(parse_prove_options(std::array<std::string_view, 3>{"--lab", "--engine", "oracle"}));
  EXPECT_FALSE(parse_prove_options(std::array<std::string_view, 2>{"--engine", "postgres"}))
      << "only the lab has engines";
  EXPECT_FALSE(parse_prove_options(std::array<std::string_view, 3>{"--lab", "--store", "sqlite:"}))
      << "its servers or yours";
  EXPECT_FALSE(parse_prove_options(std::array<std::string_view, 3>{"--lab", "--lock", "none:"}))
      << "its lock or yours";
}

}  // namespace
}  // namespace mizan::prover
