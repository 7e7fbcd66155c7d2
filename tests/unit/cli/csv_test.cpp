#include "cli/csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::cli {
namespace {

/// Gives out a text in pieces, as a pipe does.
ReadSome pieces_of(std::string text, std::size_t size) {
  return [text = std::move(text), size, at = std::size_t{0}](
             std::span<char> into) mutable -> Result<std::size_t> {
    const std::size_t count = std::min({size, into.size(), text.size() - at});
    std::copy_n(text.data() + at, count, into.data());
    at += count;
    return count;
  };
}

/// Each record as `line|field|field`, each problem as `line!`.
std::vector<std::string> read_all(const std::string& text, std::size_t piece = 1'000) {
  CsvReader reader(pieces_of(text, piece));
  std::vector<std::string> seen;
  while (true) {
    auto item = reader.next();
    if (!item || !*item) return seen;
    if (const auto* problem = std::get_if<CsvProblem>(&**item)) {
      seen.push_back(std::to_string(problem->line) + "!");
      continue;
    }
    const CsvRecord& record = std::get<CsvRecord>(**item);
    std::string shown = std::to_string(record.line);
    for (const std::string& field : record.fields) shown += "|" + field;
    seen.push_back(shown);
  }
}

using Lines = std::vector<std::string>;

TEST(CsvReader, fields_are_separated_by_commas_and_records_by_line_ends) {
  EXPECT_EQ(read_all("a,b\nc,d\r\ne,"), (Lines{"1|a|b", "2|c|d", "3|e|"}));
}

TEST(CsvReader, a_quoted_field_keeps_commas_line_ends_and_doubled_quotes) {
  EXPECT_EQ(read_all("\"a,\nb\",\"say \"\"hi\"\"\"\nc,d\n"),
            (Lines{"1|a,\nb|say \"hi\"", "3|c|d"}));
}

TEST(CsvReader, empty_lines_and_a_byte_order_mark_are_skipped_and_lines_counted) {
  EXPECT_EQ(read_all("\xef\xbb\xbf\n\r\na,b\n\nc,d"), (Lines{"3|a|b", "5|c|d"}));
}

TEST(CsvReader, the_size_of_the_pieces_makes_no_difference) {
  const std::string text = "a,\"b\r\nb\"\r\n\"\"\"\",d\r\nx\"y,z\r\nlast,\"one\"";
  const Lines whole = read_all(text);
  EXPECT_EQ(whole, (Lines{"1|a|b\r\nb", "3|\"|d", "4!", "5|last|one"}));
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    EXPECT_EQ(read_all(text, piece), whole) << "in pieces of " << piece;
  }
}

TEST(CsvReader, a_lost_quote_costs_one_row_and_not_the_rest) {
  EXPECT_EQ(read_all("a,\"b\nc,d\ne,f\n"), (Lines{"1!", "2|c|d", "3|e|f"}));
  EXPECT_EQ(read_all("a,\"b\"x\nc,d\n"), (Lines{"1!", "2|c|d"}));
}

TEST(CsvReader, a_record_without_end_is_given_up_and_memory_stays_bounded) {
  std::string text = "a,\"" + std::string(3 * CsvReader::record_size_max, 'x') + "\nb,c\n";
  EXPECT_EQ(read_all(text), (Lines{"1!", "2|b|c"}));
}

TEST(CsvReader, an_empty_file_has_no_records) {
  EXPECT_EQ(read_all(""), Lines{});
  EXPECT_EQ(read_all("\r\n\n"), Lines{});
}

TEST(CsvReader, a_field_that_was_written_is_read_back) {
  for (const std::string text : {"", "a", "a,b", "a\"b", "a\nb", " a", "\"", "\r\n"}) {
    EXPECT_EQ(read_all(csv_field(text) + ",x\n").at(0), "1|" + text + "|x");
  }
}

}  // namespace
}  // namespace mizan::cli
