#include "base/api_key.hpp"

#include "base/base64.hpp"
#include "base/sodium.hpp"

#include <sodium.h>

#include <algorithm>

namespace mizan {
namespace {

constexpr std::size_t id_size = 12;
constexpr std::size_t secret_size = 43;  // 32 bytes in base64url.
constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

bool is_of_alphabet(char c) noexcept {
  return alphabet.find(c) != std::string_view::npos;
}

std::array<std::byte, 32> hash_of(std::string_view secret) {
  require_sodium();
  std::array<std::byte, 32> hash{};
  // The library's own form of bytes.
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()),
                     hash.size(),
                     reinterpret_cast<const unsigned char*>(secret.data()),
                     secret.size(),
                     nullptr,
                     0);
  return hash;
}

}  // namespace

ApiKey make_api_key(Random& random) {
  ApiKey key;
  for (std::size_t i = 0; i < id_size; ++i) key.id += alphabet[random.below(alphabet.size())];
  std::string bytes(32, '\0');
  random.fill(std::as_writable_bytes(std::span(bytes)));
  const std::string secret = to_base64url(bytes);
  key.text = std::string(api_key_mark) + key.id + '_' + secret;
  key.hash = hash_of(secret);
  return key;
}

std::optional<ApiKey> read_api_key(std::string_view text) {
  const bool has_form = text.size() == api_key_mark.size() + id_size + 1 + secret_size &&
                        text.starts_with(api_key_mark) &&
                        text[api_key_mark.size() + id_size] == '_';
  if (!has_form) return std::nullopt;
  const std::string_view id = text.substr(api_key_mark.size(), id_size);
  if (!std::all_of(id.begin(), id.end(), is_of_alphabet)) return std::nullopt;
  ApiKey key;
  key.id = id;
  key.hash = hash_of(text.substr(text.size() - secret_size));
  return key;
}

bool is_same_hash(const std::array<std::byte, 32>& a, const std::array<std::byte, 32>& b) noexcept {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace mizan
