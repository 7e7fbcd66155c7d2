#include "cli_program.hpp"
#include "http_server.hpp"
#include "losing_proxy.hpp"
#include "testkit/scripted_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <regex>
#include <string>
#include <vector>

// The command line over a running server: the same answers as over a file, and honest ones when
// answers are lost.

namespace mizan::integration {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testkit::ScriptedConnection;
using testkit::ScriptedServer;
using Words = Program::Words;

std::string url_of(const HttpServer& server) {
  return "http://127.0.0.1:" + std::to_string(server.port());
}

Ran over(const Program& program, const std::string& url, Words words) {
  words.insert(words.begin(), {"--store", url});
  return program.run(words);
}

/// What differs between any two runs: times, generated ids and owners, and what is left of a lease.
std::string normalized(std::string text) {
  const std::vector<std::pair<std::regex, std::string>> rules{
      {std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)"), "TIME"},
      {std::regex(R"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"), "UUID"},
      {std::regex(R"("expires_in_ms":\d+)"), "\"expires_in_ms\":LEFT"},
      {std::regex(R"(expires in  \S+)"), "expires in  LEFT"},
      {std::regex(R"(for \S+ more unless)"), "for LEFT more unless"}};
  for (const auto& [pattern, name] : rules) text = std::regex_replace(text, pattern, name);
  return text;
}

class RemoteTable : public testing::Test {
 protected:
  void SetUp() override { local_.must({"init"}); }

  /// Runs it on both and compares everything that a user sees.
  void both(const Words& words) {
    const Ran local = local_.run(words);
    const Ran remote = over(remote_, url_of(server_), words);
    const std::string line = testing::PrintToString(words);
    EXPECT_EQ(remote.status, local.status) << line << local.err << remote.err;
    EXPECT_EQ(normalized(remote.out), normalized(local.out)) << line;
    EXPECT_EQ(normalized(remote.err), normalized(local.err)) << line;
  }

  void all(const std::vector<Words>& table) {
    for (const Words& words : table) both(words);
  }

  /// As text and as JSON.
  void shown(const Words& words) {
    both(words);
    Words in_json = words;
    in_json.insert(in_json.begin(), "--json");
    both(in_json);
  }

  void file(const std::string& name, const std::string& text) {
    local_.write_file(name, text);
    remote_.write_file(name, text);
  }

  void make_wallets() {
    all({{"wallet", "create", "alice", "--currency", "EUR"},
         {"wallet", "create", "bob", "--currency", "EUR"},
         {"deposit", "alice", "100", "--id", "d-1"}});
  }

