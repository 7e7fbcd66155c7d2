#include "cli_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace mizan::integration {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// Balances by the name that plain-text accounting gives them, as decimal text with currency.
using Balances = std::map<std::string, std::string>;

class CliImportExport : public ::testing::Test {
 protected:
  void SetUp() override {
    program_.make_ledger();
    program_.must({"currency", "add", "PTS2", "4"});
    for (const auto& [id, currency] : std::vector<std::pair<std::string, std::string>>{
             {"y", "JPY"}, {"k", "KWD"}, {"p", "PTS2"}, {"a:b@c/d-1.x_y", "EUR"}}) {
      program_.must({"wallet", "create", id, "--currency", currency});
    }
  }

  void import_example() {
    program_.write_file("f.csv",
                        "id,from,to,amount,currency,description\r\n"
                        "i1,@world,alice,10.00,EUR,\"hello, \"\"you\"\"\"\r\n"
                        "i2,alice,a:b@c/d-1.x_y,3.50,EUR,\r\n"
                        "i3,@world,y,1000,JPY,[x] ; y: z\r\n"
                        "i4,y,@world/JPY,1,JPY,\xc3\xa9\r\n"
                        "i5,@world,k,1.234,KWD,\r\n"
                        "op)6;|,@world,p,0.0001,PTS2,\r\n");
    const Ran ran = program_.run({"import", "f.csv"});
    ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  }

  json summary_of(const Program::Words& words, int status) {
    const Ran ran = program_.run(words);
    EXPECT_EQ(ran.status, status) << ran.out << ran.err;
    const auto lines = lines_of(ran.out);
    return lines.empty() ? json() : json::parse(lines.back());
  }

  /// What Mizan says.
  Balances own_balances() {
    Balances balances;
    const std::map<std::string, int> decimals{{"EUR", 2}, {"JPY", 0}, {"KWD", 3}, {"PTS2", 4}};
    const auto add = [&](const json& wallet, const std::string& name) {
      const std::string currency = wallet["currency"];
      balances[name] = decimal(wallet["balance"], decimals.at(currency)) + " " + currency;
    };
    for (const std::string& line : lines_of(program_.must({"wallet", "list", "--json"}).out)) {
      const json wallet = json::parse(line);
      const std::string id = wallet["id"];
      if (wallet["balance"] != "0") {
        add(wallet, id == "a:b@c/d-1.x_y" ? "wallet:a%3Ab%40c/d-1.x_y" : "wallet:" + id);
      }
    }
    for (const auto& [currency, places] : decimals) {
      add(json::parse(program_.must({"wallet", "show", "@world/" + currency, "--json"}).out),
          "world:" + currency);
    }
    return balances;
  }

  static std::string decimal(std::string digits, int places) {
    const bool negative = digits.front() == '-';
    if (negative) digits.erase(0, 1);
    const auto width = static_cast<std::size_t>(places);
    if (digits.size() <= width) digits.insert(0, width + 1 - digits.size(), '0');
    if (width > 0) digits.insert(digits.size() - width, ".");
    return (negative ? "-" : "") + digits;
  }

  /// `AMOUNT  NAME` lines of either program.
  static Balances parse_balances(const std::string& text) {
    Balances balances;
    for (std::string line : lines_of(text)) {
      std::erase(line, '"');
      const std::size_t gap = line.rfind("  ");
      const std::size_t begin = line.find_first_not_of(' ');
      if (gap == std::string::npos || begin >= gap) continue;
      if (line.find(':') == std::string::npos) continue;  // The line of the total.
      balances[line.substr(gap + 2)] = line.substr(begin, gap - begin);
    }
    return balances;
  }

  Program program_;
};

TEST_F(CliImportExport, importing_twice_applies_nothing_the_second_time_and_says_so) {
  import_example();
  const Ran again = program_.run({"import", "f.csv"});
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("6 rows: 0 applied, 6 already applied, 0 refused, 0 bad"));
  EXPECT_THAT(again.out, HasSubstr("nothing was applied"));
  const auto rows = summary_of({"import", "f.csv", "--json"}, 0);
  EXPECT_EQ(rows["already_applied"], 6);
  EXPECT_EQ(rows["applied"], 0);
}

