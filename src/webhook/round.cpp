#include "webhook/round.hpp"

#include "json/shapes.hpp"
#include "webhook/secret.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mizan::webhook {
namespace {

constexpr std::size_t read_at_once = 200;
constexpr int gone = 410;

std::string describe(const Result<Answer>& answer) {
  if (answer) return fmt::format("the receiver answered {}", answer->status);
  return answer.error().detail;
}

void add_lane(std::vector<std::string>& lanes, const WalletId& wallet) {
  if (wallet.empty() || is_system_wallet(wallet)) return;
  const std::string lane = wallet.str();
  if (std::find(lanes.begin(), lanes.end(), lane) == lanes.end()) lanes.push_back(lane);
}

}  // namespace

std::vector<std::string> lanes_of(const Receipt& receipt) {
  std::vector<std::string> lanes;
  for (const LegReceipt& leg : receipt.legs) {
    add_lane(lanes, leg.from);
    add_lane(lanes, leg.to);
  }
  if (receipt.hold) add_lane(lanes, receipt.hold->wallet);
  return lanes;
}

Round::Round(const Ground& ground, const CourierOptions& options, std::string webhook)
    : ground_(ground),
      options_(options),
      id_(std::move(webhook)),
      bell_(std::make_shared<Doorbell>()),
      is_watching_(std::make_shared<std::atomic<bool>>(false)),
      room_(ground.send, bell_, options.queue.in_flight_max) {}

Result<bool> Round::begin(FenceToken token) {
  auto webhook = ground_.registry.find(id_);
  if (!webhook) return webhook.error();
  if (!*webhook || !(*webhook)->is_enabled) return false;
  webhook_ = **std::move(webhook);
  auto progress = ground_.registry.find_progress(id_);
  if (!progress) return progress.error();
  if (!*progress) return false;
  if (const std::int64_t newest = (*progress)->value.token; newest > token.value()) {
    newer_token_.emplace(newest);
    return false;
  }
  progress_ = **progress;
  // From here on the holder before writes nothing any more.
  progress_.value.token = token.value();
  auto written = write_progress();
  if (!written || !*written) return written;
  queue_.emplace(progress_.value.place, options_.queue);
  if (Status loaded = load_waiting(); !loaded) return loaded.error();
  look_at_ = ground_.clock.now() + options_.look_interval;
  save_at_ = ground_.clock.now();
  return true;
}

Result<bool> Round::step() {
  for (const auto part : {&Round::settle_all, &Round::look}) {
    auto done = (this->*part)();
    if (!done || !*done) return done;
  }
  if (Status read = read_on(); !read) return read.error();
  for (const auto part : {&Round::record_blocked, &Round::save_progress}) {
    auto done = (this->*part)();
    if (!done || !*done) return done;
  }
  send_what_may_go();
  watch();
  return true;
}

void Round::finish() {
  const Instant until = ground_.clock.now() + options_.timeout;
  while (queue_ && queue_->in_flight() > 0 && ground_.clock.now() < until) {
    bell_->wait(until - ground_.clock.now());
    const auto settled = settle_all();
    if (!settled || !*settled) return;
  }
  if (!queue_ || queue_->cursor() == progress_.value.place) return;
  progress_.value.place = queue_->cursor();
  // Where this fails, the next holder delivers some of it again.
  static_cast<void>(write_progress());
}

void Round::wait() {
  std::chrono::nanoseconds patience = options_.look_interval;
  const auto due = queue_->next_due();
  const std::chrono::nanoseconds until_due =
      due ? *due - ground_.clock.wall_now() : options_.look_interval;
  patience = std::min(patience, until_due);
  if (queue_->cursor() != progress_.value.place) {
    patience = std::min<std::chrono::nanoseconds>(patience, options_.save_interval);
  }
  constexpr std::chrono::nanoseconds shortest = std::chrono::milliseconds{1};
  bell_->wait(std::max(patience, shortest));
}

/// Has somebody changed the webhook?
Result<bool> Round::look() {
  if (ground_.clock.now() < look_at_) return true;
  look_at_ = ground_.clock.now() + options_.look_interval;
  auto webhook = ground_.registry.find(id_);
  if (!webhook) return webhook.error();
  if (!*webhook || !(*webhook)->is_enabled) return false;
  const bool has_retries = (*webhook)->retries_asked != webhook_.retries_asked;
  webhook_ = **std::move(webhook);
  if (!has_retries) return true;
  if (Status loaded = load_waiting(); !loaded) return loaded.error();
  return true;
}

Status Round::load_waiting() {
  auto records = ground_.registry.list_waiting(id_);
  if (!records) return records.error();
  for (const Kept<DeliveryRecord>& record : *records) {
    if (queue_->has(record.value.place)) continue;
    auto delivery = load_delivery(record);
    if (!delivery) return delivery.error();
    if (*delivery) queue_->add(**std::move(delivery));
  }
  return {};
}

Result<std::optional<Delivery>> Round::load_delivery(const Kept<DeliveryRecord>& record) {
  const EventPlace place = record.value.place;
  auto page = ground_.ledger.read_events({EventPlace{place.value() - 1}, 1});
  // The ledger was restored and has another past.
  const bool is_ahead = !page && page.error().code == Code::invalid_request;
  if (is_ahead) return std::optional<Delivery>();
  if (!page) return page.error();
  if (page->items.empty() || page->items.front().place != place) return std::optional<Delivery>();
  Delivery delivery = delivery_of(page->items.front());
  delivery.record = record.value;
  delivery.revision = record.revision;
  return std::optional(std::move(delivery));
}

