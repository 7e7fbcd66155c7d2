#include "cli_program.hpp"
#include "testkit/eventually.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace mizan::integration {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class CliCommands : public ::testing::Test {
 protected:
  void SetUp() override { program_.make_ledger(); }

  Ran run(const Program::Words& words) { return program_.run(words); }

  /// The one JSON object that a command prints.
  json answer(Program::Words words, int status = 0) {
    words.emplace_back("--json");
    const Ran ran = program_.run(words);
    EXPECT_EQ(ran.status, status) << ran.out << ran.err;
    EXPECT_EQ(lines_of(ran.out).size(), 1U) << ran.out;
    return json::parse(ran.out, nullptr, false);
  }

  json balance(const std::string& wallet) { return answer({"wallet", "show", wallet})["balance"]; }

  Program program_;
};

TEST_F(CliCommands, a_repeated_operation_is_applied_once_and_answered_alike) {
  const json first = answer({"transfer", "alice", "bob", "12.34", "--id", "t1"});
  EXPECT_EQ(first["outcome"], "applied");
  EXPECT_EQ(first["type"], "transfer");
  EXPECT_EQ(first["legs"][0]["amount"], "1234");
  EXPECT_EQ(first["legs"][0]["from_balance"], "8766");
  json again = answer({"transfer", "alice", "bob", "12.34", "--id", "t1"});
  EXPECT_EQ(again["outcome"], "already_applied");
  again["outcome"] = "applied";
  EXPECT_EQ(again, first) << "the same receipt to the letter";
  EXPECT_EQ(balance("bob"), "1234");
  EXPECT_EQ(answer({"transfer", "alice", "bob", "12.35", "--id", "t1"}, 2)["code"],
            "operation_mismatch");
}

TEST_F(CliCommands, without_an_id_one_is_made_and_printed) {
  const json first = answer({"deposit", "alice", "1"});
  const json second = answer({"deposit", "alice", "1"});
  EXPECT_EQ(first["id"].get<std::string>().size(), 36U);
  EXPECT_EQ(first["id"].get<std::string>()[14], '7') << "UUID version 7";
  EXPECT_LT(first["id"].get<std::string>(), second["id"].get<std::string>());
  EXPECT_THAT(run({"deposit", "alice", "1"}).out, HasSubstr("deposit "));
}