  Program local_;
  Program remote_;
  HttpServer server_;
};

TEST_F(RemoteTable, Wallets) {
  all({{"wallet", "create", "alice", "--currency", "EUR", "--metadata", "k=v w"},
       {"wallet", "create", "alice", "--currency", "EUR"},
       {"wallet", "create", "alice", "--currency", "USD"},
       {"wallet", "create", "shop:1/till", "--currency", "EUR", "--min-balance", "-5.50", "--json"},
       {"wallet", "create", "free", "--currency", "JPY", "--min-balance", "none"},
       {"wallet", "create", "nobody", "--currency", "EUR", "--dry-run"},
       {"wallet", "create", "alice", "--currency", "USD", "--dry-run", "--json"},
       {"wallet", "create", "x", "--currency", "XYZ"},
       {"wallet", "create", "@x", "--currency", "EUR"},
       {"wallet", "list", "--limit", "2", "--json"},
       {"wallet", "list", "--limit", "0"},
       {"wallet", "freeze", "alice"},
       {"deposit", "alice", "1", "--id", "f-1"},
       {"wallet", "unfreeze", "alice", "--json"},
       {"deposit", "alice", "1", "--id", "f-1"},
       {"wallet", "close", "alice"},
       {"wallet", "close", "alice", "--json"},
       {"wallet", "close", "free"},
       {"wallet", "freeze", "nobody"}});
  for (const char* id : {"alice", "shop:1/till", "free", "nobody", "@world/EUR", "@world/XYZ"}) {
    shown({"wallet", "show", id});
  }
  shown({"wallet", "list"});
  shown({"wallet", "show", "alice", "--version", "1"});
  shown({"wallet", "show", "alice", "--version", "9"});
  shown({"wallet", "show", "alice", "--at", "2020-01-01"});
  shown({"wallet", "show", "nobody", "--at", "2020-01-01"});
}

TEST_F(RemoteTable, Money) {
  make_wallets();
  all({{"deposit", "alice", "100", "--id", "d-1"},
       {"deposit", "alice", "99", "--id", "d-1"},
       {"deposit", "alice", "1.005", "--id", "d-2"},
       {"transfer", "alice", "bob", "12.34", "EUR", "--id", "t-1", "--metadata", "order=17"},
       {"transfer", "alice", "bob", "12.34", "--id", "t-1", "--json", "--metadata", "order=17"},
       {"transfer", "alice", "bob", "1 USD", "--id", "t-2"},
       {"transfer", "alice", "bob", "1000", "--id", "t-3"},
       {"transfer", "alice", "bob", "1000", "--id", "t-3", "--json"},
       {"transfer", "alice", "alice", "1", "--id", "t-4"},
       {"transfer", "alice", "nobody", "1", "--id", "t-5", "--json"},
       {"transfer", "nobody", "alice", "1", "--id", "t-5"},
       {"transfer", "alice", "bob", "1", "--leg", "bob", "alice", "0.50", "--id", "t-6"},
       {"transfer", "alice", "bob", "5", "--if-version", "alice=99", "--id", "t-7"},
       {"transfer", "alice", "bob", "5", "--if-version", "alice=99", "--id", "t-7", "--json"},
       {"transfer", "alice", "bob", "5", "--dry-run", "--id", "t-8"},
       {"transfer", "alice", "bob", "500", "--dry-run", "--id", "t-8", "--json"},
       {"transfer", "alice", "bob", "5", "--fence", "r=5:me", "--id", "t-8"},
       {"transfer", "alice", "bob", "5", "--fence", "r=4", "--id", "t-9"},
       {"transfer", "alice", "bob", "5", "--fence", "r=4", "--id", "t-9", "--json"},
       {"transfer", "alice", "bob", "1", "--strategy", "pessimistic", "--id", "t-10"},
       {"transfer", "alice", "bob", "1"},
       {"withdraw", "bob", "0.01", "--id", "w-1"},
       {"withdraw", "bob", "-1", "--id", "w-2"},
       {"reverse", "t-1", "--id", "r-1"},
       {"reverse", "t-1", "--id", "r-2", "--json"},
       {"reverse", "nothing", "--id", "r-3"}});
  for (const char* id : {"d-1", "t-1", "t-6", "r-1", "t-3"}) shown({"operation", "show", id});
  shown({"wallet", "list"});
}

TEST_F(RemoteTable, Holds) {
  make_wallets();
  all({{"hold", "create", "alice", "30", "--to", "bob", "--expires", "15m", "--id", "h-1"},
       {"hold", "create", "alice", "30", "--id", "h-2", "--json"},
       {"hold", "create", "alice", "300", "--id", "h-3"},
       {"hold", "capture", "h-1", "10", "--id", "c-1"},
       {"hold", "capture", "h-1", "10", "--id", "c-1"},
       {"hold", "capture", "h-1", "50", "--id", "c-2"},
       {"hold", "capture", "h-1", "1 USD", "--id", "c-2"},
       {"hold", "capture", "h-1", "--id", "c-3", "--json"},
       {"hold", "void", "h-1", "--id", "v-1"},
       {"hold", "void", "h-2", "--id", "v-2"},
       {"hold", "void", "nothing", "--id", "v-3"},
       {"hold", "capture", "nothing", "5", "--id", "c-4"}});
  for (const char* id : {"h-1", "h-2", "nothing"}) shown({"hold", "show", id});
  shown({"operation", "show", "c-1"});
  shown({"operation", "show", "v-2"});
}

TEST_F(RemoteTable, Statements) {
  make_wallets();
  for (int i = 0; i < 5; ++i)
    both({"transfer", "alice", "bob", "1", "--id", "t" + std::to_string(i)});
  shown({"statement", "alice"});
  shown({"statement", "alice", "--limit", "2"});
  shown({"statement", "alice", "--from", "2020-01-01", "--to", "2021-01-01"});
  shown({"statement", "nobody"});
  both({"statement", "alice", "--limit", "2", "--cursor", "nonsense"});
  // A cursor leads on, wherever it comes from.
  const Ran page = over(remote_, url_of(server_), {"statement", "alice", "--limit", "2", "--json"});
  const auto last = json::parse(lines_of(page.out).back());
  both({"statement", "alice", "--limit", "2", "--cursor", last.at("next_cursor")});
}

TEST_F(RemoteTable, Currencies) {
  all({{"currency", "add", "POINTS", "0"},
       {"currency", "add", "POINTS", "0", "--json"},
       {"currency", "add", "POINTS", "2"},
       {"currency", "add", "EUR", "3"},
       {"wallet", "create", "p", "--currency", "POINTS", "--min-balance", "-5"},
       {"deposit", "p", "12 POINTS", "--id", "p-1"},
       {"deposit", "p", "1.5", "--id", "p-2"}});
  shown({"currency", "list"});
  shown({"currency", "list", "--registered"});
  shown({"wallet", "show", "@world/POINTS"});
}

TEST_F(RemoteTable, Imports) {
  make_wallets();
  both({"currency", "add", "POINTS", "0"});
  both({"wallet", "create", "p", "--currency", "POINTS"});
  std::string rows = "id,from,to,amount,currency,description\n";
  for (int i = 0; i < 3'000; ++i) rows += "i" + std::to_string(i) + ",alice,bob,0.01,EUR,row\n";
  rows +=
      "x1,alice,bob,1000,EUR,\nx2,alice,nobody,1,EUR,\nx3,alice,bob,1.001,EUR,\nbad row\n"
      "x4,@world,p,7,POINTS,\nx5,@world,p,7,XYZ,\n";
  file("rows.csv", rows);
  both({"import", "rows.csv", "--dry-run"});
  both({"import", "rows.csv"});
  both({"import", "rows.csv", "--json"});
  both({"import", "missing.csv"});
  shown({"wallet", "list"});
}

TEST_F(RemoteTable, Exports) {
  make_wallets();
  all({{"currency", "add", "POINTS", "0"},
       {"wallet", "create", "p", "--currency", "POINTS"},
       {"deposit", "p", "7", "--id", "p-1", "--metadata", "k=a,b"},
       {"transfer", "alice", "bob", "9", "--leg", "bob", "alice", "4", "--id", "t-1"},
       {"transfer", "bob", "alice", "1", "--id", "t-2"},
       {"hold", "create", "alice", "30", "--to", "bob", "--id", "h-1"},
       {"hold", "capture", "h-1", "10", "--id", "c-1"},
       {"reverse", "t-2", "--id", "r-1"},
       {"withdraw", "bob", "2", "--id", "w-1"},
       {"export", "--format", "json"},
       {"export", "--format", "hledger"}});
  // Over a server it is the place of the operation that is told, not that of each leg.
  const auto without_sequences = [](const std::string& csv) {
    std::string text;
    for (const std::string& line : lines_of(csv)) text += line.substr(line.find(',')) + "\n";
    return normalized(text);
  };
  EXPECT_EQ(without_sequences(over(remote_, url_of(server_), {"export"}).out),
            without_sequences(local_.run({"export"}).out));
}

TEST_F(RemoteTable, Events) {
  make_wallets();
  all({{"currency", "add", "POINTS", "0"},
       {"wallet", "create", "p", "--currency", "POINTS"},
       {"deposit", "p", "7", "--id", "p-1", "--metadata", "k=v"},
       {"transfer", "alice", "bob", "9", "--leg", "bob", "alice", "4", "--id", "t-1"},
       {"hold", "create", "alice", "30", "--to", "bob", "--id", "h-1"},
       {"hold", "capture", "h-1", "10", "--id", "c-1"},
       {"hold", "void", "h-1", "--id", "v-1"},
       {"reverse", "t-1", "--id", "r-1"},
       {"events", "--limit", "0"},
       {"events", "--after", "nonsense"}});
  shown({"events"});
  shown({"events", "--limit", "3"});
  const Ran page = over(remote_, url_of(server_), {"events", "--limit", "3", "--json"});
  const auto last = json::parse(lines_of(page.out).back());
  shown({"events", "--after", last.at("next_cursor"), "--limit", "2"});
  shown({"events", "--follow", "--limit", "6"});
}

/// Loses the answers to the first so many requests that write.
LosingProxy::Loses first(int count) {
  return [count](int number) { return number <= count; };
}

/// A secret and an id are the server's own; what is compared is everything else.
std::string without_secrets(const std::string& text) {
  const std::regex secret(R"(whsec_[A-Za-z0-9+/=]+)");
  const std::regex id("wh_[0-9a-f]{32}");
  return std::regex_replace(std::regex_replace(normalized(text), secret, "SECRET"), id, "WEBHOOK");
}

TEST(Remote, webhooks_are_administered_as_over_a_file) {
  HttpServer server;
  const Program file;
  file.must({"init"});
  const Program remote;
  const std::vector<std::string> places{"sqlite:" + file.path("mizan.db"), url_of(server)};
  std::vector<std::string> said(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Program& program = i == 0 ? file : remote;
    const auto run = [&](const Words& words) {
      const Ran ran = over(program, places[i], words);
      said[i] += testing::PrintToString(words) + " " + std::to_string(ran.status) + "\n" + ran.out +
                 ran.err;
      return ran;
    };
    run({"webhook", "list"});
    run({"webhook", "create", "ftp://shop.example"});
    run({"webhook", "create", "https://shop.example/x", "--type", "nothing"});
    run({"webhook", "create", "https://shop.example/x", "--secret", "short", "--json"});
    const Ran created = run({"webhook", "create", "http://127.0.0.1:1/x", "--json"});
    const std::string id = json::parse(created.out).value("id", "");
    run({"webhook", "create", "http://127.0.0.1:1/y", "--type", "operation.applied"});
    for (const char* change : {"show", "disable", "enable", "rotate"}) {
      run({"webhook", change, id});
      run({"webhook", change, id, "--json"});
      run({"webhook", change, "wh_none"});
    }
    run({"webhook", "rotate", id, "--drop-old", "--json"});
    run({"webhook", "dead", "list", id});
    run({"webhook", "dead", "retry", id});
    run({"webhook", "dead", "retry", id, "--json"});
    run({"webhook", "dead", "list", "wh_none"});
    run({"webhook", "delete", id, "--json"});
    run({"webhook", "delete", id});
    run({"webhook", "list"});
    run({"webhook", "list", "--json"});
  }
  for (std::string& text : said) {
    text = std::regex_replace(text, std::regex("wh_none"), "UNKNOWN");
  }
  EXPECT_EQ(without_secrets(said[1]), without_secrets(said[0]));
  EXPECT_THAT(said[1], HasSubstr("whsec_"));
}

TEST(Remote, a_webhook_whose_creation_is_lost_may_be_there) {
  HttpServer server;
  LosingProxy loser(server, first(1));
  const Program program;
  const Ran ran =
      over(program, loser.url(), {"webhook", "create", "http://127.0.0.1:1/x", "--deadline", "5s"});
  EXPECT_EQ(ran.status, 4) << ran.out;
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("`mizan webhook list` tells"),
                    HasSubstr("to create it again makes a second one"),
                    Not(HasSubstr("applied at most once"))));
  EXPECT_EQ(loser.writes(), 1) << "a repeat would be another webhook";
}