TEST_F(CliImportExport, a_bad_row_does_not_stop_the_rest_and_is_named_by_its_line) {
  program_.write_file("bad.csv",
                      "b1,@world,alice,1,EUR\n"
                      "only,three,fields\n"
                      "b2,alice,nobody,1,EUR\n"
                      "b3,alice,bob,1.999,EUR\n"
                      "b4,alice,bob,\"1,EUR\n"
                      "b5,@world,@world,1,EUR\n"
                      "b6,alice,bob,1,ZZZ\n"
                      "b7,alice,bob,99999,EUR\n"
                      "b8,alice,alice,1,EUR\n"
                      "b1,@world,alice,2,EUR\n"
                      "b9,alice,bob,1,EUR,fine\n");
  const Ran ran = program_.run({"import", "bad.csv", "--json"});
  EXPECT_EQ(ran.status, 2);
  std::map<int, std::string> problems;
  json summary;
  for (const std::string& line : lines_of(ran.out)) {
    const json object = json::parse(line);
    if (object.contains("line")) {
      problems[object["line"]] = object["code"];
    } else {
      summary = object;
    }
  }
  EXPECT_EQ(problems,
            (std::map<int, std::string>{{2, "invalid_request"},
                                        {3, "wallet_not_found"},
                                        {4, "invalid_request"},
                                        {5, "invalid_request"},
                                        {6, "invalid_request"},
                                        {7, "invalid_request"},
                                        {8, "insufficient_funds"},
                                        {9, "same_wallet"},
                                        {10, "operation_mismatch"}}));
  EXPECT_EQ(summary["rows"], 11);
  EXPECT_EQ(summary["applied"], 2);
  EXPECT_EQ(summary["refused"], 4);
  EXPECT_EQ(summary["bad"], 5);
  EXPECT_THAT(program_.run({"import", "bad.csv"}).err, HasSubstr("bad.csv:2: bad row"));
}

TEST_F(CliImportExport, a_dry_run_keeps_nothing) {
  program_.write_file("f.csv", "i1,@world,alice,10.00,EUR\n");
  EXPECT_EQ(summary_of({"import", "f.csv", "--dry-run", "--json"}, 0)["applied"], 1);
  EXPECT_EQ(summary_of({"import", "f.csv", "--json"}, 0)["applied"], 1);
}

