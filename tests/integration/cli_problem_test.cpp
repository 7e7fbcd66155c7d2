#include "cli_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace mizan::integration {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class CliProblems : public ::testing::Test {
 protected:
  void SetUp() override { program_.make_ledger(); }

  json problem(Program::Words words) {
    words.emplace_back("--json");
    const Ran ran = program_.run(words);
    EXPECT_NE(ran.status, 0) << ran.out;
    return json::parse(ran.out, nullptr, false);
  }

  Program program_;
};

TEST_F(CliProblems, each_call_has_a_request_id_of_its_own) {
  const json refused = problem({"withdraw", "alice", "1000"});
  const json malformed = problem({"withdraw", "alice", "1.2.3"});
  ASSERT_EQ(refused["request_id"].get<std::string>().size(), 36U) << refused;
  ASSERT_EQ(malformed["request_id"].get<std::string>().size(), 36U) << malformed;
  EXPECT_NE(refused["request_id"], malformed["request_id"]);
  EXPECT_NE(refused["request_id"], refused["operation"]);
}

TEST_F(CliProblems, rows_of_one_import_share_its_request_id) {
  program_.write_file("rows.csv",
                      "id,from,to,amount,currency\n"
                      "r-1,alice,bob,9999.00,EUR\n"
                      "r-2,alice,bob,x,EUR\n");
  const auto lines = lines_of(program_.run({"import", "rows.csv", "--json"}).out);
  ASSERT_GE(lines.size(), 2U);
  const json first = json::parse(lines[0]);
  EXPECT_EQ(first["request_id"].get<std::string>().size(), 36U) << first;
  EXPECT_EQ(json::parse(lines[1])["request_id"], first["request_id"]);
}

TEST_F(CliProblems, a_malformed_request_names_the_field) {
  const std::vector<std::pair<std::string, Program::Words>> cases{
      {"/wallet", {"deposit", "a b", "1"}},
      {"/amount", {"deposit", "alice", "1e3"}},
      {"/amount", {"deposit", "alice", "1 EUR", "EUR"}},
      {"/amount", {"deposit", "alice"}},
      {"/id", {"deposit", "alice", "1", "--id", "a b"}},
      {"/metadata", {"deposit", "alice", "1", "--metadata", "k"}},
      {"/metadata/a b", {"deposit", "alice", "1", "--metadata", "k=v", "--metadata", "a b=c"}},
      {"/metadata/a b", {"wallet", "create", "new", "--currency", "EUR", "--metadata", "a b=c"}},
      {"/conditions/0", {"deposit", "alice", "1", "--if-version", "alice"}},
      {"/conditions/1", {"deposit", "alice", "1", "--if-version", "bob=0", "--if-version", "x"}},
      {"/conditions/0/wallet", {"deposit", "alice", "1", "--if-version", "a b=1"}},
      {"/fence", {"deposit", "alice", "1", "--fence", "x"}},
      {"/fence/resource", {"deposit", "alice", "1", "--fence", "mizan:x=1"}},
      {"/fence/token", {"deposit", "alice", "1", "--fence", "x=9223372036854775808"}},
      {"/fence/owner", {"deposit", "alice", "1", "--fence", "x=1:a b"}},
      {"/fence/1", {"deposit", "alice", "1", "--fence", "x=1", "--fence", "y"}},
      {"/to", {"transfer", "alice", "b b", "1"}},
      {"/to", {"transfer", "alice", "@bob", "1"}},
      {"/amount", {"transfer", "alice", "bob", "0x1"}},
      {"/legs/0/to", {"transfer", "alice", "b b", "1", "--leg", "alice", "bob", "1"}},
      {"/legs/0/amount", {"transfer", "--leg", "alice", "bob", "0x1"}},
      {"/legs/1/amount", {"transfer", "alice", "bob", "1", "--leg", "alice", "bob", "0x1"}},
      {"/to", {"hold", "create", "alice", "1", "--to", "b b"}},
      {"/expires_in", {"hold", "create", "alice", "1", "--expires", "soon"}},
      {"/hold", {"hold", "void", "h h"}},
      {"/operation", {"reverse", "o o"}},
      {"/currency", {"wallet", "create", "new", "--currency", "euro"}},
      {"/currency", {"wallet", "create", "new"}},
      {"/min_balance", {"wallet", "create", "new", "--currency", "EUR", "--min-balance", "x"}},
      {"/at", {"wallet", "show", "alice", "--at", "yesterday"}},
      {"/limit", {"wallet", "list", "--limit", "0"}},
      {"/cursor", {"wallet", "list", "--cursor", "alice"}},
      {"/limit", {"statement", "alice", "--limit", "0"}},
      {"/from", {"statement", "alice", "--from", "then"}},
      {"/cursor", {"statement", "alice", "--cursor", "1"}},
      {"/exponent", {"currency", "add", "POINTS", "99"}},
      {"/resource", {"lock", "acquire", "a b"}},
      {"/wait", {"lock", "acquire", "a", "--wait", "x"}},
      {"/deadline", {"wallet", "list", "--deadline", "x"}},
      {"", {"wallet", "list", "--no-such-option"}},
      {"", {"wallets"}},
  };
  for (const auto& [pointer, words] : cases) {
    const json answer = problem(words);
    EXPECT_EQ(answer["code"], "invalid_request") << answer;
    ASSERT_EQ(answer["errors"].size(), 1U) << answer;
    EXPECT_EQ(answer["errors"][0]["pointer"], pointer) << answer;
    EXPECT_EQ(answer["errors"][0]["detail"], answer["detail"]) << answer;
  }
}

