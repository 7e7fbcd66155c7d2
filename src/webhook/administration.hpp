#pragma once

#include "mizan/event_log.hpp"
#include "mizan/result.hpp"

#include "webhook/webhook.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::webhook {

/// A webhook that is to be.
struct NewWebhook {
  std::string url;
  std::vector<std::string> types;     ///< Empty: all.
  std::optional<std::string> secret;  ///< Absent: a new one.
  bool from_beginning = false;        ///< Else from now on.
};

/// What people do with webhooks, in this process or over a running server, whose webhooks come with
/// their newest secret right after it was made and with empty ones else. A webhook that is not
/// there is said by an empty optional or false. Errors: `invalid_request` for a malformed argument.
class Administration {
 public:
  Administration() = default;
  Administration(const Administration&) = delete;
  Administration& operator=(const Administration&) = delete;
  virtual ~Administration();

  [[nodiscard]] virtual Result<Webhook> create(const NewWebhook& wanted) = 0;
  [[nodiscard]] virtual Result<std::vector<Webhook>> list() = 0;
  [[nodiscard]] virtual Result<std::optional<Webhook>> find(std::string_view id) = 0;

  /// Puts a new secret in front; up to `secrets_max` − 1 old ones go on signing too, or none.
  [[nodiscard]] virtual Result<std::optional<Webhook>> rotate(std::string_view id,
                                                              std::optional<std::string> secret,
                                                              bool keep_old) = 0;
  [[nodiscard]] virtual Result<std::optional<Webhook>> enable(std::string_view id) = 0;
  [[nodiscard]] virtual Result<std::optional<Webhook>> disable(std::string_view id,
                                                               std::string_view why) = 0;

  /// With everything that was kept about its deliveries.
  [[nodiscard]] virtual Result<bool> remove(std::string_view id) = 0;

  /// Those that were given up, in order of event; `after` is the place of the last one of the page
  /// before, the only one whose place is certain to be told.
  [[nodiscard]] virtual Result<std::vector<DeliveryRecord>> list_dead(std::string_view id,
                                                                      EventPlace after,
                                                                      std::size_t limit) = 0;

  /// Puts given-up deliveries back, all or the one of this event; answers how many.
  [[nodiscard]] virtual Result<std::size_t> retry_dead(std::string_view id,
                                                       std::optional<std::string_view> event) = 0;
};

}  // namespace mizan::webhook
