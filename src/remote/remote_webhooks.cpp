#include "json/answers.hpp"
#include "json/cursor.hpp"
#include "json/fields.hpp"
#include "remote/judgement.hpp"
#include "remote/percent.hpp"
#include "remote/remote.hpp"
#include "remote/server.hpp"
#include "webhook/administration.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace mizan::remote {
namespace {

using json::Fields;
using json::Presence;
using webhook::DeliveryRecord;
using webhook::Webhook;

/// What `read` makes of the node, or all that is wrong with it.
template <class T>
json::Parsed<T> parse_with(const json::Node& node, T (*read)(Fields&)) {
  std::vector<json::FieldProblem> problems;
  Fields fields(node, "", problems);
  T value = read(fields);
  if (!problems.empty()) return json::InvalidRequest{std::move(problems)};
  return value;
}

Result<std::string> any_text(std::string_view text) {
  return std::string(text);
}

Result<Timestamp> parse_time(std::string_view text) {
  if (const auto time = parse_rfc3339(text)) return *time;
  return invalid_request("time", "this is no time of RFC 3339");
}

std::string text_of(Fields& fields, std::string_view key) {
  return fields.text(key, Presence::required, any_text).value_or("");
}

Webhook take_webhook(Fields& fields) {
  constexpr std::size_t types_max = 1'000;
  Webhook webhook;
  webhook.id = text_of(fields, "id");
  webhook.url = text_of(fields, "url");
  if (const auto* types = fields.array("types", Presence::required, 0, types_max)) {
    for (const json::Node& type : *types) webhook.types.push_back(type.text());
  }
  webhook.is_enabled = text_of(fields, "status") == "enabled";
  const auto because = fields.text("disabled_because", Presence::optional, any_text);
  webhook.disabled_because = because.value_or("");
  const auto secrets = fields.counter("secrets", Presence::required, 0, types_max);
  webhook.secrets.resize(static_cast<std::size_t>(secrets.value_or(0)));
  const auto secret = fields.text("secret", Presence::optional, any_text);
  if (secret && !webhook.secrets.empty()) webhook.secrets.front() = *secret;
  webhook.created_at =
      fields.text("created_at", Presence::required, parse_time).value_or(Timestamp());
  return webhook;
}

DeliveryRecord take_delivery(Fields& fields) {
  constexpr std::uint64_t attempts_max = std::numeric_limits<std::uint32_t>::max();
  DeliveryRecord record;
  record.event = text_of(fields, "event");
  const auto attempts = fields.counter("attempts", Presence::required, 0, attempts_max);
  record.attempts = static_cast<std::uint32_t>(attempts.value_or(0));
  const json::Node* since = fields.find("first_failed_at", Presence::required);
  if (since != nullptr && since->kind() != json::Node::Kind::null) {
    record.first_failed_at = fields.text("first_failed_at", Presence::required, parse_time);
  }
  record.last_error = text_of(fields, "last_error");
  return record;
}

std::uint64_t take_retried(Fields& fields) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return fields.counter("retried", Presence::required, 0, most).value_or(0);
}

std::string path_of(std::string_view id, std::string_view rest = {}) {
  return fmt::format("/v1/webhooks/{}{}", percent_encoded(id), rest);
}

bool is_unknown_webhook(const Reply& reply) {
  return reply.problem && reply.problem->code_text == "webhook_not_found";
}

/// Nobody can tell a repeat of such a call from another one, so it is not repeated.
Error perhaps_rotated(Error error) {
  if (error.certainty == Certainty::unknown) {
    error.retry = Retry::never;
    error.detail += "; it may have been done: to rotate again makes another secret";
  }
  return error;
}

class RemoteWebhooks final : public webhook::Administration {
 public:
  explicit RemoteWebhooks(std::unique_ptr<Server> server) noexcept : server_(std::move(server)) {}

  Result<Webhook> create(const webhook::NewWebhook& wanted) override {
    json::Object body;
    body.set("url", wanted.url);
    if (!wanted.types.empty()) {
      json::Array types;
      for (const std::string& type : wanted.types) types.add(type);
      body.set("types", types);
    }
    if (wanted.secret) body.set("secret", *wanted.secret);
    if (wanted.from_beginning) body.set("from_beginning", true);
    auto reply = server_->ask_once(change("/v1/webhooks", body.text()));
    if (!reply) return std::move(reply).error();
    auto webhook = read(std::move(reply));
    if (!webhook) return std::move(webhook).error();
    if (!*webhook || (*webhook)->secrets.empty()) {
      return not_mizan(*server_, "a new webhook has a secret", Effect::writes);
    }
    return **std::move(webhook);
  }

  Result<std::vector<Webhook>> list() override {
    auto reply = get("/v1/webhooks");
    if (!reply) return std::move(reply).error();
    if (reply->problem) return failure_of(*reply);
    auto answer = accept(*server_, json::read_list(reply->document), Effect::none);
    if (!answer) return std::move(answer).error();
    return read_all(*answer, take_webhook);
  }

