#pragma once

#include "mizan/document_table.hpp"
#include "mizan/store.hpp"

#include "base/random.hpp"
#include "webhook/administration.hpp"
#include "webhook/webhook.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::webhook {

/// Something with the revision that a change of it must still find.
template <class T>
struct Kept {
  T value;
  std::uint64_t revision = 0;
};

/// The webhooks of a ledger, kept in its store. Any thread may call. Errors of all members: those
/// of DocumentTable; `invalid_request` for a store that keeps none or a malformed argument.
class Registry final : public Administration {
 public:
  /// All must outlive it.
  Registry(Store& store, const Clock& clock, Random& random) noexcept
      : store_(store), clock_(clock), random_(random) {}

  /// The same webhooks, for what is to be answered before the deadline also where the store hangs.
  [[nodiscard]] Registry until(Deadline deadline) const { return Registry(*this, deadline); }

  [[nodiscard]] Result<Webhook> create(const NewWebhook& wanted) override;
  [[nodiscard]] Result<std::vector<Webhook>> list() override;
  [[nodiscard]] Result<std::optional<Webhook>> find(std::string_view id) override;
  [[nodiscard]] Result<std::optional<Webhook>> rotate(std::string_view id,
                                                      std::optional<std::string> secret,
                                                      bool keep_old) override;
  [[nodiscard]] Result<std::optional<Webhook>> enable(std::string_view id) override;
  [[nodiscard]] Result<std::optional<Webhook>> disable(std::string_view id,
                                                       std::string_view why) override;
  [[nodiscard]] Result<bool> remove(std::string_view id) override;
  [[nodiscard]] Result<std::vector<DeliveryRecord>> list_dead(std::string_view id,
                                                              EventPlace after,
                                                              std::size_t limit) override;
  [[nodiscard]] Result<std::size_t> retry_dead(std::string_view id,
                                               std::optional<std::string_view> event) override;

  // For the courier. A write answers false where it was overtaken.
  [[nodiscard]] Result<std::optional<Kept<Progress>>> find_progress(std::string_view id);
  [[nodiscard]] Result<bool> write_progress(std::string_view id, const Kept<Progress>& progress);
  [[nodiscard]] Result<std::vector<Kept<DeliveryRecord>>> list_waiting(std::string_view id);
  [[nodiscard]] Result<bool> write_waiting(std::string_view id, const Kept<DeliveryRecord>& record);
  [[nodiscard]] Status remove_waiting(std::string_view id, EventPlace place);
  [[nodiscard]] Status bury(std::string_view id, const DeliveryRecord& record);

 private:
  Registry(const Registry& other, Deadline deadline);

  [[nodiscard]] Result<DocumentTable*> documents();
  [[nodiscard]] Result<EventPlace> newest_event();

  template <class Change>
  [[nodiscard]] Result<std::optional<Webhook>> change(std::string_view id, Change change);
  [[nodiscard]] Status remove_all(DocumentTable& table, std::string_view kind);
  [[nodiscard]] Result<std::size_t> retry_some(DocumentTable& table,
                                               std::string_view id,
                                               std::optional<std::string_view> event);

  Store& store_;
  const Clock& clock_;
  Random& random_;
  std::optional<Deadline> deadline_;
  std::unique_ptr<DocumentTable> timed_;  ///< Null where nothing has to be waited for.
};

}  // namespace mizan::webhook
