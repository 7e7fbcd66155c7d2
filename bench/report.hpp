#pragma once

#include "bench/bench.hpp"
#include "bench/cell.hpp"
#include "bench/requirements.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::bench {

/// "1,234,567".
[[nodiscard]] std::string group_digits(std::uint64_t number);

/// A duration with a unit that leaves two or three digits, e.g. "68.0 µs", "4.12 ms".
[[nodiscard]] std::string format_microseconds(double microseconds);

/// One line of JSON, with the fields that docs/reference/bench.md lists.
[[nodiscard]] std::string to_json(const Cell& cell);

/// The row of the table, and the line of column names above it.
[[nodiscard]] std::string table_row(const Cell& cell);
[[nodiscard]] std::string table_head();

/// What was required and what was reached.
[[nodiscard]] std::string requirements_table(std::span<const Requirement> requirements);

/// Prints a run as it goes and keeps its cells. One thread at a time.
class Report {
 public:
  Report(const Console& console, bool json);

  /// A title above a new table; nothing in JSON.
  void begin(std::string_view title);

  /// A verified figure.
  void add(Cell cell);

  /// A sentence below the table; on stderr beside JSON.
  void note(std::string_view text);

  /// What is going on, on a terminal only; overwritten by what comes next.
  void progress(std::string_view text);

  /// An error, for people.
  void complain(std::string_view text);

  /// The requirements against all cells so far; nothing in JSON.
  void conclude();

  [[nodiscard]] const std::vector<Cell>& cells() const noexcept { return cells_; }

 private:
  void clear_progress();

  const Console& console_;
  bool json_;
  bool is_progress_drawn_ = false;
  std::vector<Cell> cells_;
};

}  // namespace mizan::bench
