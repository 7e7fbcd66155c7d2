#include "webhook/secret.hpp"

#include "base/assert.hpp"
#include "base/sodium.hpp"

#include <sodium.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace mizan::webhook {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t new_size = 32;
constexpr std::size_t size_min = 24;
constexpr std::size_t size_max = 64;

using Bytes = std::vector<unsigned char>;

std::string to_base64(std::span<const unsigned char> bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(
      text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // The final zero.
  return text;
}

std::optional<Bytes> key_of(std::string_view secret) {
  if (!secret.starts_with(prefix)) return std::nullopt;
  secret.remove_prefix(prefix.size());
  Bytes key(size_max + 1);
  std::size_t size = 0;
  const char* end = nullptr;
  const int failed = sodium_base642bin(key.data(),
                                       key.size(),
                                       secret.data(),
                                       secret.size(),
                                       nullptr,
                                       &size,
                                       &end,
                                       sodium_base64_VARIANT_ORIGINAL);
  const bool is_whole = failed == 0 && end == secret.data() + secret.size();
  if (!is_whole || size < size_min || size > size_max) return std::nullopt;
  key.resize(size);
  return key;
}

std::string signature(const Bytes& key, std::string_view text) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, key.data(), key.size());
  crypto_auth_hmacsha256_update(
      &state, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> digest{};
  crypto_auth_hmacsha256_final(&state, digest.data());
  return "v1," + to_base64(digest);
}

}  // namespace

std::string new_secret(Random& random) {
  require_sodium();
  std::array<std::byte, new_size> bytes{};
  random.fill(bytes);
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  return std::string(prefix) + to_base64({data, bytes.size()});
}

bool is_secret(std::string_view text) {
  return key_of(text).has_value();
}

std::string sign(std::span<const std::string> secrets, const SignedContent& content) {
  require_sodium();
  std::string text(content.id);
  text.append(".").append(timestamp_text(content.at)).append(".").append(content.body);
  std::string signatures;
  for (const std::string& secret : secrets) {
    const auto key = key_of(secret);
    MIZAN_ASSERT(key.has_value());
    if (!signatures.empty()) signatures += ' ';
    signatures += signature(*key, text);
  }
  return signatures;
}

std::string timestamp_text(Timestamp at) {
  return std::to_string(std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count());
}

}  // namespace mizan::webhook
