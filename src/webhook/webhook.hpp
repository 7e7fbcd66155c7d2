#pragma once

#include "mizan/clock.hpp"
#include "mizan/event_log.hpp"
#include "mizan/result.hpp"

#include "json/value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::webhook {

inline constexpr std::size_t webhooks_max = 64;
inline constexpr std::size_t secrets_max = 4;
inline constexpr std::size_t url_size_max = 2'000;

/// Somebody who wants to be told.
struct Webhook {
  std::string id;  ///< `wh_` and a UUID without dashes.
  std::string url;
  std::vector<std::string> types;    ///< Of the events; empty: all.
  std::vector<std::string> secrets;  ///< The newest first; 1–`secrets_max`.
  bool is_enabled = true;
  std::string disabled_because;  ///< For people; empty while it is enabled.
  Timestamp created_at;
  std::uint64_t retries_asked = 0;  ///< How often somebody put dead deliveries back.
};

/// How far the deliveries of a webhook are: everything up to here was delivered or has a record of
/// its own. `token` is that of whoever wrote it: the newest holder of the webhook's lease.
struct Progress {
  EventPlace place;
  std::int64_t token = 0;
};

/// A delivery that failed, or that waits behind one that did.
struct DeliveryRecord {
  EventPlace place;
  std::string event;  ///< Its id.
  std::uint32_t attempts = 0;
  std::optional<Timestamp> first_failed_at;
  Timestamp due;           ///< Of the next attempt.
  std::string last_error;  ///< For people.
};

// As the store keeps them.
[[nodiscard]] std::string to_text(const Webhook& webhook);
[[nodiscard]] std::string to_text(const Progress& progress);
[[nodiscard]] std::string to_text(const DeliveryRecord& record);
[[nodiscard]] Result<Webhook> read_webhook(std::string_view id, std::string_view text);
[[nodiscard]] Result<Progress> read_progress(std::string_view text);
[[nodiscard]] Result<DeliveryRecord> read_delivery(std::string_view text);

// As people and programs see them; never with a secret.
[[nodiscard]] json::Object to_object(const Webhook& webhook);
[[nodiscard]] json::Object to_object(const DeliveryRecord& record);

/// `invalid_request` about `/url` where it is not `http://` or `https://` with a host, without
/// user, password or fragment.
[[nodiscard]] Status check_url(std::string_view url);

/// About `/types`, where one of them is no event's.
[[nodiscard]] Status check_types(const std::vector<std::string>& types);

}  // namespace mizan::webhook
