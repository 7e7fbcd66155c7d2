#include "cli/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mizan::cli {
namespace {

constexpr std::size_t read_size = 65'536;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

CsvReader::CsvReader(ReadSome read) : read_(std::move(read)) {}

Status CsvReader::refill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + read_size);
  auto count = read_(std::span(buffer_).subspan(kept));
  buffer_.resize(kept + (count ? *count : 0));
  if (!count) return std::move(count).error();
  at_end_ = *count == 0;
  if (first_ && buffer_.starts_with(byte_order_mark)) buffer_.erase(0, byte_order_mark.size());
  first_ = false;
  return {};
}

Status CsvReader::skip_blank_lines() {
  while (true) {
    if (begin_ >= buffer_.size()) {
      if (at_end_) return {};
      if (Status filled = refill(); !filled) return filled;
      continue;
    }
    const char next = buffer_[begin_];
    if (next != '\n' && next != '\r') return {};
    if (next == '\n') ++line_;
    ++begin_;
  }
}

/// Reads a quoted field from its opening quote to behind its closing one. False: more input is
/// needed, or `problem_` says what is wrong.
bool CsvReader::parse_quoted(std::size_t& at, std::string& field) {
  ++at;
  while (true) {
    const std::size_t quote = buffer_.find('"', at);
    if (quote == std::string::npos || (quote + 1 == buffer_.size() && !at_end_)) {
      if (at_end_) problem_ = "a quoted field has no closing quote";
      return false;
    }
    field.append(buffer_, at, quote - at);
    at = quote + 1;
    if (at == buffer_.size()) return true;
    const char next = buffer_[at];
    if (next == ',' || next == '\n' || next == '\r') return true;
    if (next != '"') {
      problem_ = "text follows a closing quote; a quote inside a field is written twice";
      return false;
    }
    field += '"';
    ++at;
  }
}

/// Reads a field without quotes to behind its end. False: as for `parse_quoted`.
bool CsvReader::parse_plain(std::size_t& at, std::string& field) {
  const std::size_t stop = std::min(buffer_.find_first_of(",\n\"", at), buffer_.size());
  if (stop == buffer_.size() && !at_end_) return false;
  if (stop < buffer_.size() && buffer_[stop] == '"') {
    problem_ = "a quote stands in a field that does not begin with one";
    return false;
  }
  field.assign(buffer_, at, stop - at);
  at = stop;
  return true;
}

CsvReader::Step CsvReader::parse() {
  fields_.clear();
  problem_.clear();
  std::size_t at = begin_;
  while (true) {
    std::string field;
    const bool quoted = at < buffer_.size() && buffer_[at] == '"';
    const bool whole = quoted ? parse_quoted(at, field) : parse_plain(at, field);
    if (!whole) return problem_.empty() ? Step::more : Step::problem;
    if (at < buffer_.size() && buffer_[at] == '\r') {
      if (at + 1 == buffer_.size() && !at_end_) return Step::more;
      ++at;
    }
    const bool ends = at >= buffer_.size() || buffer_[at] == '\n';
    if (ends && !field.empty() && field.back() == '\r') field.pop_back();
    fields_.push_back(std::move(field));
    if (ends) {
      end_ = std::min(at + 1, buffer_.size());
      return Step::record;
    }
    if (buffer_[at] != ',') {
      problem_ = "a carriage return stands inside a line";
      return Step::problem;
    }
    ++at;
  }
}

CsvReader::Item CsvReader::take_record() {
  CsvRecord record{line_, std::move(fields_)};
  const auto from = std::next(buffer_.begin(), static_cast<std::ptrdiff_t>(begin_));
  const auto to = std::next(buffer_.begin(), static_cast<std::ptrdiff_t>(end_));
  line_ += static_cast<std::size_t>(std::count(from, to, '\n'));
  begin_ = end_;
  return record;
}

Result<std::optional<CsvReader::Item>> CsvReader::take_problem() {
  CsvProblem problem{line_, std::move(problem_)};
  // From the next line on, so that a lost quote costs one row and not the rest of the file.
  std::size_t newline = buffer_.find('\n', begin_);
  while (newline == std::string::npos && !at_end_) {
    begin_ = buffer_.size();
    if (Status filled = refill(); !filled) return std::move(filled).error();
    newline = buffer_.find('\n');
  }
  begin_ = newline == std::string::npos ? buffer_.size() : newline + 1;
  ++line_;
  return std::optional<Item>{std::move(problem)};
}

Result<std::optional<CsvReader::Item>> CsvReader::next() {
  if (Status skipped = skip_blank_lines(); !skipped) return std::move(skipped).error();
  if (begin_ >= buffer_.size()) return std::optional<Item>{};
  while (true) {
    const Step step = parse();
    if (step == Step::record) return std::optional<Item>{take_record()};
    if (step == Step::problem) return take_problem();
    if (buffer_.size() - begin_ > record_size_max) {
      problem_ = fmt::format("longer than {} bytes; is a closing quote missing?", record_size_max);
      return take_problem();
    }
    if (Status filled = refill(); !filled) return std::move(filled).error();
  }
}

std::string csv_field(std::string_view text) {
  const bool blank_ends = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank_ends && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace mizan::cli
