#pragma once

#include <span>

namespace mizan::http_client {

/// Whether an IPv4 (4 bytes) or IPv6 (16 bytes) address is one of the public internet: not this
/// machine, a private or shared network, link-local (where clouds tell secrets to whoever asks),
/// multicast, or reserved. An IPv6 address that contains an IPv4 address is judged by that one.
[[nodiscard]] bool is_public_address(std::span<const unsigned char> bytes) noexcept;

}  // namespace mizan::http_client