TEST_F(RemoteTable, Locks) {
  all({{"lock", "acquire", "payout/1", "--owner", "me"},
       {"lock", "acquire", "payout/1", "--owner", "me", "--json"},
       {"lock", "acquire", "payout/1", "--owner", "you"},
       {"lock", "acquire", "payout/1", "--owner", "you", "--wait", "50ms", "--json"},
       {"lock", "renew", "payout/1", "--owner", "me"},
       {"lock", "renew", "payout/1", "--owner", "you"},
       {"lock", "release", "payout/1", "--owner", "you", "--json"},
       {"lock", "release", "payout/1", "--owner", "me", "--json"},
       {"lock", "release", "payout/1", "--owner", "me"},
       {"lock",
        "run",
        "payout/1",
        "--owner",
        "me",
        "--",
        "sh",
        "-c",
        "env | grep ^MIZAN_FENCE | sort"},
       {"lock", "run", "payout/1", "--", "sh", "-c", "exit 7"}});
}

TEST(Remote, a_command_under_a_lock_uses_the_server_meanwhile) {
  HttpServer server;
  server.make_ledger();
  const Program program;
  const std::string store = "--store " + url_of(server);
  const Ran ran = program.shell("mizan " + store + " lock run wallet/alice -- mizan " + store +
                                " transfer alice bob 5 --fence env --id t-1");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("applied  transfer t-1"));
  // Whoever comes with that token after the next holder is refused.
  ASSERT_EQ(over(program, url_of(server), {"lock", "acquire", "wallet/alice"}).status, 0);
}

