#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

namespace mizan {

/// A short text held inline (no allocation), compared byte for byte. `Tag` gives it an identity:
/// texts with different tags do not mix. Immutable but for assignment; empty by default.
template <class Tag, std::size_t Max>
class ShortText {
 public:
  static_assert(Max <= 255);
  static constexpr std::size_t max_size = Max;

  constexpr ShortText() noexcept = default;

  /// Requires text.size() <= Max; a longer text is cut. Parsing functions check before.
  constexpr explicit ShortText(std::string_view text) noexcept
      : size_(static_cast<std::uint8_t>(std::min(text.size(), Max))) {
    std::copy_n(text.data(), size_, bytes_.data());
  }

  [[nodiscard]] constexpr std::string_view view() const noexcept { return {bytes_.data(), size_}; }

  [[nodiscard]] std::string str() const { return std::string(view()); }

  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

  friend constexpr bool operator==(const ShortText& a, const ShortText& b) noexcept {
    return a.view() == b.view();
  }

  friend constexpr std::strong_ordering operator<=>(const ShortText& a,
                                                    const ShortText& b) noexcept {
    return a.view() <=> b.view();
  }

 private:
  std::uint8_t size_ = 0;
  std::array<char, Max> bytes_{};
};

/// A number with an identity; ordered by value.
template <class Tag, class Rep>
class StrongNumber {
 public:
  using rep = Rep;

  constexpr StrongNumber() noexcept = default;

  constexpr explicit StrongNumber(Rep value) noexcept : value_(value) {}

  [[nodiscard]] constexpr Rep value() const noexcept { return value_; }

  friend constexpr auto operator<=>(StrongNumber, StrongNumber) = default;

 private:
  Rep value_{};
};

}  // namespace mizan

template <class Tag, std::size_t Max>
struct std::hash<mizan::ShortText<Tag, Max>> {
  std::size_t operator()(const mizan::ShortText<Tag, Max>& text) const noexcept {
    return std::hash<std::string_view>{}(text.view());
  }
};

template <class Tag, class Rep>
struct std::hash<mizan::StrongNumber<Tag, Rep>> {
  std::size_t operator()(mizan::StrongNumber<Tag, Rep> number) const noexcept {
    return std::hash<Rep>{}(number.value());
  }
};