TEST_F(CliCommands, a_refusal_says_what_is_missing_and_exits_with_2) {
  const Ran ran = run({"withdraw", "alice", "500"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err,
              HasSubstr("insufficient_funds: alice has 100.00 EUR available, 500.00 EUR "
                        "needed"));
  const json problem = answer({"withdraw", "alice", "500"}, 2);
  EXPECT_EQ(problem["code"], "insufficient_funds");
  EXPECT_EQ(problem["status"], 422);
  EXPECT_EQ(problem["available"], "10000");
  EXPECT_EQ(problem["needed"], "50000");
  EXPECT_EQ(problem["applied"], "no");
}

TEST_F(CliCommands, amounts_are_read_exactly_or_refused_with_the_reason) {
  EXPECT_EQ(run({"deposit", "alice", "0.01 EUR"}).status, 0);
  EXPECT_EQ(run({"deposit", "alice", "0.01", "EUR"}).status, 0);
  for (const char* amount : {"12.345", "1e3", "+5", ".5", "0x10", "NaN", "", "1,5", "007"}) {
    const Ran ran = run({"deposit", "alice", amount});
    EXPECT_EQ(ran.status, 1) << amount;
    EXPECT_THAT(ran.err, HasSubstr("mizan: ")) << amount;
  }
  EXPECT_EQ(answer({"deposit", "alice", "1 USD"}, 2)["code"], "currency_mismatch");
  EXPECT_THAT(run({"--json", "deposit", "alice", "--", "-5"}).out, HasSubstr("invalid_amount"));
  EXPECT_EQ(balance("alice"), "10002");
}

TEST_F(CliCommands, legs_apply_together_or_not_at_all) {
  EXPECT_EQ(
      answer({"transfer", "alice", "bob", "10", "--leg", "alice", "bob", "5.50"})["legs"].size(),
      2U);
  EXPECT_EQ(balance("bob"), "1550");
  answer({"transfer", "--leg", "alice", "bob", "1", "--leg", "bob", "alice", "1000"}, 2);
  EXPECT_EQ(balance("bob"), "1550");
}

TEST_F(CliCommands, a_dry_run_keeps_nothing) {
  const Ran ran = run({"deposit", "alice", "5", "--id", "dry", "--dry-run"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("would be applied"));
  EXPECT_EQ(answer({"operation", "show", "dry"}, 2)["code"], "operation_not_found");
  EXPECT_EQ(balance("alice"), "10000");
}

TEST_F(CliCommands, a_condition_on_the_version_is_checked) {
  EXPECT_EQ(run({"deposit", "alice", "1", "--if-version", "alice=1"}).status, 0);
  const json problem = answer({"deposit", "alice", "1", "--if-version", "alice=1"}, 2);
  EXPECT_EQ(problem["code"], "condition_failed");
  EXPECT_EQ(problem["failures"][0]["actual"], 2);
}

TEST_F(CliCommands, an_older_token_is_refused) {
  EXPECT_EQ(run({"deposit", "alice", "1", "--fence", "res=5:me"}).status, 0);
  EXPECT_EQ(run({"deposit", "alice", "1", "--fence", "res=5:me"}).status, 0);
  EXPECT_EQ(answer({"deposit", "alice", "1", "--fence", "res=5:you"}, 2)["code"], "stale_fence");
  EXPECT_EQ(answer({"deposit", "alice", "1", "--fence", "res=4:me"}, 2)["newest_token"], 5);
  EXPECT_EQ(run({"deposit", "alice", "1", "--fence", "env"}).status, 1);
}

TEST_F(CliCommands, every_strategy_gives_the_same_answer) {
  for (const char* strategy : {"batched", "atomic", "optimistic", "pessimistic"}) {
    const json receipt = answer({"deposit", "bob", "1", "--strategy", strategy});
    EXPECT_EQ(receipt["outcome"], "applied") << strategy;
  }
  EXPECT_EQ(balance("bob"), "400");
}

TEST_F(CliCommands, a_final_refusal_is_given_again) {
  const Program::Words words{"withdraw", "bob", "1", "--id", "w1", "--refusals", "final"};
  EXPECT_EQ(answer(words, 2)["code"], "insufficient_funds");
  EXPECT_EQ(run({"deposit", "bob", "5"}).status, 0);
  EXPECT_EQ(answer(words, 2)["code"], "insufficient_funds");
  EXPECT_EQ(balance("bob"), "500");
  EXPECT_EQ(answer({"operation", "show", "w1"}, 2)["code"], "insufficient_funds");
}

TEST_F(CliCommands, a_hold_is_captured_in_parts_and_voided) {
  const json hold = answer(
      {"hold", "create", "alice", "50", "--to", "bob", "--expires", "1h", "--id", "h"})["hold"];
  EXPECT_EQ(hold["status"], "open");
  EXPECT_EQ(hold["remaining"], "5000");
  EXPECT_EQ(answer({"wallet", "show", "alice"})["available"], "5000");
  EXPECT_EQ(answer({"hold", "capture", "h", "20", "--id", "c"})["hold"]["remaining"], "3000");
  EXPECT_EQ(answer({"hold", "capture", "h", "1", "USD"}, 2)["code"], "currency_mismatch");
  EXPECT_EQ(answer({"hold", "capture", "h", "31"}, 2)["code"], "limit_exceeded");
  EXPECT_EQ(answer({"hold", "void", "h"})["type"], "void");
  EXPECT_EQ(answer({"hold", "capture", "h"}, 2)["code"], "hold_not_open");
  EXPECT_EQ(answer({"hold", "capture", "none", "1"}, 2)["code"], "hold_not_found");
  EXPECT_EQ(answer({"hold", "show", "h"})["status"], "voided");
  EXPECT_EQ(answer({"operation", "show", "h"})["hold"]["remaining"], "5000");
  const json capture = answer({"operation", "show", "c"});
  EXPECT_EQ(capture["hold"]["status"], "open");
  EXPECT_EQ(capture["hold"]["remaining"], "3000");
  EXPECT_EQ(answer({"hold", "capture", "h", "20", "--id", "c"})["hold"], capture["hold"]);
  EXPECT_EQ(answer({"wallet", "show", "alice"})["available"], "8000");
}

TEST_F(CliCommands, a_hold_is_over_when_its_deadline_comes_though_nothing_is_written) {
  answer({"hold", "create", "alice", "50", "--expires", "1ms", "--id", "h"});
  ASSERT_TRUE(testkit::eventually([this] {
    return answer({"hold", "show", "h"})["status"] == "expired";
  }));
  EXPECT_EQ(answer({"hold", "show", "h"})["remaining"], "0");
  EXPECT_EQ(answer({"wallet", "show", "alice"})["available"], "10000");
  EXPECT_EQ(answer({"wallet", "show", "alice"})["held"], "0");
  EXPECT_EQ(answer({"verify"})["violations"], json::array());
  EXPECT_EQ(answer({"operation", "show", "h"})["hold"]["status"], "open") << "as it was made";
}

TEST_F(CliCommands, an_operation_is_reversed_once) {
  run({"transfer", "alice", "bob", "7", "--id", "t"});
  EXPECT_EQ(answer({"reverse", "t", "--id", "r"})["reverses"], "t");
  EXPECT_EQ(answer({"reverse", "t"}, 2)["code"], "already_reversed");
  EXPECT_EQ(answer({"reverse", "nothing"}, 2)["code"], "operation_not_found");
  EXPECT_EQ(answer({"operation", "show", "t"})["reversed_by"], "r");
  EXPECT_EQ(balance("bob"), "0");
}

TEST_F(CliCommands, wallets_are_frozen_closed_and_listed) {
  EXPECT_EQ(answer({"wallet", "freeze", "bob"})["status"], "frozen");
  EXPECT_EQ(answer({"deposit", "bob", "1"}, 2)["code"], "wallet_frozen");
  EXPECT_EQ(answer({"wallet", "unfreeze", "bob"})["status"], "active");
  EXPECT_EQ(answer({"wallet", "close", "alice"}, 2)["code"], "limit_exceeded");
  EXPECT_EQ(answer({"wallet", "close", "bob"})["status"], "closed");
  EXPECT_EQ(answer({"wallet", "close", "bob"})["status"], "closed") << "as often as one likes";
  EXPECT_EQ(answer({"wallet", "freeze", "nobody"}, 2)["code"], "wallet_not_found");
  const auto page = lines_of(run({"wallet", "list", "--limit", "1", "--json"}).out);
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(json::parse(page[0])["id"], "alice");
  const std::string cursor = json::parse(page[1])["next_cursor"];
  const auto rest = lines_of(run({"wallet", "list", "--cursor", cursor, "--json"}).out);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(json::parse(rest[0])["id"], "bob");
}

TEST_F(CliCommands, creating_a_wallet_again_is_no_error_and_with_another_currency_it_is) {
  const json wallet = answer({"wallet",
                              "create",
                              "shop",
                              "--currency",
                              "JPY",
                              "--min-balance",
                              "-500",
                              "--metadata",
                              "city=Berlin"});
  EXPECT_EQ(wallet["min_balance"], "-500");
  EXPECT_EQ(wallet["metadata"]["city"], "Berlin");
  EXPECT_EQ(run({"wallet", "create", "shop", "--currency", "JPY", "--min-balance", "-500"}).status,
            0);
  EXPECT_EQ(answer({"wallet", "create", "shop", "--currency", "EUR"}, 2)["code"], "wallet_exists");
  EXPECT_EQ(run({"wallet", "create", "@mine", "--currency", "EUR"}).status, 1);
  EXPECT_EQ(answer({"withdraw", "shop", "500"})["legs"][0]["from_balance"], "-500");
  EXPECT_EQ(answer({"wallet",
                    "create",
                    "free",
                    "--currency",
                    "EUR",
                    "--min-balance",
                    "none"})["min_balance"],
            nullptr);
}

TEST_F(CliCommands, the_past_and_the_world_can_be_looked_at) {
  run({"withdraw", "alice", "30"});
  EXPECT_EQ(answer({"wallet", "show", "alice", "--version", "1"})["balance"], "10000");
  EXPECT_EQ(answer({"wallet", "show", "alice", "--at", "2020-01-01"})["balance"], "0");
  EXPECT_EQ(run({"wallet", "show", "alice", "--version", "9"}).status, 1);
  EXPECT_EQ(run({"wallet", "show", "alice", "--at", "yesterday"}).status, 1);
  EXPECT_EQ(answer({"wallet", "show", "@world/EUR"})["balance"], "-7000");
}

TEST_F(CliCommands, a_statement_is_newest_first_and_paged) {
  run({"withdraw", "alice", "30", "--id", "second", "--metadata", "why=rent"});
  const auto page = lines_of(run({"statement", "alice", "--limit", "1", "--json"}).out);
  ASSERT_EQ(page.size(), 2U);
  const json entry = json::parse(page[0]);
  EXPECT_EQ(entry["operation"], "second");
  EXPECT_EQ(entry["change"], "-3000");
  EXPECT_EQ(entry["metadata"]["why"], "rent");
  const std::string cursor = json::parse(page[1])["next_cursor"];
  const auto rest = lines_of(run({"statement", "alice", "--cursor", cursor, "--json"}).out);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(json::parse(rest[0])["operation"], "first");
  EXPECT_EQ(run({"statement", "alice", "--to", "2020-01-01", "--json"}).out, "");
  EXPECT_EQ(answer({"statement", "nobody"}, 2)["code"], "wallet_not_found");
}

TEST_F(CliCommands, a_currency_is_registered_once_for_good) {
  EXPECT_EQ(run({"currency", "add", "POINTS", "0"}).status, 0);
  EXPECT_EQ(run({"currency", "add", "POINTS", "0"}).status, 0);
  EXPECT_NE(run({"currency", "add", "POINTS", "2"}).status, 0);
  EXPECT_NE(run({"currency", "add", "EUR", "3"}).status, 0);
  EXPECT_EQ(run({"currency", "add", "POINTS", "19"}).status, 1);
  EXPECT_EQ(answer({"currency", "list", "--registered"})["code"], "POINTS");
}

TEST_F(CliCommands, verify_and_doctor_report) {
  EXPECT_EQ(answer({"verify"})["violations"], json::array());
  EXPECT_THAT(run({"verify"}).out, HasSubstr("everything agrees: 2 wallets"));
  const Ran doctor = run({"doctor", "--json"});
  EXPECT_EQ(doctor.status, 0) << doctor.out;
  for (const std::string& line : lines_of(doctor.out)) {
    EXPECT_NE(json::parse(line)["level"], "problem") << line;
  }
  EXPECT_THAT(run({"migrate"}).out, HasSubstr("up to date"));
  EXPECT_EQ(run({"init"}).status, 0) << "safe to repeat";
  EXPECT_EQ(balance("alice"), "10000");
}

TEST_F(CliCommands, nothing_of_a_user_reaches_the_terminal_raw) {
  const Ran ran = run({"deposit", "alice\x1b[2J", "1"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"\x1b[2Jxyz"}).err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"wallet", "list"}).out, Not(HasSubstr("\x1b"))) << "no colours into a pipe";
}

