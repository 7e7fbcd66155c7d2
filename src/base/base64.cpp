#include "base/base64.hpp"

#include "base/sodium.hpp"

#include <sodium.h>

#include <cstddef>

namespace mizan {
namespace {

constexpr int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

}  // namespace

std::string to_base64url(std::string_view bytes) {
  require_sodium();
  const std::size_t size = sodium_base64_ENCODED_LEN(bytes.size(), variant);
  std::string text(size, '\0');
  sodium_bin2base64(text.data(),
                    text.size(),
                    reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(),
                    variant);
  text.pop_back();  // The zero that ends it.
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  require_sodium();
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  const int failure = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()),
                                        bytes.size(),
                                        text.data(),
                                        text.size(),
                                        nullptr,
                                        &size,
                                        nullptr,
                                        variant);
  if (failure != 0) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace mizan