Delivery Round::delivery_of(const Event& event) const {
  Delivery delivery;
  delivery.record.place = event.place;
  delivery.record.event = json::event_id(event);
  delivery.body = json::to_object(event).text();
  delivery.lanes = lanes_of(event.receipt);
  return delivery;
}

bool Round::wants(const Event& event) const {
  const auto& types = webhook_.types;
  return types.empty() ||
         std::find(types.begin(), types.end(), json::event_type(event)) != types.end();
}

Status Round::read_on() {
  while (const std::size_t room = queue_->room()) {
    auto page = ground_.ledger.read_events({queue_->read_until(), std::min(room, read_at_once)});
    if (!page) return page.error();
    for (const Event& event : page->items) {
      if (wants(event) && !queue_->has(event.place)) queue_->add(delivery_of(event));
    }
    queue_->read_until(page->next);
    if (!page->has_more) return {};
  }
  return {};
}

Result<bool> Round::settle_all() {
  for (Sent& sent : room_.take_sent()) {
    auto settled = settle(std::move(sent));
    if (!settled || !*settled) return settled;
  }
  return true;
}

Result<bool> Round::settle(Sent sent) {
  const EventPlace place = sent.delivery.record.place;
  constexpr int first_success = 200;
  constexpr int first_redirect = 300;
  const int status = sent.answer ? sent.answer->status : 0;
  if (status >= first_success && status < first_redirect) {
    const bool is_recorded = sent.delivery.revision != 0;
    const Status removed = is_recorded ? ground_.registry.remove_waiting(id_, place) : Status{};
    if (!removed) return removed.error();
    queue_->delivered(place);
    return true;
  }
  if (status == gone) {
    auto disabled = ground_.registry.disable(id_, "the receiver answered 410 (gone)");
    if (!disabled) return disabled.error();
    return false;
  }
  return settle_failure(std::move(sent.delivery), sent.answer);
}

Result<bool> Round::settle_failure(Delivery delivery, const Result<Answer>& answer) {
  const Timestamp now = ground_.clock.wall_now();
  DeliveryRecord& record = delivery.record;
  ++record.attempts;
  if (!record.first_failed_at) record.first_failed_at = now;
  record.last_error = describe(answer);
  if (record.attempts >= options_.retry.attempts_max) {
    if (Status buried = ground_.registry.bury(id_, record); !buried) return buried.error();
    queue_->buried(record.place);
    return true;
  }
  auto wait = retry_wait(options_.retry, record.attempts, ground_.random);
  const auto asked = answer ? read_retry_after(answer->retry_after, now) : std::nullopt;
  if (asked) wait = std::max(wait, *asked);
  record.due = now + wait;
  auto recorded = this->record(delivery);
  if (!recorded || !*recorded) return recorded;
  queue_->failed(std::move(delivery));
  return true;
}

/// False: somebody else has a hand in it.
Result<bool> Round::record(Delivery& delivery) {
  auto written = ground_.registry.write_waiting(id_, {delivery.record, delivery.revision});
  if (!written || !*written) return written;
  ++delivery.revision;
  return true;
}

Result<bool> Round::record_blocked() {
  for (Delivery& delivery : queue_->to_record()) {
    auto recorded = record(delivery);
    if (!recorded || !*recorded) return recorded;
    queue_->recorded(delivery.record.place, delivery.revision);
  }
  return true;
}

Result<bool> Round::save_progress() {
  const Instant now = ground_.clock.now();
  const EventPlace place = queue_->cursor();
  if (place == progress_.value.place || now < save_at_) return true;
  save_at_ = now + options_.save_interval;
  progress_.value.place = place;
  return write_progress();
}

Result<bool> Round::write_progress() {
  auto written = ground_.registry.write_progress(id_, progress_);
  if (written && *written) ++progress_.revision;
  return written;
}

void Round::send_what_may_go() {
  for (Delivery& delivery : queue_->take_sendable(ground_.clock.wall_now())) {
    Message message = message_for(delivery);
    room_.post(std::move(delivery), std::move(message));
  }
}

Message Round::message_for(const Delivery& delivery) const {
  const Timestamp now = ground_.clock.wall_now();
  Message message;
  message.url = webhook_.url;
  message.body = delivery.body;
  message.deadline = ground_.clock.now() + options_.timeout;
  message.headers = {
      {"content-type", "application/json"},
      {"user-agent", "mizan"},
      {"webhook-id", delivery.record.event},
      {"webhook-timestamp", timestamp_text(now)},
      {"webhook-signature", sign(webhook_.secrets, {delivery.record.event, now, delivery.body})}};
  return message;
}

void Round::watch() {
  if (queue_->room() == 0 || is_watching_->exchange(true)) return;
  ground_.ledger.watch_events(queue_->read_until(),
                              ground_.clock.now() + options_.look_interval,
                              [bell = bell_, is_watching = is_watching_] {
                                is_watching->store(false);
                                bell->ring();
                              });
}

}  // namespace mizan::webhook
