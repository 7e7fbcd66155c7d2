#pragma once

#include "base/random.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mizan {

/// What a key begins with.
inline constexpr std::string_view api_key_mark = "mzk_";

/// A key of the HTTP interface as its owner has it: `mzk_<id>_<secret>`. The id is public, the
/// secret 256 random bits, of which only the hash is kept.
struct ApiKey {
  std::string id;
  std::string text;
  std::array<std::byte, 32> hash{};
};

[[nodiscard]] ApiKey make_api_key(Random& random);

/// What a client showed: whose key it says it is, and what its secret hashes to. Nothing for a text
/// that is no key. Any thread may call it.
[[nodiscard]] std::optional<ApiKey> read_api_key(std::string_view text);

/// Takes the same time whatever the hashes are.
[[nodiscard]] bool is_same_hash(const std::array<std::byte, 32>& a,
                                const std::array<std::byte, 32>& b) noexcept;

}  // namespace mizan
