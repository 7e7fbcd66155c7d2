#pragma once

#include "mizan/ledger.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::golden {

/// One line of a table, cut into words. `answer` is what stands after `->`.
struct Line {
  std::string place;  ///< "file:line", for messages.
  std::string text;
  std::vector<std::string> words;
  std::vector<std::string> answer;
};

/// The table itself is wrong: not the ledger.
class BadTable : public std::runtime_error {
 public:
  BadTable(const Line& line, const std::string& what)
      : std::runtime_error(line.place + ": " + what + "\n  " + line.text) {}
};

[[nodiscard]] std::vector<Line> cut(std::string_view text, const std::string& file);

/// An operation as a line asks for it, and how it is to be handed in.
struct Request {
  Operation operation;
  bool dry_run = false;
  bool final_refusals = false;
  bool late = false;
};

[[nodiscard]] bool is_operation(const Line& line);
[[nodiscard]] Request read_request(const Line& line);

[[nodiscard]] std::int64_t read_amount(const Line& line, std::string_view word);
[[nodiscard]] std::chrono::microseconds read_duration(const Line& line, std::string_view word);

/// What a line expects.
struct Answer {
  std::string code;
  std::vector<std::string> facts;  ///< Compared where there are any.
  std::optional<std::string> pointer;
  std::optional<std::string> over;
  bool again = false;
};

[[nodiscard]] Answer read_answer(const Line& line);

}  // namespace mizan::golden