TEST(Remote, what_needs_the_database_says_so) {
  HttpServer server;
  const Program program;
  for (const Words& words : std::vector<Words>{{"init"}, {"migrate"}, {"doctor"}, {"verify"}}) {
    const Ran ran = over(program, url_of(server), words);
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.err, HasSubstr("is a running server, and this needs the database itself"));
  }
  const Ran keys = over(program, url_of(server), {"key", "create", "shop"});
  EXPECT_EQ(keys.status, 1);
  EXPECT_THAT(keys.err, HasSubstr("run mizan key where the server runs"));
  const Ran refusals = over(program, url_of(server), {"deposit", "a", "1", "--refusals", "final"});
  EXPECT_EQ(refusals.status, 1);
  EXPECT_THAT(refusals.err, HasSubstr("a setting of the server"));
  const Ran lock = over(program, url_of(server), {"deposit", "a", "1", "--lock", "store:"});
  EXPECT_EQ(lock.status, 1);
}

std::string balance_of(const HttpServer& server, const std::string& wallet) {
  return server.get("/v1/wallets/" + wallet).body.value("balance", "");
}

TEST(Remote, an_operation_whose_answer_is_lost_is_applied_once) {
  HttpServer server;
  server.make_ledger();
  LosingProxy loser(server, first(2));
  const Program program;
  const Ran ran = over(program, loser.url(), {"transfer", "alice", "bob", "5", "--id", "t-1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(loser.writes(), 3);
  EXPECT_EQ(balance_of(server, "bob"), "500");
}

TEST(Remote, a_server_that_is_killed_and_started_again_applies_once) {
  HttpServer server;
  server.make_ledger();
  LosingProxy loser(server, first(1), [&server] {
    server.kill();
    server.start();
  });
  const Program program;
  const Ran ran = over(program, loser.url(), {"transfer", "alice", "bob", "5", "--id", "t-1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("already applied  transfer t-1"));
  EXPECT_EQ(balance_of(server, "bob"), "500");
}

TEST(Remote, a_lock_whose_answer_is_lost_is_asked_for_again_by_the_same_owner) {
  HttpServer server;
  LosingProxy loser(server, first(1));
  const Program program;
  const Ran acquired =
      over(program, loser.url(), {"lock", "acquire", "pay", "--lock-ttl", "60s", "--json"});
  ASSERT_EQ(acquired.status, 0) << acquired.out << acquired.err;
  EXPECT_EQ(loser.writes(), 2);
  const json lease = json::parse(acquired.out);
  LosingProxy again(server, first(1));
  const Words renewal{"lock", "renew", "pay", "--owner", lease["owner"], "--json"};
  const Ran renewed = over(program, again.url(), renewal);
  ASSERT_EQ(renewed.status, 0) << renewed.out << renewed.err;
  EXPECT_EQ(json::parse(renewed.out)["token"], lease["token"]);
}

TEST(Remote, a_lock_whose_answers_are_all_lost_is_unknown_and_its_owner_is_told) {
  HttpServer server;
  LosingProxy loser(server, [](int) { return true; });
  const Program program;
  const Words words{"lock", "acquire", "pay", "--lock-ttl", "60s", "--deadline", "3s", "--json"};
  const Ran ran = over(program, loser.url(), words);
  EXPECT_EQ(ran.status, 4) << ran.out << ran.err;
  EXPECT_GT(loser.writes(), 1);
  const json problem = json::parse(ran.out);
  EXPECT_EQ(problem["applied"], "unknown");
  const std::string detail = problem["detail"];
  std::smatch owner;
  ASSERT_TRUE(std::regex_search(detail, owner, std::regex("--owner ([^ ;]+)"))) << detail;
  // It was granted: whoever repeats it as told gets that very lease, and nobody else does.
  EXPECT_EQ(over(program, url_of(server), {"lock", "acquire", "pay"}).status, 3);
  const Ran repeated =
      over(program, url_of(server), {"lock", "acquire", "pay", "--owner", owner[1], "--json"});
  ASSERT_EQ(repeated.status, 0) << repeated.err;
  EXPECT_EQ(json::parse(repeated.out)["token"], 1);
  const Ran renewed =
      over(program, loser.url(), {"lock", "renew", "pay", "--owner", owner[1], "--deadline", "1s"});
  EXPECT_EQ(renewed.status, 4) << renewed.err;
  const Ran run = over(
      program, loser.url(), {"lock", "run", "other", "--deadline", "1s", "--", "touch", "began"});
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr("unknown"), Not(HasSubstr("nothing was applied"))));
}

TEST(Remote, a_release_that_may_have_been_another_ones_is_not_called_done) {
  HttpServer server;
  const Program program;
  ASSERT_EQ(over(program, url_of(server), {"lock", "acquire", "pay", "--owner", "me"}).status, 0);
  LosingProxy loser(server, first(1));
  const Ran ran = over(program, loser.url(), {"lock", "release", "pay", "--owner", "you"});
  EXPECT_EQ(ran.status, 4) << ran.out << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("not held by this owner"));
  EXPECT_EQ(over(program, url_of(server), {"lock", "acquire", "pay"}).status, 3) << "still held";
  // Its owner is told no more; that it is free now is certain.
  LosingProxy again(server, first(1));
  EXPECT_EQ(over(program, again.url(), {"lock", "release", "pay", "--owner", "me"}).status, 4);
  EXPECT_EQ(over(program, url_of(server), {"lock", "acquire", "pay"}).status, 0);
}

TEST(Remote, a_command_whose_lock_was_given_back_unheard_keeps_its_status) {
  HttpServer server;
  LosingProxy loser(server, [](int number) { return number == 2; });
  const Program program;
  const Ran ran = over(program, loser.url(), {"lock", "run", "pay", "--", "sh", "-c", "exit 7"});
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_EQ(over(program, url_of(server), {"lock", "acquire", "pay"}).status, 0) << "given back";
}

TEST(Remote, an_import_goes_on_over_lost_answers) {
  HttpServer server;
  server.make_ledger();
  LosingProxy loser(server, first(1));
  const Program program;
  program.write_file("rows.csv", "a,alice,bob,1,EUR\nb,alice,bob,2,EUR\n");
  const Ran ran = over(program, loser.url(), {"import", "rows.csv"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(balance_of(server, "bob"), "300");
}

TEST(Remote, a_refusal_after_a_lost_answer_is_not_taken_for_the_end) {
  HttpServer server;
  server.make_ledger();
  LosingProxy loser(server, first(1));
  const Program program;
  const Ran ran = over(program, loser.url(), {"transfer", "alice", "bob", "500", "--id", "t-1"});
  EXPECT_EQ(ran.status, 4) << ran.out << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("insufficient_funds"), HasSubstr("--id t-1")));
}

TEST(Remote, a_silent_server_makes_it_unknown_with_the_id_and_the_next_step) {
  auto silent =
      ScriptedServer::start([](ScriptedConnection& connection) { connection.be_silent(); });
  ASSERT_TRUE(silent.has_value());
  const Program program;
  const Words words{"deposit", "alice", "1 EUR", "--id", "d-1", "--deadline", "300ms"};
  const Ran ran = over(program, (*silent)->url(), words);
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("unknown"), HasSubstr("with --id d-1")));
  Words in_json = words;
  in_json.emplace_back("--json");
  const auto problem = json::parse(over(program, (*silent)->url(), in_json).out);
  EXPECT_EQ(problem.at("code"), "unknown");
  EXPECT_EQ(problem.at("applied"), "unknown");
  EXPECT_EQ(problem.at("operation"), "d-1");
  // A read is none the worse for it.
  const Ran read = over(program, (*silent)->url(), {"wallet", "list", "--deadline", "300ms"});
  EXPECT_EQ(read.status, 3);
}

