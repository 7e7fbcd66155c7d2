#pragma once

#include "mizan/clock.hpp"

#include "base/random.hpp"

#include <span>
#include <string>
#include <string_view>

namespace mizan::webhook {

// Signatures by the Standard Webhooks specification: HMAC-SHA256, version "v1".

/// `whsec_` and 32 random bytes in base64.
[[nodiscard]] std::string new_secret(Random& random);

/// `whsec_` and the base64 of 24 to 64 bytes.
[[nodiscard]] bool is_secret(std::string_view text);

/// What is signed.
struct SignedContent {
  std::string_view id;
  Timestamp at;
  std::string_view body;
};

/// The value of `webhook-signature`: one signature for each secret, so that a receiver may know the
/// old or the new one while they are exchanged. Requires secrets.
[[nodiscard]] std::string sign(std::span<const std::string> secrets, const SignedContent& content);

/// The value of `webhook-timestamp`.
[[nodiscard]] std::string timestamp_text(Timestamp at);

}  // namespace mizan::webhook