  Result<std::optional<Webhook>> find(std::string_view id) override {
    return read(get(path_of(id)));
  }

  Result<std::optional<Webhook>> rotate(std::string_view id,
                                        std::optional<std::string> secret,
                                        bool keep_old) override {
    json::Object body;
    if (secret) body.set("secret", *secret);
    body.set("keep_old", keep_old);
    auto reply = server_->ask_once(change(path_of(id, "/rotate"), body.text()));
    if (!reply) return perhaps_rotated(std::move(reply).error());
    auto webhook = read(std::move(reply));
    if (webhook && *webhook && (*webhook)->secrets.empty()) {
      return not_mizan(*server_, "a webhook has a secret", Effect::writes);
    }
    return webhook;
  }

  Result<std::optional<Webhook>> enable(std::string_view id) override {
    return read(server_->ask(change(path_of(id, "/enable"), {})));
  }

  Result<std::optional<Webhook>> disable(std::string_view id, std::string_view /*why*/) override {
    return read(server_->ask(change(path_of(id, "/disable"), {})));
  }

  Result<bool> remove(std::string_view id) override {
    Call call = change(path_of(id), {});
    call.method = "DELETE";
    auto reply = server_->ask(call);
    if (!reply) return std::move(reply).error();
    // An attempt whose answer was lost may have been the one.
    if (is_unknown_webhook(*reply)) return reply->was_lost;
    if (reply->problem) return failure_of(*reply);
    return true;
  }

  /// The server tells where a page ends, which is the place of its last record.
  Result<std::vector<DeliveryRecord>> list_dead(std::string_view id,
                                                EventPlace after,
                                                std::size_t limit) override {
    std::string path = path_of(id, fmt::format("/dead?limit={}", limit));
    if (after.value() > 0) path += "&cursor=" + percent_encoded(json::events_cursor(after));
    auto reply = get(std::move(path));
    if (!reply) return std::move(reply).error();
    if (reply->problem) return failure_of(*reply);
    auto answer = accept(*server_, json::read_list(reply->document), Effect::none);
    if (!answer) return std::move(answer).error();
    auto records = read_all(*answer, take_delivery);
    if (!records || records->size() < limit || !answer->next_cursor) return records;
    const auto end = json::parse_events_cursor(*answer->next_cursor);
    if (!end || *end <= after) return not_mizan(*server_, "a page leads back", Effect::none);
    records->back().place = *end;
    return records;
  }

  Result<std::size_t> retry_dead(std::string_view id,
                                 std::optional<std::string_view> event) override {
    json::Object body;
    if (event) body.set("event", *event);
    auto reply = server_->ask(change(path_of(id, "/dead/retry"), body.text()));
    if (!reply) return std::move(reply).error();
    if (reply->problem) return failure_of(*reply);
    const auto retried =
        accept(*server_, parse_with(reply->document, take_retried), Effect::writes);
    if (!retried) return retried.error();
    return static_cast<std::size_t>(*retried);
  }

 private:
  Result<Reply> get(std::string path) {
    return server_->ask({.path = std::move(path), .deadline = server_->deadline()});
  }

  [[nodiscard]] Call change(std::string path, std::string body) const {
    return {.method = "POST",
            .path = std::move(path),
            .body = std::move(body),
            .deadline = server_->deadline(),
            .effect = Effect::writes};
  }

  Result<std::optional<Webhook>> read(Result<Reply> reply) {
    if (!reply) return std::move(reply).error();
    if (is_unknown_webhook(*reply)) return std::optional<Webhook>{};
    if (reply->problem) return failure_of(*reply);
    auto webhook = accept(*server_, parse_with(reply->document, take_webhook), Effect::writes);
    if (!webhook) return std::move(webhook).error();
    return std::optional<Webhook>(std::move(*webhook));
  }

  template <class T>
  Result<std::vector<T>> read_all(const json::ListAnswer& answer, T (*take)(Fields&)) {
    std::vector<T> values;
    values.reserve(answer.items->size());
    for (const json::Node& item : *answer.items) {
      auto value = accept(*server_, parse_with(item, take), Effect::none);
      if (!value) return std::move(value).error();
      values.push_back(std::move(*value));
    }
    return values;
  }

  std::unique_ptr<Server> server_;
};

}  // namespace

Result<std::unique_ptr<webhook::Administration>> open_webhooks(const cli::RemotePlace& place,
                                                               const Surroundings& around) {
  auto client = http_client::make_client(around.clock, {.ca_file = place.ca_file});
  auto server = std::make_unique<Server>(place, std::move(client), around);
  return std::unique_ptr<webhook::Administration>(
      std::make_unique<RemoteWebhooks>(std::move(server)));
}

}  // namespace mizan::remote