TEST_F(CliCommands, stores_that_are_not_built_in_say_what_is) {
  const Ran other = run({"wallet", "list", "--store", "oracle://example.com/secret"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("this build has sqlite:FILE"));
  EXPECT_THAT(other.err, HasSubstr("http://"));
  for (const char* url : {"http://localhost", "https://localhost"}) {
    const Ran ran = run({"deposit", "alice", "1", "--lock", url});
    EXPECT_EQ(ran.status, 1) << url;
    EXPECT_THAT(ran.err, HasSubstr("a server brings its locks along"));
    EXPECT_THAT(ran.err, HasSubstr("say --store http"));
    EXPECT_THAT(ran.err, HasSubstr("this build has none:, store:, memory:"));
  }
  for (const char* url : {"rediss://:secret@h:x", "redis+sentinel://:secret@h", "redis://"}) {
    const Ran ran = run({"deposit", "alice", "1", "--lock", url});
    EXPECT_EQ(ran.status, 1) << url;
    EXPECT_THAT(ran.err, Not(HasSubstr("secret")));
  }
  EXPECT_THAT(run({"wallet", "list", "--store", "sqlite:none.db"}).err, HasSubstr("mizan init"));
  EXPECT_EQ(run({"wallet", "list", "--store", "memory:"}).status, 0);
}

TEST_F(CliCommands, settings_tell_where_they_come_from) {
  program_.write_file("c.conf", "deadline = 7s\n");
  const auto settings = lines_of(
      program_.shell("MIZAN_LOCK=store: mizan config show --config c.conf --refusals final --json")
          .out);
  ASSERT_GE(settings.size(), 4U);
  std::vector<std::string> origins;
  for (const std::string& line : settings) {
    const json setting = json::parse(line);
    origins.push_back(setting["setting"].get<std::string>() + "=" +
                      setting["value"].get<std::string>() + " " +
                      setting["origin"].get<std::string>());
  }
  EXPECT_THAT(origins,
              ::testing::IsSupersetOf({"store=sqlite:mizan.db default",
                                       "lock=store: environment",
                                       "deadline=7s file",
                                       "refusals=final option"}));
}

TEST_F(CliCommands, an_operation_under_a_lock_is_fenced_by_it) {
  EXPECT_EQ(answer({"transfer", "alice", "bob", "1", "--lock", "store:"})["outcome"], "applied");
  EXPECT_EQ(answer({"transfer", "alice", "bob", "1", "--lock", "memory:"})["outcome"], "applied");
}

TEST_F(CliCommands, a_reader_that_leaves_early_causes_no_storm) {
  const Ran ran = program_.shell("(mizan currency list; echo $? >status) | head -n 1");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(program_.read_file("status"), "0\n");
  EXPECT_EQ(program_.shell("mizan currency list >/dev/full").status, 5);
}

TEST_F(CliCommands, one_process_owns_the_file_and_readers_stand_beside_it) {
  // The owner is an import that waits for its input.
  const Ran ran = program_.shell(
      "mkfifo pipe; mizan import - <pipe & exec 3>pipe; "
      "for i in $(seq 200); do mizan deposit alice 1 --json >blocked; s=$?; "
      "[ $s = 3 ] && break; sleep 0.05; done; echo $s; mizan wallet show alice >reader; echo $?; "
      "exec 3>&-; wait; mizan deposit alice 1 >free; echo $?");
  EXPECT_EQ(ran.out.substr(0, 4), "3\n0\n") << ran.out << ran.err;
  EXPECT_EQ(ran.out.substr(ran.out.size() - 2), "0\n");
  EXPECT_EQ(json::parse(program_.read_file("blocked"))["code"], "unavailable");
  EXPECT_THAT(program_.read_file("blocked"), HasSubstr("process")) << "says who holds it";
}

TEST_F(CliCommands, usage_errors_exit_with_1_and_suggest) {
  EXPECT_THAT(run({"transfr"}).err, HasSubstr("did you mean 'mizan transfer'?"));
  EXPECT_THAT(run({"transfer", "--idd", "x"}).err, HasSubstr("did you mean --id?"));
  for (const Program::Words& words : {Program::Words{},
                                      {"wallet"},
                                      {"deposit"},
                                      {"deposit", "a"},
                                      {"export", "--format", "pdf"},
                                      {"statement", "alice", "--limit", "0"},
                                      {"wallet", "create", "x"}}) {
    EXPECT_EQ(run(words).status, 1) << ::testing::PrintToString(words);
  }
  const json problem = answer({"deposit", "alice"}, 1);
  EXPECT_EQ(problem["code"], "invalid_request");
}

TEST_F(CliCommands, help_is_complete_and_version_is_told) {
  const Ran help = run({"wallet", "create", "--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* part : {"Usage", "Arguments", "Options", "Examples", "Exit status"}) {
    EXPECT_THAT(help.out, HasSubstr(part));
  }
  EXPECT_EQ(run({"help", "wallet", "create"}).out, help.out);
  EXPECT_EQ(run({"--version"}).out, run({"version"}).out);
  EXPECT_TRUE(answer({"version"})["version"].is_string());
}

TEST_F(CliCommands, a_dry_run_creates_no_wallet) {
  EXPECT_EQ(run({"wallet", "create", "carol", "--currency", "EUR", "--dry-run"}).status, 0);
  EXPECT_EQ(run({"wallet", "show", "carol"}).status, 2);
}

TEST_F(CliCommands, an_empty_value_is_refused_and_moves_nothing) {
  const Ran ran = run({"transfer", "alice", "bob", "1", "--id=", "--dry-run"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("option --id has an empty value"));
  EXPECT_EQ(balance("bob"), "0");
}

TEST_F(CliCommands, where_a_wallet_is_missing_the_order_of_refusals_stays) {
  answer({"deposit", "alice", "1", "--id", "d1", "--fence", "r=5"});
  EXPECT_EQ(answer({"withdraw", "ghost", "1", "--fence", "r=4"}, 2)["code"], "stale_fence");
  EXPECT_EQ(answer({"withdraw", "ghost", "1", "--id", "d1"}, 2)["code"], "operation_mismatch");
  EXPECT_EQ(answer({"withdraw", "ghost", "1"}, 2)["code"], "wallet_not_found");
  EXPECT_EQ(answer({"hold", "capture", "h", "1", "--fence", "r=4"}, 2)["code"], "stale_fence");
  EXPECT_EQ(answer({"hold", "capture", "h", "1", "--id", "d1"}, 2)["code"], "operation_mismatch");
  EXPECT_EQ(answer({"hold", "capture", "h", "1"}, 2)["code"], "hold_not_found");
}

TEST_F(CliCommands, a_final_refusal_is_kept_when_the_currency_is_stated_else_it_says_so) {
  const Program::Words stated{"withdraw", "ghost", "1 EUR", "--id", "w1", "--refusals", "final"};
  const Program::Words bare{"withdraw", "ghost", "1", "--id", "w2", "--refusals", "final"};
  EXPECT_EQ(answer(stated, 2)["code"], "wallet_not_found");
  EXPECT_THAT(run(bare).err, HasSubstr("this refusal is not kept with the id"));
  run({"wallet", "create", "ghost", "--currency", "EUR"});
  run({"deposit", "ghost", "5"});
  EXPECT_EQ(answer(stated, 2)["code"], "wallet_not_found") << "kept";
  EXPECT_EQ(answer(bare)["outcome"], "applied") << "not kept, as it said";
}

TEST_F(CliCommands, the_world_has_no_past) {
  const Ran ran = run({"wallet", "show", "@world/EUR", "--version", "1"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("no entries of its own"));
  EXPECT_EQ(run({"wallet", "show", "@world/EUR", "--at", "2020-01-01"}).status, 1);
  EXPECT_EQ(run({"wallet", "show", "@world/EUR"}).status, 0);
  const Ran statement = run({"statement", "@world/EUR"});
  EXPECT_EQ(statement.status, 1);
  EXPECT_THAT(statement.err, HasSubstr("no entries of its own"));
}

TEST_F(CliCommands, a_limit_on_file_sizes_is_an_error_and_no_signal) {
  const Ran ran = program_.shell("ulimit -f 1; mizan deposit alice 1");
  EXPECT_GT(ran.status, 0);
  EXPECT_LT(ran.status, 128) << ran.err;
}

TEST_F(CliCommands, usage_errors_of_the_prover_exit_as_all_do) {
  EXPECT_EQ(run({"prove", "--no-such-option"}).status, 1);
  EXPECT_EQ(run({"demo", "--no-such-option"}).status, 1);
}

TEST_F(CliCommands, a_wallet_that_cannot_be_closed_is_told_with_what_helps) {
  run({"deposit", "alice", "5.00"});
  run({"hold", "create", "alice", "1.50"});
  const std::string has = run({"wallet", "close", "alice"}).err;
  EXPECT_THAT(has, HasSubstr(" EUR, and 1.50 EUR held: bring the balance to 0"));
  EXPECT_THAT(run({"wallet", "close", "nobody"}).err, HasSubstr("mizan wallet list"));
}

TEST_F(CliCommands, the_prover_refuses_in_json_where_json_was_asked_for) {
  const Ran ran = run({"prove", "no-such", "--json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "");
  const json problem = json::parse(ran.out);
  EXPECT_EQ(problem["code"], "invalid_request") << problem;
  EXPECT_EQ(problem["applied"], "no") << problem;
  EXPECT_THAT(std::string(problem["detail"]), HasSubstr("no scenario no-such"));
  EXPECT_FALSE(std::string(problem["request_id"]).empty());
}

TEST_F(CliCommands, the_prover_says_so_where_it_can_write_nothing) {
  const Ran homeless = program_.shell("TMPDIR=/nonexistent mizan prove numbers");
  EXPECT_EQ(homeless.status, 3);
  EXPECT_THAT(homeless.err, HasSubstr("no temporary directory"));
  const Ran kept = program_.shell("TMPDIR=/nonexistent mizan prove numbers --keep");
  EXPECT_EQ(kept.status, 3);
  const Ran unheard = run({"prove", "numbers", "--report", "/nonexistent/r.html"});
  EXPECT_EQ(unheard.status, 3);
  EXPECT_THAT(unheard.err, HasSubstr("the report could not be written"));
  EXPECT_EQ(unheard.out, "");  // It did not begin.
  EXPECT_EQ(program_.shell("TMPDIR=/nonexistent mizan demo").status, 3);
}

TEST_F(CliCommands, a_prover_ended_by_a_signal_leaves_no_files) {
  const Ran ran = program_.shell(
      "mkdir tmp; TMPDIR=$PWD/tmp mizan prove & prover=$!\n"
      "for i in $(seq 600); do find tmp -name '*.db' | grep -q . && break; sleep 0.05; done\n"
      "kill -TERM $prover; wait $prover; echo \"status $?\"; ls tmp | wc -l");
  EXPECT_THAT(ran.out, HasSubstr("status 143\n0\n"));
}

}  // namespace
}  // namespace mizan::integration
