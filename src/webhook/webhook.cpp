#include "webhook/webhook.hpp"

#include "base/text.hpp"
#include "json/document.hpp"
#include "webhook/secret.hpp"

#include <algorithm>
#include <limits>

namespace mizan::webhook {
namespace {

constexpr std::string_view known_types[] = {"operation.applied"};

Error damaged(std::string_view what) {
  return internal_error("webhook: read", "damaged document: " + std::string(what));
}

json::Array texts(const std::vector<std::string>& values) {
  json::Array array;
  for (const std::string& value : values) array.add(value);
  return array;
}

/// Members of a document of ours; a missing one reads as empty.
class Members {
 public:
  explicit Members(const json::Node& node) : node_(node) {}

  [[nodiscard]] std::string text(std::string_view key) const {
    const json::Node* node = node_.find(key);
    return node == nullptr || node->kind() == json::Node::Kind::null ? std::string() : node->text();
  }

  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> values;
    const json::Node* node = node_.find(key);
    if (node == nullptr) return values;
    for (const json::Node& item : node->items()) values.push_back(item.text());
    return values;
  }

  [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const {
    const auto number = parse_unsigned(text(key));
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!number || *number > most) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }

  [[nodiscard]] std::optional<Timestamp> time(std::string_view key) const {
    return parse_rfc3339(text(key));
  }

 private:
  const json::Node& node_;
};

}  // namespace

std::string to_text(const Webhook& webhook) {
  return json::Object()
      .set("url", webhook.url)
      .set("types", texts(webhook.types))
      .set("secrets", texts(webhook.secrets))
      .set("enabled", webhook.is_enabled)
      .set("disabled_because", webhook.disabled_because)
      .set("created_at", webhook.created_at)
      .set("retries_asked", webhook.retries_asked)
      .text();
}

std::string to_text(const Progress& progress) {
  return json::Object()
      .set("place", progress.place.value())
      .set("lease_token", progress.token)
      .text();
}

std::string to_text(const DeliveryRecord& record) {
  return json::Object()
      .set("place", record.place.value())
      .set("event", record.event)
      .set("attempts", record.attempts)
      .set("first_failed_at", record.first_failed_at)
      .set("due", record.due)
      .set("last_error", record.last_error)
      .text();
}

Result<Webhook> read_webhook(std::string_view id, std::string_view text) {
  const auto document = json::parse_document(text);
  if (!document) return damaged(id);
  const Members members(*document);
  Webhook webhook;
  webhook.id = std::string(id);
  webhook.url = members.text("url");
  webhook.types = members.texts("types");
  webhook.secrets = members.texts("secrets");
  webhook.is_enabled = members.text("enabled") == "true";
  webhook.disabled_because = members.text("disabled_because");
  webhook.created_at = members.time("created_at").value_or(Timestamp());
  webhook.retries_asked = static_cast<std::uint64_t>(members.number("retries_asked").value_or(0));
  const bool can_sign = !webhook.secrets.empty() &&
                        std::all_of(webhook.secrets.begin(), webhook.secrets.end(), is_secret);
  if (webhook.url.empty() || !can_sign) return damaged(id);
  return webhook;
}

Result<Progress> read_progress(std::string_view text) {
  const auto document = json::parse_document(text);
  if (!document) return damaged("progress");
  const Members members(*document);
  const auto place = members.number("place");
  auto token = members.number("lease_token");
  // Of the lease under its former name, whose tokens say nothing about this one's (decision 0025).
  if (!token && members.number("token")) token = 0;
  if (!place || !token) return damaged("progress");
  return Progress{EventPlace{*place}, *token};
}

Result<DeliveryRecord> read_delivery(std::string_view text) {
  const auto document = json::parse_document(text);
  if (!document) return damaged("delivery");
  const Members members(*document);
  DeliveryRecord record;
  const auto place = members.number("place");
  const auto attempts = members.number("attempts");
  if (!place || !attempts) return damaged("delivery");
  record.place = EventPlace{*place};
  record.event = members.text("event");
  record.attempts = static_cast<std::uint32_t>(*attempts);
  record.first_failed_at = members.time("first_failed_at");
  record.due = members.time("due").value_or(Timestamp());
  record.last_error = members.text("last_error");
  return record;
}

json::Object to_object(const Webhook& webhook) {
  json::Object object;
  object.set("id", webhook.id)
      .set("url", webhook.url)
      .set("types", texts(webhook.types))
      .set("status", webhook.is_enabled ? "enabled" : "disabled")
      .set("secrets", webhook.secrets.size())
      .set("created_at", webhook.created_at);
  if (!webhook.is_enabled) object.set("disabled_because", webhook.disabled_because);
  return object;
}

json::Object to_object(const DeliveryRecord& record) {
  json::Object object;
  object.set("event", record.event)
      .set("attempts", record.attempts)
      .set("first_failed_at", record.first_failed_at)
      .set("last_error", record.last_error);
  return object;
}

namespace {

/// An IPv6 address in brackets, or a name or address without any.
bool is_host(std::string_view host) {
  if (!host.starts_with('[')) {
    return !host.empty() && host.find_first_of("[]:") == std::string_view::npos;
  }
  if (!host.ends_with(']')) return false;
  const std::string_view address = host.substr(1, host.size() - 2);
  return std::count(address.begin(), address.end(), ':') >= 2 &&
         address.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

/// 1 to 65535 in digits.
bool is_port(std::string_view text) {
  constexpr std::uint64_t port_max = 65'535;
  const auto port = parse_unsigned(text);
  return port && *port >= 1 && *port <= port_max;
}

Status check_authority(std::string_view authority) {
  const auto wrong = [](std::string detail) { return invalid_request("/url", std::move(detail)); };
  if (authority.find('@') != std::string_view::npos) {
    return wrong("a URL has no user or password here: the receiver checks the signature");
  }
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (!is_host(authority.substr(0, colon))) {
    return wrong("a URL names a host: a name, an IPv4 address, or an IPv6 address in brackets");
  }
  if (colon != std::string_view::npos && !is_port(authority.substr(colon + 1))) {
    return wrong("a URL's port is 1 to 65535");
  }
  return {};
}

}  // namespace

Status check_url(std::string_view url) {
  const auto wrong = [](std::string detail) { return invalid_request("/url", std::move(detail)); };
  if (url.size() > url_size_max) {
    return wrong("a URL has at most " + std::to_string(url_size_max) + " bytes");
  }
  const bool is_plain =
      std::all_of(url.begin(), url.end(), [](char c) { return '!' <= c && c <= '~'; });
  if (!is_plain) return wrong("a URL has visible ASCII characters only: percent-encode the others");
  const std::size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  if (scheme == 0) return wrong("a URL begins with http:// or https://");
  if (url.find('#') != std::string_view::npos) return wrong("a URL has no fragment here");
  const std::string_view rest = url.substr(scheme);
  return check_authority(rest.substr(0, rest.find_first_of("/?")));
}

Status check_types(const std::vector<std::string>& types) {
  for (const std::string& type : types) {
    if (std::find(std::begin(known_types), std::end(known_types), type) == std::end(known_types)) {
      return invalid_request(
          "/types",
          "no event has the type " + escape_for_log(type) + "; there is operation.applied");
    }
  }
  return {};
}

}  // namespace mizan::webhook
