#include "json/item_counter.hpp"

namespace mizan::json {

namespace {

/// Where a string that nobody reads ends or has an escape.
std::size_t end_of_plain_text(std::string_view piece, std::size_t from) {
  while (from < piece.size() && piece[from] != '"' && piece[from] != '\\') ++from;
  return from;
}

}  // namespace

bool ItemCounter::feed(std::string_view piece) {
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (in_string_ && depth_ != 1 && !is_escaped_) i = end_of_plain_text(piece, i);
    if (i == piece.size()) break;
    if (in_string_) {
      step_in_string(piece[i]);
    } else {
      step(piece[i]);
    }
    if (commas_ >= items_max_) return false;
  }
  return true;
}

void ItemCounter::step_in_string(char c) {
  const bool ends = c == '"' && !is_escaped_;
  is_escaped_ = c == '\\' && !is_escaped_;
  if (ends) in_string_ = false;
  // One character more than the key has tells that it is not the key.
  if (!ends && depth_ == 1 && string_.size() <= key_.size()) string_ += c;
}

void ItemCounter::step(char c) {
  switch (c) {
    case '"':
      in_string_ = true;
      if (depth_ == 1) string_.clear();
      return;
    case '{':
    case '[':
      ++depth_;
      in_array_ = in_array_ || (depth_ == 2 && c == '[' && is_after_key_);
      return;
    case '}':
    case ']':
      if (depth_ > 0) --depth_;
      if (depth_ < 2) in_array_ = false;
      return;
    case ':':
      if (depth_ == 1) is_after_key_ = string_ == key_;
      return;
    case ',':
      if (depth_ == 1) is_after_key_ = false;
      if (depth_ == 2 && in_array_) ++commas_;
      return;
    default:
      return;
  }
}

}  // namespace mizan::json
