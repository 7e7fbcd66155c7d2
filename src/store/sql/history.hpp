#pragma once

#include "mizan/plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace mizan::sql {

// A wallet's entries form a chain that needs no index: each one stores where the wallet's previous
// entry stands, and one jump further back. Decision 0011 says why.

/// An entry whose version is not a multiple of the stride jumps to the last one that is; a multiple
/// of the stride jumps to the last multiple of the stride's square, and so on.
inline constexpr std::uint64_t history_stride = 16;

/// The version that the entry with this version jumps to; 0 where it jumps nowhere.
[[nodiscard]] constexpr std::uint64_t jump_version(std::uint64_t version) noexcept {
  std::uint64_t step = history_stride;
  while (version != 0 && version % step == 0) {
    if (step > UINT64_MAX / history_stride) return 0;
    step *= history_stride;
  }
  return version - version % step;
}

/// Where one side of a journal row goes on. 0: nowhere.
struct EntryLinks {
  Sequence previous;
  Sequence jump;

  friend bool operator==(const EntryLinks&, const EntryLinks&) = default;
};

/// The links of both sides of the row at `sequence` as bytes: the four distances back (from's
/// previous and jump, to's previous and jump; 0: none), each as LEB128.
class EncodedLinks {
 public:
  EncodedLinks() = default;
  EncodedLinks(Sequence sequence, const EntryLinks& from, const EntryLinks& to) noexcept;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {bytes_.data(), size_}; }

 private:
  void append(std::uint64_t value) noexcept;

  std::array<std::byte, 40> bytes_{};
  std::uint8_t size_ = 0;
};

struct LinkedSides {
  EntryLinks from;
  EntryLinks to;
};

/// Nothing where the bytes are not what EncodedLinks writes.
[[nodiscard]] std::optional<LinkedSides> decode_links(Sequence sequence,
                                                      std::span<const std::byte> bytes) noexcept;

}  // namespace mizan::sql
