#pragma once

#include "webhook/courier.hpp"
#include "webhook/doorbell.hpp"
#include "webhook/post_room.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mizan::webhook {

/// The deliveries of one webhook from the acquisition of its lease to the loss of it. The cursor is
/// guarded: whoever holds the lease later has written it with a newer token, and from then on this
/// round writes nothing there any more and ends. One thread at a time.
class Round {
 public:
  Round(const Ground& ground, const CourierOptions& options, std::string webhook);
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  /// Takes over where the holder before stopped. False: there is nothing to do here now (disabled,
  /// gone, or somebody newer was here).
  [[nodiscard]] Result<bool> begin(FenceToken token);

  /// Of whom `begin` found to have been here, and to be newer.
  [[nodiscard]] std::optional<FenceToken> newer_token() const noexcept { return newer_token_; }

  /// One step: what came back, what is new, what may be sent. False: the end.
  [[nodiscard]] Result<bool> step();

  /// Waits for what is being sent, at most for as long as one delivery may take, and keeps what
  /// came of it.
  void finish();

  /// Blocks until there is something for `step`.
  void wait();

  /// Ringing it ends `wait`.
  [[nodiscard]] const std::shared_ptr<Doorbell>& bell() const noexcept { return bell_; }

 private:
  [[nodiscard]] Result<bool> look();
  [[nodiscard]] Status load_waiting();
  [[nodiscard]] Result<std::optional<Delivery>> load_delivery(const Kept<DeliveryRecord>& record);
  [[nodiscard]] Status read_on();
  [[nodiscard]] Result<bool> settle_all();
  [[nodiscard]] Result<bool> settle(Sent sent);
  [[nodiscard]] Result<bool> settle_failure(Delivery delivery, const Result<Answer>& answer);
  [[nodiscard]] Result<bool> record(Delivery& delivery);
  [[nodiscard]] Result<bool> record_blocked();
  [[nodiscard]] Result<bool> save_progress();
  [[nodiscard]] Result<bool> write_progress();
  void send_what_may_go();
  [[nodiscard]] Delivery delivery_of(const Event& event) const;
  [[nodiscard]] bool wants(const Event& event) const;
  [[nodiscard]] Message message_for(const Delivery& delivery) const;
  void watch();

  const Ground& ground_;
  const CourierOptions& options_;
  std::string id_;
  Webhook webhook_;
  Kept<Progress> progress_;
  std::optional<FenceToken> newer_token_;
  std::optional<DeliveryQueue> queue_;
  Instant look_at_;
  Instant save_at_;
  std::shared_ptr<Doorbell> bell_;                  // Shared with handlers that the ledger keeps.
  std::shared_ptr<std::atomic<bool>> is_watching_;  // Likewise: one of them is there.
  PostRoom room_;
};

/// The wallets of an event: its lanes.
[[nodiscard]] std::vector<std::string> lanes_of(const Receipt& receipt);

}  // namespace mizan::webhook