TEST(Remote, nobody_there_is_unavailable_and_nothing_was_applied) {
  std::string nowhere;
  {
    auto server = ScriptedServer::start([](ScriptedConnection&) {});
    ASSERT_TRUE(server.has_value());
    nowhere = (*server)->url();
  }
  const Program program;
  const Ran ran = over(program, nowhere, {"deposit", "alice", "1 EUR", "--deadline", "300ms"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("nothing was applied by this attempt"));
}

constexpr const char* wrong_key =
    R"({"type":"urn:mizan:problem:unauthorized","title":"Unauthorized","status":401,)"
    R"("code":"unauthorized","detail":"the key is not known","applied":"no","retryable":false})";

TEST(Remote, the_key_is_sent_and_never_shown) {
  std::atomic<int> with_key = 0;
  auto guarded = ScriptedServer::start([&with_key](ScriptedConnection& connection) {
    while (const auto request = connection.read_request()) {
      if (request->find("\r\nAuthorization: Bearer mk_secret_17\r\n") != std::string::npos)
        ++with_key;
      const std::string body = wrong_key;
      connection.send(
          "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/problem+json\r\n"
          "Content-Length: " +
          std::to_string(body.size()) + "\r\n\r\n" + body);
    }
  });
  ASSERT_TRUE(guarded.has_value());
  const Program program;
  program.write_file("key", "mk_secret_17\n");
  const std::string mizan = "mizan --store " + (*guarded)->url();
  for (const std::string& line : {"MIZAN_KEY=mk_secret_17 " + mizan + " wallet list",
                                  mizan + " --key-file key deposit alice '1 EUR'"}) {
    const Ran ran = program.shell(line);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("unauthorized"), Not(HasSubstr("mk_secret"))));
  }
  EXPECT_EQ(with_key, 2);
  const Ran bad = program.shell("MIZAN_KEY='two words' " + mizan + " wallet list");
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.err, Not(HasSubstr("two words")));
  EXPECT_EQ(program.shell(mizan + " --key-file missing wallet list").status, 1);
  EXPECT_EQ(program.shell("MIZAN_KEY=mk_secret_17 mizan config show").out.find("mk_secret"),
            std::string::npos);
}

