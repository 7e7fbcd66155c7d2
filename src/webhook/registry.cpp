#include "webhook/registry.hpp"

#include "base/timed_store.hpp"
#include "base/uuid.hpp"
#include "webhook/secret.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace mizan::webhook {
namespace {

constexpr std::string_view webhook_kind = "webhook";
constexpr std::string_view progress_kind = "webhook-progress";
constexpr std::size_t page = 1'000;
constexpr int lost_races_max = 20;

std::string waiting_kind(std::string_view id) {
  return fmt::format("webhook-waiting:{}", id);
}

std::string dead_kind(std::string_view id) {
  return fmt::format("webhook-dead:{}", id);
}

/// Names in the order of the places.
std::string place_name(EventPlace place) {
  return fmt::format("{:019}", place.value());
}

Error no_documents() {
  return invalid_request("webhooks", "this store keeps no webhooks");
}

Error overtaken() {
  return {Code::contended,
          Certainty::not_applied,
          Retry::now,
          "webhooks",
          "somebody else changed the webhook at the same time"};
}

Status check_secret(const std::optional<std::string>& secret) {
  if (!secret || is_secret(*secret)) return {};
  return invalid_request("/secret", "a secret is whsec_ and the base64 of 24 to 64 bytes");
}

}  // namespace

Administration::~Administration() = default;

Registry::Registry(const Registry& other, Deadline deadline)
    : store_(other.store_), clock_(other.clock_), random_(other.random_), deadline_(deadline) {
  if (auto* const timed = dynamic_cast<TimedStore*>(&store_)) {
    timed_ = timed->documents_until(deadline);
  }
}

Result<EventPlace> Registry::newest_event() {
  auto* const timed = deadline_ ? dynamic_cast<TimedStore*>(&store_) : nullptr;
  return timed == nullptr ? store_.events()->newest() : timed->newest_event_until(*deadline_);
}

Result<DocumentTable*> Registry::documents() {
  if (timed_) return timed_.get();
  DocumentTable* table = store_.documents();
  if (table == nullptr || store_.events() == nullptr) return no_documents();
  return table;
}

Result<Webhook> Registry::create(const NewWebhook& wanted) {
  if (Status valid = check_url(wanted.url); !valid) return valid.error();
  if (Status valid = check_types(wanted.types); !valid) return valid.error();
  if (Status valid = check_secret(wanted.secret); !valid) return valid.error();
  auto table = documents();
  if (!table) return table.error();
  auto known = list();
  if (!known) return known.error();
  if (known->size() >= webhooks_max) {
    return invalid_request("/url", fmt::format("a ledger has at most {} webhooks", webhooks_max));
  }
  Webhook webhook;
  std::string uuid(UuidGenerator(clock_, random_).next().view());
  std::erase(uuid, '-');
  webhook.id = "wh_" + uuid;
  webhook.url = wanted.url;
  webhook.types = wanted.types;
  webhook.secrets = {wanted.secret ? *wanted.secret : new_secret(random_)};
  webhook.created_at = clock_.wall_now();
  Progress progress;
  if (!wanted.from_beginning) {
    auto newest = newest_event();
    if (!newest) return newest.error();
    progress.place = *newest;
  }
  // Where to begin stands there before anybody can begin.
  auto begun = (*table)->write(progress_kind, {webhook.id, 0, to_text(progress)});
  if (!begun) return begun.error();
  auto written = (*table)->write(webhook_kind, {webhook.id, 0, to_text(webhook)});
  if (!written) return written.error();
  return webhook;
}

Result<std::vector<Webhook>> Registry::list() {
  auto table = documents();
  if (!table) return table.error();
  auto documents = (*table)->list(webhook_kind, "", page);
  if (!documents) return documents.error();
  std::vector<Webhook> webhooks;
  for (const Document& document : *documents) {
    auto webhook = read_webhook(document.name, document.content);
    if (!webhook) return webhook.error();
    webhooks.push_back(std::move(*webhook));
  }
  return webhooks;
}

Result<std::optional<Webhook>> Registry::find(std::string_view id) {
  auto table = documents();
  if (!table) return table.error();
  auto document = (*table)->find(webhook_kind, id);
  if (!document) return document.error();
  if (!*document) return std::optional<Webhook>();
  auto webhook = read_webhook(id, (*document)->content);
  if (!webhook) return webhook.error();
  return std::optional(std::move(*webhook));
}

template <class Change>
Result<std::optional<Webhook>> Registry::change(std::string_view id, Change change) {
  auto table = documents();
  if (!table) return table.error();
  for (int i = 0; i < lost_races_max; ++i) {
    auto document = (*table)->find(webhook_kind, id);
    if (!document) return document.error();
    if (!*document) return std::optional<Webhook>();
    auto webhook = read_webhook(id, (*document)->content);
    if (!webhook) return webhook.error();
    change(*webhook);
    (*document)->content = to_text(*webhook);
    auto written = (*table)->write(webhook_kind, **document);
    if (!written) return written.error();
    if (*written) return std::optional(std::move(*webhook));
  }
  return overtaken();
}

Result<std::optional<Webhook>> Registry::rotate(std::string_view id,
                                                std::optional<std::string> secret,
                                                bool keep_old) {
  if (Status valid = check_secret(secret); !valid) return valid.error();
  const std::string added = secret ? *std::move(secret) : new_secret(random_);
  return change(id, [&](Webhook& webhook) {
    if (!keep_old) webhook.secrets.clear();
    std::erase(webhook.secrets, added);
    webhook.secrets.insert(webhook.secrets.begin(), added);
    if (webhook.secrets.size() > secrets_max) webhook.secrets.resize(secrets_max);
  });
}

