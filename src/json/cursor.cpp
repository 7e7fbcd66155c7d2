#include "json/cursor.hpp"

#include "base/base64.hpp"
#include "base/text.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace mizan::json {
namespace {

constexpr std::string_view wallets_mark = "w1:";
constexpr std::string_view entries_mark = "e1:";
constexpr std::string_view events_mark = "v1:";

/// What stands behind the mark; nothing where the text is no cursor of this kind.
std::optional<std::string> content_of(std::string_view text, std::string_view mark) {
  std::optional<std::string> bytes = from_base64url(text);
  if (!bytes || !bytes->starts_with(mark)) return std::nullopt;
  bytes->erase(0, mark.size());
  return bytes;
}

Error no_cursor() {
  return invalid_request("/cursor", "the cursor is not one that a page of this list ended with");
}

}  // namespace

std::string wallets_cursor(const WalletId& after) {
  return to_base64url(std::string(wallets_mark).append(after.view()));
}

Result<WalletId> parse_wallets_cursor(std::string_view text) {
  const std::optional<std::string> content = content_of(text, wallets_mark);
  if (!content) return no_cursor();
  Result<WalletId> after = parse_wallet_id(*content);
  if (!after) return no_cursor();
  return after;
}

std::string entries_cursor(const WalletId& wallet, std::uint64_t before_version) {
  return to_base64url(std::string(entries_mark)
                          .append(std::to_string(before_version))
                          .append(":")
                          .append(wallet.view()));
}

Result<std::uint64_t> parse_entries_cursor(std::string_view text, const WalletId& wallet) {
  const std::optional<std::string> content = content_of(text, entries_mark);
  if (!content) return no_cursor();
  const std::size_t colon = content->find(':');
  const auto version = parse_unsigned(std::string_view(*content).substr(0, colon));
  const bool is_ours = version && text == entries_cursor(wallet, *version);
  if (!is_ours) return no_cursor();
  return *version;
}

std::string events_cursor(EventPlace after) {
  return to_base64url(std::string(events_mark).append(std::to_string(after.value())));
}

Result<EventPlace> parse_events_cursor(std::string_view text) {
  const std::optional<std::string> content = content_of(text, events_mark);
  const auto place = content ? parse_unsigned(*content) : std::nullopt;
  constexpr auto place_max = std::numeric_limits<std::int64_t>::max();
  if (!place || *place > static_cast<std::uint64_t>(place_max)) {
    return invalid_request("/after", "the cursor is not one that a page of events ended with");
  }
  return EventPlace{static_cast<std::int64_t>(*place)};
}

}  // namespace mizan::json