TEST(Remote, tls_is_trusted_by_a_private_authority_only_where_it_is_named) {
  if (!has_program("openssl")) GTEST_SKIP() << "openssl is missing";
  const Program program;
  const Ran made = program.shell(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
      "-subj /CN=Private -keyout ca.key -out ca.pem && "
      "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server "
      "-keyout key.pem -out request.pem && printf 'subjectAltName=IP:127.0.0.1' >names && "
      "openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 "
      "-extfile names -out cert.pem");
  ASSERT_EQ(made.status, 0) << made.err;
  HttpServer server(
      {"--tls-certificate", program.path("cert.pem"), "--tls-key", program.path("key.pem")});
  const std::string port = std::to_string(server.port());
  const Words create{"wallet", "create", "alice", "--currency", "EUR"};
  const Ran stranger = over(program, "https://127.0.0.1:" + port, create);
  EXPECT_EQ(stranger.status, 3);
  EXPECT_THAT(stranger.err, HasSubstr("certificate"));
  Words trusting = create;
  trusting.insert(trusting.end(), {"--ca-file", program.path("ca.pem")});
  EXPECT_EQ(over(program, "https://127.0.0.1:" + port, trusting).status, 0);
  // The certificate is for an address, not for this name.
  EXPECT_EQ(over(program, "https://localhost:" + port, trusting).status, 3);
}

