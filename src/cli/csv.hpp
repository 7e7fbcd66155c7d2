#pragma once

#include "mizan/result.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan::cli {

/// Reads the next bytes into the buffer; answers how many, 0 at the end.
using ReadSome = std::function<Result<std::size_t>(std::span<char> into)>;

struct CsvRecord {
  std::size_t line = 0;  ///< Where it begins, from 1.
  std::vector<std::string> fields;
};

/// A record that breaks the format. Reading goes on in the line after the one where it begins.
struct CsvProblem {
  std::size_t line = 0;
  std::string detail;
};

/// Comma-separated values by RFC 4180: quoted fields, doubled quotes, line breaks in quotes, CRLF
/// or LF. A byte order mark and empty lines are skipped. Memory is bounded by the longest record,
/// which may have 64 KiB.
class CsvReader {
 public:
  using Item = std::variant<CsvRecord, CsvProblem>;
  static constexpr std::size_t record_size_max = 65'536;

  explicit CsvReader(ReadSome read);

  /// The next record or problem; nothing at the end.
  [[nodiscard]] Result<std::optional<Item>> next();

 private:
  enum class Step { record, problem, more };

  Status refill();
  Status skip_blank_lines();
  Step parse();
  bool parse_quoted(std::size_t& at, std::string& field);
  bool parse_plain(std::size_t& at, std::string& field);
  Item take_record();
  Result<std::optional<Item>> take_problem();

  ReadSome read_;
  std::string buffer_;
  std::size_t begin_ = 0;  // Of the record that is parsed.
  std::size_t end_ = 0;    // Behind the record that was parsed.
  bool at_end_ = false;
  bool first_ = true;
  std::size_t line_ = 1;
  std::vector<std::string> fields_;
  std::string problem_;
};

/// A field for CSV, quoted where it must be.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace mizan::cli
