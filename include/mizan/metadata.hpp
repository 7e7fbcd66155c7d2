#pragma once

#include "mizan/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan {

/// A small map from string to string, kept sorted by key, keys unique.
/// Limits: 16 keys; keys of 1–64 bytes of `A-Za-z0-9._-`; values up to 512 bytes of valid UTF-8
/// without control characters other than tab and newline; 4,096 bytes in all.
class Metadata {
 public:
  using Item = std::pair<std::string, std::string>;
  static constexpr std::size_t items_max = 16;
  static constexpr std::size_t key_size_max = 64;
  static constexpr std::size_t value_size_max = 512;
  static constexpr std::size_t total_size_max = 4096;

  Metadata() = default;

  /// Refuses with `invalid_request` what crosses a limit or repeats a key.
  [[nodiscard]] static Result<Metadata> make(std::vector<Item> items);

  [[nodiscard]] const std::vector<Item>& items() const noexcept { return items_; }

  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }

  friend bool operator==(const Metadata&, const Metadata&) = default;

 private:
  std::vector<Item> items_;
};

/// The text form that stores keep: one JSON object with string values, keys sorted, no white
/// space. An empty map is an empty text, so that it costs nothing in a row.
[[nodiscard]] std::string encode_metadata(const Metadata& metadata);
[[nodiscard]] Result<Metadata> decode_metadata(std::string_view text);

}  // namespace mizan