TEST_F(CliImportExport, named_columns_may_stand_in_any_order_and_a_wrong_name_is_refused) {
  program_.write_file("f.csv", "currency,amount,to,from,id\nEUR,10.00,alice,@world,i1\n");
  EXPECT_EQ(summary_of({"import", "f.csv", "--json"}, 0)["applied"], 1);
  program_.write_file("g.csv", "id,from,to,amount,curency\ni2,@world,alice,1,EUR\n");
  const Ran ran = program_.run({"import", "g.csv"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("there is no column 'curency'"));
  EXPECT_EQ(program_.run({"import", "missing.csv"}).status, 1);
}

TEST_F(CliImportExport, an_import_that_was_killed_is_finished_by_running_it_again) {
  std::string rows;
  for (int i = 0; i < 60'000; ++i) rows += "k" + std::to_string(i) + ",@world,alice,0.01,EUR\n";
  program_.write_file("many.csv", rows);
  // Killed after a first batch was committed, while the rest waits in the pipe.
  program_.shell(
      "mkfifo pipe; mizan import - <pipe >/dev/null & p=$!; exec 3>pipe; "
      "head -n 20000 many.csv >&3; "
      "for i in $(seq 400); do mizan wallet show alice --json | grep -q '\"version\":1,' || break; "
      "sleep 0.05; done; kill -9 $p; exec 3>&-; wait");
  const json summary = summary_of({"import", "many.csv", "--json"}, 0);
  EXPECT_EQ(summary["rows"], 60'000);
  EXPECT_GT(summary["already_applied"], 0);
  EXPECT_EQ(summary["applied"].get<int>() + summary["already_applied"].get<int>(), 60'000);
  EXPECT_EQ(json::parse(program_.must({"wallet", "show", "alice", "--json"}).out)["balance"],
            "70000");
  EXPECT_EQ(program_.run({"verify"}).status, 0);
}

TEST_F(CliImportExport, hledger_and_ledger_find_the_same_balances) {
  import_example();
  program_.must({"transfer", "--leg", "alice", "bob", "5", "--leg", "bob", "alice", "1.25"});
  program_.must({"hold", "create", "alice", "20", "--to", "bob", "--id", "h"});
  program_.must({"hold", "capture", "h", "7"});
  program_.must({"reverse", "i2"});
  ASSERT_EQ(program_.shell("mizan export --format hledger >all.journal").status, 0);
  const Balances own = own_balances();
  ASSERT_EQ(own.at("wallet:bob"), "10.75 EUR");
  for (const std::string program : {"hledger", "ledger"}) {
    if (!has_program(program)) GTEST_SKIP() << "the package " << program << " is not installed";
    const Ran ran = program_.shell(program + " -f all.journal balance --flat");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(parse_balances(ran.out), own) << program;
  }
  EXPECT_EQ(program_.shell("hledger -f all.journal check").status, 0);
}

TEST_F(CliImportExport, metadata_means_nothing_to_hledger_and_ledger) {
  import_example();
  for (const std::string amount : {"3", "5"}) {
    program_.must({"deposit",
                   "alice",
                   amount,
                   "--metadata",
                   "UUID=7",
                   "--metadata",
                   "Payee=Bob",
                   "--metadata",
                   "value=1",
                   "--metadata",
                   "at=noon",
                   "--metadata",
                   "date=never"});
  }
  ASSERT_EQ(program_.shell("mizan export --format hledger >all.journal").status, 0);
  for (const std::string program : {"hledger", "ledger"}) {
    if (!has_program(program)) GTEST_SKIP() << "the package " << program << " is not installed";
    const Ran ran = program_.shell(program + " -f all.journal balance --flat");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(parse_balances(ran.out), own_balances()) << program;
  }
  const Ran payees = program_.shell("ledger -f all.journal payees");
  EXPECT_EQ(payees.out.find("Bob"), std::string::npos) << payees.out;
}

TEST_F(CliImportExport, a_balance_that_was_tampered_with_is_found_by_hledger_and_ledger) {
  ASSERT_EQ(
      program_.shell("mizan export --format hledger | sed 's/= 100.00/= 100.01/' >bad").status, 0);
  for (const std::string program : {"hledger", "ledger"}) {
    if (!has_program(program)) GTEST_SKIP() << "the package " << program << " is not installed";
    EXPECT_NE(program_.shell(program + " -f bad balance").status, 0) << program;
  }
}

TEST_F(CliImportExport, the_other_formats_hold_every_operation) {
  import_example();
  const auto csv = lines_of(program_.must({"export", "--format", "csv"}).out);
  EXPECT_EQ(csv.size(), 1U + 1U + 6U);
  EXPECT_THAT(csv[2], HasSubstr(",i1,deposit,"));
  EXPECT_THAT(csv[2], HasSubstr("@world/EUR,alice,10.00,EUR,,,110.00,2,"));
  const auto objects = lines_of(program_.must({"export", "--format", "json"}).out);
  ASSERT_EQ(objects.size(), 7U);
  const json operation = json::parse(objects[1]);
  EXPECT_EQ(operation["id"], "i1");
  EXPECT_EQ(operation["metadata"]["description"], "hello, \"you\"");
  EXPECT_EQ(operation, json::parse(program_.must({"operation", "show", "i1", "--json"}).out));
}

}  // namespace
}  // namespace mizan::integration
