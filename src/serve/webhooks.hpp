#pragma once

#include "cli/context.hpp"

#include <memory>

namespace mizan::serve {

/// Delivers the ledger's events to its webhooks, beside other nodes. Owns its threads. Destruction
/// finishes what is being sent: blocks up to `webhook_timeout`.
class Webhooks {
 public:
  /// `invalid_request` where a setting is none that start() could take.
  [[nodiscard]] static Status check(const cli::Settings& settings);

  /// The ledger must outlive it. A store that tells no events has no webhooks.
  [[nodiscard]] static Result<std::unique_ptr<Webhooks>> start(const cli::Context& context,
                                                               const cli::OpenLedger& open);
  Webhooks(const Webhooks&) = delete;
  Webhooks& operator=(const Webhooks&) = delete;
  ~Webhooks();

 private:
  class Impl;
  explicit Webhooks(std::unique_ptr<Impl> impl) noexcept;

  std::unique_ptr<Impl> impl_;
};

}  // namespace mizan::serve