TEST_F(CliProblems, what_is_not_there_or_is_there_already_names_the_field_too) {
  program_.must({"lock", "acquire", "pay"});
  const std::vector<std::pair<std::string, Program::Words>> cases{
      {"/id", {"wallet", "show", "nobody"}},
      {"/id", {"wallet", "freeze", "nobody"}},
      {"/id", {"wallet", "create", "alice", "--currency", "USD"}},
      {"/wallet", {"statement", "nobody"}},
      {"/to", {"transfer", "alice", "nobody", "1"}},
      {"/from", {"transfer", "nobody", "alice", "1"}},
      {"/amount", {"transfer", "alice", "bob", "9999.00"}},
      {"/legs/0/amount", {"transfer", "--leg", "alice", "bob", "9999.00"}},
      {"/legs/1/amount", {"transfer", "alice", "bob", "1", "--leg", "alice", "bob", "9999.00"}},
      {"/operation", {"operation", "show", "no-such"}},
      {"/hold", {"hold", "show", "no-such"}},
      {"/resource", {"lock", "acquire", "pay"}},
      {"/owner", {"lock", "renew", "pay", "--owner", "somebody"}},
      {"/owner", {"lock", "release", "pay", "--owner", "somebody"}},
  };
  for (const auto& [pointer, words] : cases) {
    const json answer = problem(words);
    ASSERT_EQ(answer["errors"].size(), 1U) << answer;
    EXPECT_EQ(answer["errors"][0]["pointer"], pointer) << answer;
    EXPECT_EQ(answer["errors"][0]["code"], answer["code"]) << answer;
    EXPECT_EQ(answer["errors"][0]["detail"], answer["detail"]) << answer;
  }
}

TEST_F(CliProblems, the_longest_time_of_a_hold_is_named) {
  for (const char* expires : {"soon", "3661d", "99999d"}) {
    const json answer = problem({"hold", "create", "alice", "1", "--expires", expires});
    EXPECT_THAT(std::string(answer["detail"]), HasSubstr(" 3660d")) << answer;
  }
}

TEST_F(CliProblems, a_field_that_is_missing_or_unknown_is_told_from_one_with_a_wrong_value) {
  const std::vector<std::pair<std::string, Program::Words>> cases{
      {"missing", {"deposit", "alice"}},
      {"missing", {"wallet", "create", "new"}},
      {"missing", {"lock", "run", "payout"}},
      {"unknown_field", {"wallet", "list", "--no-such-option"}},
      {"unknown_field", {"deposit", "alice", "1", "EUR", "more"}},
      {"invalid_value", {"deposit", "a b", "1"}},
      {"invalid_value", {"deposit", "alice", "1e3"}},
      {"invalid_value", {"deposit", "alice", "1", "--id="}},
  };
  for (const auto& [code, words] : cases) {
    const json answer = problem(words);
    ASSERT_EQ(answer["errors"].size(), 1U) << answer;
    EXPECT_EQ(answer["errors"][0]["code"], code) << answer;
  }
}

