#include "store/sql/history.hpp"

namespace mizan::sql {
namespace {

std::uint64_t distance(Sequence from, Sequence back) noexcept {
  return back.value() == 0 ? 0 : static_cast<std::uint64_t>(from.value() - back.value());
}

/// Reads one number and moves `bytes` behind it.
std::optional<std::uint64_t> take_number(std::span<const std::byte>& bytes) noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(bytes.front());
    bytes = bytes.subspan(1);
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

}  // namespace

EncodedLinks::EncodedLinks(Sequence sequence,
                           const EntryLinks& from,
                           const EntryLinks& to) noexcept {
  append(distance(sequence, from.previous));
  append(distance(sequence, from.jump));
  append(distance(sequence, to.previous));
  append(distance(sequence, to.jump));
}

void EncodedLinks::append(std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7) {
    bytes_[size_++] = static_cast<std::byte>((value & 0x7f) | 0x80);
  }
  bytes_[size_++] = static_cast<std::byte>(value);
}

std::optional<LinkedSides> decode_links(Sequence sequence,
                                        std::span<const std::byte> bytes) noexcept {
  std::array<Sequence, 4> links{};
  for (Sequence& link : links) {
    const auto back = take_number(bytes);
    if (!back || *back > static_cast<std::uint64_t>(sequence.value())) return std::nullopt;
    if (*back != 0) link = Sequence{sequence.value() - static_cast<std::int64_t>(*back)};
  }
  if (!bytes.empty()) return std::nullopt;
  return LinkedSides{{links[0], links[1]}, {links[2], links[3]}};
}

}  // namespace mizan::sql