/// A server that answers every request with these bytes and goes.
std::unique_ptr<ScriptedServer> liar(const std::string& bytes) {
  auto server = ScriptedServer::start([bytes](ScriptedConnection& connection) {
    if (connection.read_request()) connection.send(bytes);
  });
  EXPECT_TRUE(server.has_value());
  return server ? std::move(*server) : nullptr;
}

std::string answer_of(int status, const std::string& type, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(Remote, a_lying_server_is_never_believed) {
  const std::string json_type = "application/json";
  const std::string receipt =
      R"({"id":"d-1","type":"deposit","outcome":"applied","applied_at":"2026-03-01T12:00:00Z",)"
      R"("legs":[],"metadata":{}})";
  const auto with = [&receipt](const std::string& from, const std::string& to) {
    std::string text = receipt;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::vector<std::string> lies{
      "",
      "nonsense",
      "HTTP/1.1 200 OK\r\n\r\n",
      "HTTP/1.1 201 Created\r\nContent-Length: 500\r\n\r\n{",
      answer_of(201, "text/html", receipt),
      answer_of(201, json_type, receipt.substr(0, 50)),
      answer_of(201, json_type, "{}"),
      answer_of(201, json_type, "[]"),
      answer_of(201, json_type, "null"),
      answer_of(201, json_type, with("d-1", "d-2")),
      answer_of(201, json_type, with("deposit", "withdraw")),
      answer_of(201, json_type, with("\"applied\"", "\"refused\"")),
      answer_of(201, json_type, with("[]", "[{}]")),
      answer_of(201, json_type, with("12:00", "99:00")),
      answer_of(201, json_type, std::string(100'000, '[')),
      answer_of(201, json_type, receipt + std::string(1, '\0')),
      answer_of(200, json_type, "{\"id\":\"\xff\"}"),
      answer_of(500, "application/problem+json", "{\"code\":\"applied\",\"applied\":\"yes\"}"),
      answer_of(502, "text/html", "<html>bad gateway</html>"),
      "HTTP/1.1 101 Switching Protocols\r\n\r\n",
      "HTTP/2 200\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"};
  const Program program;
  for (const std::string& lie : lies) {
    const auto server = liar(lie);
    const Ran ran =
        over(program,
             server->url(),
             {"deposit", "alice", "1 EUR", "--id", "d-1", "--deadline", "150ms", "--json"});
    EXPECT_EQ(ran.status, 4) << lie.substr(0, 100) << ran.out << ran.err;
    EXPECT_EQ(json::parse(ran.out).at("applied"), "unknown") << lie.substr(0, 100);
    const Ran read = over(program, server->url(), {"wallet", "show", "a", "--deadline", "150ms"});
    EXPECT_EQ(read.status, 3) << lie.substr(0, 100) << read.out << read.err;
  }
}

TEST(Remote, a_server_that_speaks_without_end_is_cut_off) {
  auto endless = ScriptedServer::start([](ScriptedConnection& connection) {
    if (!connection.read_request()) return;
    connection.send("HTTP/1.1 200 OK\r\n");
    while (connection.send("X-Filler: " + std::string(1'000, 'x') + "\r\n")) continue;
  });
  ASSERT_TRUE(endless.has_value());
  const Program program;
  const Ran ran = over(program,
                       (*endless)->url(),
                       {"deposit", "alice", "1 EUR", "--id", "d-1", "--deadline", "500ms"});
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("larger than"));
}

}  // namespace
}  // namespace mizan::integration
