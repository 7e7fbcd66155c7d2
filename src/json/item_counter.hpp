#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mizan::json {

/// Counts the items of one array of the object at the top of a JSON text that comes in pieces, so
/// that a text of too many is known before it is there. It judges nothing else: the text may turn
/// out not to be JSON at all. One thread at a time.
class ItemCounter {
 public:
  ItemCounter(std::string_view key, std::size_t items_max) : key_(key), items_max_(items_max) {}

  /// False from the comma on behind which there would be too many.
  [[nodiscard]] bool feed(std::string_view piece);

 private:
  void step(char c);
  void step_in_string(char c);

  std::string key_;
  std::size_t items_max_;
  std::string string_;  // The last one that began at the top, as it is spelt.
  std::size_t depth_ = 0;
  std::size_t commas_ = 0;
  bool in_string_ = false;
  bool is_escaped_ = false;
  bool is_after_key_ = false;
  bool in_array_ = false;
};

}  // namespace mizan::json