TEST_F(CliProblems, a_malformed_row_of_an_import_names_the_column) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"/id", "i d,alice,bob,1,EUR,x"},
      {"/from", "r,a b,bob,1,EUR,x"},
      {"/to", "r,alice,b b,1,EUR,x"},
      {"/to", "r,@world,b b,1,EUR,x"},
      {"/from", "r,@world/USD,bob,1,EUR,x"},
      {"/to", "r,alice,@world/USD,1,EUR,x"},
      {"/to", "r,@world,@world/EUR,1,EUR,x"},
      {"/amount", "r,alice,bob,1.001,EUR,x"},
      {"/currency", "r,alice,bob,1,euro,x"},
      {"/currency", "r,alice,bob,1,XQX,x"},
      {"/description", "r,alice,bob,1,EUR,\x01"},
      {"", "r,alice,bob,1,EUR"},
  };
  std::string rows = "id,from,to,amount,currency,description\n";
  for (const auto& [pointer, row] : cases) rows += row + "\n";
  program_.write_file("rows.csv", rows);
  const auto lines = lines_of(program_.run({"import", "rows.csv", "--json"}).out);
  ASSERT_EQ(lines.size(), cases.size() + 1) << "one for each row, and the sum";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const json answer = json::parse(lines[i]);
    EXPECT_EQ(answer["line"], i + 2) << answer;
    EXPECT_EQ(answer["errors"][0]["pointer"], cases[i].first) << answer;
  }
  EXPECT_THAT(lines[5], HasSubstr("@world/USD is of another currency than the row, EUR"));
  EXPECT_THAT(lines[11], HasSubstr("a row of 5 fields; the first line names 6 columns"));
}

TEST_F(CliProblems, a_cursor_of_another_wallets_statement_is_refused) {
  program_.must({"transfer", "alice", "bob", "1"});
  const auto page = lines_of(program_.must({"statement", "alice", "--limit", "1", "--json"}).out);
  const std::string cursor = json::parse(page.back())["next_cursor"];
  EXPECT_EQ(cursor.find("alice"), std::string::npos) << "opaque";
  EXPECT_EQ(program_.run({"statement", "bob", "--cursor", cursor}).status, 1);
  EXPECT_EQ(program_.run({"statement", "alice", "--cursor", cursor}).status, 0);
}

TEST_F(CliProblems, an_answer_that_nobody_could_read_still_leaves_the_id) {
  const Ran ran = program_.shell("mizan deposit alice 5 --json >/dev/full");
  EXPECT_EQ(ran.status, 5) << ran.err;
  const std::string before = "the operation was ";
  const std::size_t at = ran.err.find(before);
  ASSERT_NE(at, std::string::npos) << ran.err;
  const std::string id = ran.err.substr(at + before.size(), 36);
  const json found = json::parse(program_.must({"operation", "show", id, "--json"}).out);
  EXPECT_EQ(found["legs"][0]["amount"], "500");
}

TEST_F(CliProblems, a_stated_currency_is_a_check_and_no_other_request) {
  program_.must({"deposit", "alice", "5", "--id", "five"});
  const json again =
      json::parse(program_.must({"deposit", "alice", "5", "EUR", "--id", "five", "--json"}).out);
  EXPECT_EQ(again["outcome"], "already_applied");
  EXPECT_EQ(problem({"deposit", "alice", "5", "USD", "--id", "five"})["code"], "operation_mismatch")
      << "five dollars are other money";
  EXPECT_EQ(problem({"deposit", "alice", "5", "USD"})["code"], "currency_mismatch");
}

TEST_F(CliProblems, a_reader_that_may_not_write_to_the_folder_is_told_so) {
  if (geteuid() != 0 || !has_program("setpriv")) {
    GTEST_SKIP() << "needs root and setpriv (util-linux) to read as somebody else";
  }
  const Ran ran = program_.shell(
      "chmod 755 . && chmod 644 mizan.db && setpriv --reuid=65534 --regid=65534 --clear-groups "
      "mizan wallet list");
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("without an owner SQLite makes files beside the database"));
  EXPECT_THAT(ran.err, HasSubstr("copy the ledger into a folder of your own"));
}

TEST_F(CliProblems, nothing_is_made_beside_a_file_that_is_no_ledger) {
  program_.write_file("notes.txt", "milk, bread");
  EXPECT_EQ(program_.run({"deposit", "alice", "1", "--store", "sqlite:notes.txt"}).status, 1);
  EXPECT_EQ(program_.run({"init", "--store", "sqlite:notes.txt"}).status, 1);
  EXPECT_FALSE(std::filesystem::exists(program_.path("notes.txt-owner")));
  EXPECT_EQ(program_.read_file("notes.txt"), "milk, bread");
}

}  // namespace
}  // namespace mizan::integration
