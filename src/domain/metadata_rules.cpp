#include "mizan/metadata.hpp"

#include "base/json_pointer.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace mizan {

namespace {

constexpr std::size_t quoted_size_max = 80;

constexpr const char* whole = "/metadata";

Error broken(std::string detail) {
  return invalid_request(whole, std::move(detail));
}

Error broken_item(std::string_view key, std::string detail) {
  return invalid_request(member_pointer(whole, key), std::move(detail));
}

std::string quoted(std::string_view text) {
  return "\"" + escape_for_log(text, quoted_size_max) + "\"";
}

bool is_key_character(char c) noexcept {
  const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return is_letter || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

bool is_key(std::string_view key) noexcept {
  return !key.empty() && key.size() <= Metadata::key_size_max &&
         std::all_of(key.begin(), key.end(), is_key_character);
}

bool is_control(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/// Valid UTF-8 without control characters other than tab and newline.
bool is_value_text(std::string_view text) noexcept {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const bool is_allowed = !is_control(point.value) || point.value == '\t' || point.value == '\n';
    if (!point.valid || !is_allowed) return false;
    text.remove_prefix(point.size);
  }
  return true;
}

Status check_item(const Metadata::Item& item) {
  const auto& [key, value] = item;
  if (!is_key(key)) {
    return broken_item(
        key, "a metadata key has 1 to 64 of A-Z, a-z, 0-9 and . _ -; this is " + quoted(key));
  }
  if (value.size() > Metadata::value_size_max) {
    return broken_item(key,
                       "a metadata value has at most 512 bytes; that of " + quoted(key) + " has " +
                           std::to_string(value.size()));
  }
  if (!is_value_text(value)) {
    return broken_item(
        key,
        "a metadata value is UTF-8 without control characters other than tab and newline; "
        "that of " +
            quoted(key) + " is not");
  }
  return {};
}

}  // namespace

Result<Metadata> Metadata::make(std::vector<Item> items) {
  if (items.size() > items_max) {
    return broken("metadata has at most 16 keys; this has " + std::to_string(items.size()));
  }
  std::size_t total = 0;
  for (const Item& item : items) {
    Status status = check_item(item);
    if (!status) return std::move(status).error();
    total += item.first.size() + item.second.size();
  }
  if (total > total_size_max) {
    return broken("metadata has at most 4096 bytes in all; this has " + std::to_string(total));
  }
  std::sort(items.begin(), items.end());
  const auto repeated = std::adjacent_find(
      items.begin(), items.end(), [](const Item& a, const Item& b) { return a.first == b.first; });
  if (repeated != items.end()) {
    return broken_item(repeated->first,
                       "metadata names the key " + quoted(repeated->first) + " twice");
  }
  Metadata metadata;
  metadata.items_ = std::move(items);
  return metadata;
}

}  // namespace mizan
