#include "cli/amounts.hpp"
#include "cli/hledger.hpp"
#include "cli/operation_request.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>

namespace mizan::cli {
namespace {

TEST(Safe, nothing_reaches_a_terminal_that_could_command_it) {
  EXPECT_EQ(safe("plain ü 日本"), "plain ü 日本");
  EXPECT_EQ(safe("\x1b[2Jx\n\t\x7f"), "\\x1b[2Jx\\x0a\\x09\\x7f");
  EXPECT_EQ(safe("\xc2\x9b"), "\\u{009b}") << "the one-byte form of ESC [";
  EXPECT_EQ(safe("a\xe2\x80\xae"
                 "b"),
            "a\\u{202e}b")
      << "right-to-left override";
  EXPECT_EQ(safe("\xff\xfe"), "\\xff\\xfe");
}

TEST(Table, columns_are_as_wide_as_their_widest_cell_and_no_line_ends_in_spaces) {
  std::string text;
  Output out(to_text(text), false);
  const Style style(false);
  {
    Table table(out, style, {{"id"}, {"amount", Column::Align::right}, {"note"}});
    table.add({"日本", "1.00", ""});
    table.add({"alice", "-12.34", "x\ny"});
  }
  out.flush();
  EXPECT_EQ(text,
            "id     amount  note\n"
            "日本     1.00\n"
            "alice  -12.34  x\\x0ay\n");
}

TEST(Table, millions_of_rows_are_printed_in_pages) {
  std::string text;
  Output out(to_text(text), false);
  const Style style(false);
  Table table(out, style, {{"n"}});
  for (int i = 0; i < 2'500; ++i) table.add({"x"});
  out.flush();
  EXPECT_EQ(text.size(), 2 * 2'001U) << "two whole pages and one title are out already";
}

TEST(Style, colours_only_where_they_are_wanted) {
  EXPECT_EQ(Style(false).paint(Colour::bad, "x"), "x");
  EXPECT_EQ(Style(true).paint(Colour::bad, "x"), "\x1b[31mx\x1b[0m");
}

TEST(Output, a_reader_that_left_is_no_failure_and_is_asked_once) {
  int writes = 0;
  Output out([&writes](std::string_view) { return ++writes, EPIPE; }, true);
  out.write("a\n");
  out.write("b\n");
  out.flush();
  EXPECT_EQ(writes, 1);
  EXPECT_FALSE(out.open());
  EXPECT_EQ(out.failure(), 0);
}

TEST(Output, a_full_disk_is_a_failure) {
  Output out([](std::string_view) { return ENOSPC; }, false);
  out.write("a\n");
  out.flush();
  EXPECT_EQ(out.failure(), ENOSPC);
}

std::string split(std::string_view text, std::optional<std::string> second = std::nullopt) {
  auto amount = split_amount(text, std::move(second));
  return amount ? amount->number + "|" + amount->currency : "refused";
}

TEST(SplitAmount, a_currency_may_follow_in_the_same_word_or_the_next) {
  EXPECT_EQ(split("12.34"), "12.34|");
  EXPECT_EQ(split("12.34 EUR"), "12.34|EUR");
  EXPECT_EQ(split("12.34EUR"), "12.34|EUR");
  EXPECT_EQ(split("12.34", "EUR"), "12.34|EUR");
  EXPECT_EQ(split("12 PTS2"), "12|PTS2");
  EXPECT_EQ(split("12 EUR", "USD"), "refused");
}

TEST(SplitAmount, what_is_no_number_stays_whole_to_be_refused) {
  for (const char* text : {"1e3", "0x10", "+5", ".5", "", "NaN", "inf", "EUR"}) {
    EXPECT_EQ(split(text), std::string(text) + "|") << text;
  }
}

std::string fence(std::string_view text) {
  auto parsed = parse_fence(text);
  if (!parsed) return "refused";
  return parsed->resource.str() + " " + std::to_string(parsed->token.value()) + " " +
         parsed->owner.str();
}

TEST(ParseFence, resource_token_and_owner) {
  EXPECT_EQ(fence("wallet:alice=5"), "wallet:alice 5 ");
  EXPECT_EQ(fence("wallet:alice=5:me"), "wallet:alice 5 me");
  EXPECT_EQ(fence("a=b=7:x:y=z"), "a=b 7 x:y=z");
  for (const char* text : {"", "a", "a=", "=5", "a=-1", "a=5:", "a=x", "a=99999999999999999999"}) {
    EXPECT_EQ(fence(text), "refused") << text;
  }
}

TEST(ParseVersionCondition, wallet_and_version) {
  auto condition = parse_version_condition("alice=7");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->wallet.view(), "alice");
  EXPECT_EQ(condition->version, 7U);
  for (const char* text : {"", "alice", "alice=", "=7", "alice=x", "alice=-1"}) {
    EXPECT_FALSE(parse_version_condition(text)) << text;
  }
}

TEST(HledgerName, every_id_has_a_name_of_its_own_and_comes_back_from_it) {
  std::set<std::string> names;
  for (const char* id : {"alice",
                         "a:b",
                         "a/b",
                         "a.b",
                         "a-b_c",
                         "user@example.org",
                         "a:b:c",
                         "world:EUR",
                         "@world/EUR",
                         "@world/PTS2"}) {
    const WalletId wallet{id};
    const std::string name = hledger_name(wallet);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(parse_hledger_name(name), wallet) << name;
    EXPECT_EQ(name.find(':'), name.rfind(':')) << "no level below the wallet: " << name;
  }
  EXPECT_EQ(hledger_name(WalletId{"a:b"}), "wallet:a%3Ab");
  for (const char* name :
       {"", "alice", "wallet:", "wallet:%3", "wallet:%zz", "world:x", "other:a"}) {
    EXPECT_EQ(parse_hledger_name(name), std::nullopt) << name;
  }
}

JournalOperation deposit_of(std::string_view id, std::string_view note) {
  JournalOperation operation;
  const Currency currency{CurrencyCode{"PTS2"}, 4};
  operation.receipt.id = OperationId{id};
  operation.receipt.type = OperationType::deposit;
  operation.receipt.metadata = Metadata::make({{"note", std::string(note)}}).value();
  operation.receipt.legs = {{.from = world_wallet(currency.code),
                             .to = WalletId{"a"},
                             .amount = MinorUnits{15},
                             .currency = currency.code,
                             .from_balance = {},
                             .from_version = {},
                             .to_balance = MinorUnits{15},
                             .to_version = 1}};
  operation.currencies = {currency};
  return operation;
}

TEST(HledgerWriter, no_text_of_a_user_becomes_syntax) {
  HledgerWriter writer;
  EXPECT_EQ(writer.write(deposit_of("op)1;", "[2020-01-01] ; a: b, c\nx  y")),
            "commodity \"PTS2\"\n    format 1000.0000 \"PTS2\"\n\n"
            "1970-01-01 (op%291%3B) deposit\n"
            "    ; at: 1970-01-01T00:00:00.000000Z\n"
            "    ; note: %5B2020-01-01%5D %3B a%3A b%2C c%0Ax  y\n"
            "    world:PTS2  -0.0015 \"PTS2\"\n"
            "    wallet:a  0.0015 \"PTS2\" = 0.0015 \"PTS2\"\n\n");
  EXPECT_EQ(writer.write(deposit_of("op2", "é")).find("commodity"), std::string::npos)
      << "a currency is declared once";
}

}  // namespace
}  // namespace mizan::cli