Result<std::optional<Webhook>> Registry::enable(std::string_view id) {
  return change(id, [](Webhook& webhook) {
    webhook.is_enabled = true;
    webhook.disabled_because.clear();
  });
}

Result<std::optional<Webhook>> Registry::disable(std::string_view id, std::string_view why) {
  return change(id, [&](Webhook& webhook) {
    webhook.is_enabled = false;
    webhook.disabled_because = std::string(why);
  });
}

Status Registry::remove_all(DocumentTable& table, std::string_view kind) {
  for (;;) {
    auto documents = table.list(kind, "", page);
    if (!documents) return documents.error();
    if (documents->empty()) return {};
    for (const Document& document : *documents) {
      if (auto removed = table.remove(kind, document.name); !removed) return removed.error();
    }
  }
}

Result<bool> Registry::remove(std::string_view id) {
  auto table = documents();
  if (!table) return table.error();
  // First what says that it is there: a courier looks, and stops.
  auto removed = (*table)->remove(webhook_kind, id);
  if (!removed) return removed;
  auto progress = (*table)->remove(progress_kind, id);
  if (!progress) return progress;
  for (const std::string& kind : {waiting_kind(id), dead_kind(id)}) {
    if (Status all = remove_all(**table, kind); !all) return all.error();
  }
  return removed;
}

Result<std::vector<DeliveryRecord>> Registry::list_dead(std::string_view id,
                                                        EventPlace after,
                                                        std::size_t limit) {
  auto table = documents();
  if (!table) return table.error();
  auto documents = (*table)->list(dead_kind(id), place_name(after), limit);
  if (!documents) return documents.error();
  std::vector<DeliveryRecord> records;
  for (const Document& document : *documents) {
    auto record = read_delivery(document.content);
    if (!record) return record.error();
    records.push_back(std::move(*record));
  }
  return records;
}

Result<std::size_t> Registry::retry_dead(std::string_view id,
                                         std::optional<std::string_view> event) {
  auto table = documents();
  if (!table) return table.error();
  auto count = retry_some(**table, id, event);
  if (!count || *count == 0) return count;
  // The courier sees that its webhook has changed, and what is waiting.
  auto told = change(id, [](Webhook& webhook) { ++webhook.retries_asked; });
  if (!told) return told.error();
  return count;
}

Result<std::size_t> Registry::retry_some(DocumentTable& table,
                                         std::string_view id,
                                         std::optional<std::string_view> event) {
  std::size_t count = 0;
  EventPlace after;
  for (;;) {
    auto records = list_dead(id, after, page);
    if (!records) return records.error();
    if (records->empty()) return count;
    for (DeliveryRecord& record : *records) {
      after = record.place;
      if (event && record.event != *event) continue;
      DeliveryRecord anew;
      anew.place = record.place;
      anew.event = record.event;
      anew.due = clock_.wall_now();
      auto written = table.write(waiting_kind(id), {place_name(anew.place), 0, to_text(anew)});
      if (!written) return written.error();
      auto removed = table.remove(dead_kind(id), place_name(anew.place));
      if (!removed) return removed.error();
      ++count;
    }
  }
}

Result<std::optional<Kept<Progress>>> Registry::find_progress(std::string_view id) {
  auto table = documents();
  if (!table) return table.error();
  auto document = (*table)->find(progress_kind, id);
  if (!document) return document.error();
  if (!*document) return std::optional<Kept<Progress>>();
  auto progress = read_progress((*document)->content);
  if (!progress) return progress.error();
  return std::optional(Kept<Progress>{*progress, (*document)->revision});
}

Result<bool> Registry::write_progress(std::string_view id, const Kept<Progress>& progress) {
  auto table = documents();
  if (!table) return table.error();
  return (*table)->write(progress_kind,
                         {std::string(id), progress.revision, to_text(progress.value)});
}

Result<std::vector<Kept<DeliveryRecord>>> Registry::list_waiting(std::string_view id) {
  auto table = documents();
  if (!table) return table.error();
  std::vector<Kept<DeliveryRecord>> records;
  std::string after;
  for (;;) {
    auto documents = (*table)->list(waiting_kind(id), after, page);
    if (!documents) return documents.error();
    for (const Document& document : *documents) {
      auto record = read_delivery(document.content);
      if (!record) return record.error();
      records.push_back({std::move(*record), document.revision});
      after = document.name;
    }
    if (documents->size() < page) return records;
  }
}

Result<bool> Registry::write_waiting(std::string_view id, const Kept<DeliveryRecord>& record) {
  auto table = documents();
  if (!table) return table.error();
  return (*table)->write(waiting_kind(id),
                         {place_name(record.value.place), record.revision, to_text(record.value)});
}

Status Registry::remove_waiting(std::string_view id, EventPlace place) {
  auto table = documents();
  if (!table) return table.error();
  auto removed = (*table)->remove(waiting_kind(id), place_name(place));
  if (!removed) return removed.error();
  return {};
}

Status Registry::bury(std::string_view id, const DeliveryRecord& record) {
  auto table = documents();
  if (!table) return table.error();
  // Where an earlier attempt to say so got this far, it is there already.
  auto written = (*table)->write(dead_kind(id), {place_name(record.place), 0, to_text(record)});
  if (!written) return written.error();
  return remove_waiting(id, record.place);
}

}  // namespace mizan::webhook
