#include "json/item_counter.hpp"

namespace mizan::json {

bool ItemCounter::feed(std::string_view piece) {
  for (const char c : piece) {
    if (in_string_) {
      step_in_string(c);
    } else {
      step(c);
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
