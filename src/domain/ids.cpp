#include "mizan/ids.hpp"

#include "base/ledger_resource.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace mizan {

namespace {

constexpr std::size_t quoted_size_max = 80;

bool is_visible_ascii(char c) noexcept {
  return c >= 0x21 && c <= 0x7e;
}

bool is_wallet_character(char c) noexcept {
  const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  const bool is_digit = c >= '0' && c <= '9';
  return is_letter || is_digit || std::string_view("._:@/-").find(c) != std::string_view::npos;
}

/// What a kind of id allows.
struct IdRule {
  std::string_view name;  ///< With its article: it begins a sentence.
  std::string_view what;
  std::size_t size_max;
  bool (*allows)(char) noexcept;
  std::string_view allowed;
};

Error broken(const IdRule& rule, std::string detail) {
  return invalid_request(std::string(rule.what), std::string(rule.name) + std::move(detail));
}

std::optional<Error> check(std::string_view text, const IdRule& rule) {
  const std::string limits = "1 to " + std::to_string(rule.size_max);
  if (text.empty()) return broken(rule, " must have " + limits + " characters; this one is empty");
  if (text.size() > rule.size_max) {
    return broken(
        rule, " must have " + limits + " characters; this one has " + std::to_string(text.size()));
  }
  const auto strange = std::find_if_not(text.begin(), text.end(), rule.allows);
  if (strange == text.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(strange - text.begin());
  const std::size_t size = first_code_point(text.substr(place)).size;
  return broken(rule,
                " consists of " + std::string(rule.allowed) + "; character " +
                    std::to_string(place + 1) + " of \"" + escape_for_log(text, quoted_size_max) +
                    "\" is \"" + escape_for_log(text.substr(place, size)) + "\"");
}

template <class Id>
Result<Id> parse(std::string_view text, const IdRule& rule) {
  std::optional<Error> error = check(text, rule);
  if (error) return *std::move(error);
  return Id{text};
}

constexpr std::string_view visible = "visible ASCII characters (0x21 to 0x7e)";

}  // namespace

Result<OperationId> parse_operation_id(std::string_view text) {
  return parse<OperationId>(
      text, {"an operation id", "operation id", OperationId::max_size, is_visible_ascii, visible});
}

Result<WalletId> parse_wallet_id(std::string_view text) {
  return parse<WalletId>(text,
                         {"a wallet id",
                          "wallet id",
                          WalletId::max_size,
                          is_wallet_character,
                          "A-Z, a-z, 0-9 and . _ : @ / -"});
}

Result<Resource> parse_resource(std::string_view text) {
  auto resource = parse<Resource>(
      text, {"a resource", "resource", Resource::max_size, is_visible_ascii, visible});
  if (resource && is_ledger_resource(*resource)) {
    return invalid_request("resource", std::string(ledger_resource_rule));
  }
  return resource;
}

Result<LockOwner> parse_lock_owner(std::string_view text) {
  return parse<LockOwner>(
      text, {"a lock owner", "lock owner", LockOwner::max_size, is_visible_ascii, visible});
}

Result<FenceToken> parse_fence_token(std::string_view text) {
  constexpr auto token_max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::optional<std::uint64_t> number = parse_unsigned(text);
  if (!number || *number > token_max) {
    return invalid_request("fence token",
                           "a fence token is a whole number from 0 to " +
                               std::to_string(token_max) +
                               " without sign or leading zeros; this is \"" +
                               escape_for_log(text, quoted_size_max) + "\"");
  }
  return FenceToken{static_cast<std::int64_t>(*number)};
}

bool is_system_wallet(const WalletId& id) noexcept {
  return id.view().starts_with('@');
}

}  // namespace mizan
