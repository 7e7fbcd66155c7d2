#include "remote/remote_journal.hpp"

#include "remote/remote_events.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace mizan::remote {
namespace {

constexpr std::size_t page_size = 1'000;

class RemoteJournal final : public cli::Journal {
 public:
  RemoteJournal(Server& server, cli::Reader& reader) noexcept : server_(server), reader_(reader) {}

  Result<std::optional<cli::JournalOperation>> next() override {
    while (true) {
      if (at_ == page_.items.size()) {
        if (!page_.has_more) return std::optional<cli::JournalOperation>{};
        if (Status loaded = load_page(); !loaded) return std::move(loaded).error();
        continue;
      }
      Event& event = page_.items[at_++];
      // What reserves money moves none.
      if (!event.receipt.legs.empty()) return complete(std::move(event));
    }
  }

 private:
  Status load_page() {
    auto page = read_events(server_, {.after = page_.next, .limit = page_size});
    if (!page) return std::move(page).error();
    page_ = std::move(*page);
    at_ = 0;
    return {};
  }

  Result<std::optional<cli::JournalOperation>> complete(Event event) {
    cli::JournalOperation operation;
    for (const LegReceipt& leg : event.receipt.legs) {
      auto currency = reader_.find_currency(leg.currency);
      if (!currency) return std::move(currency).error();
      operation.currencies.push_back(currency->value_or(Currency{leg.currency, 0}));
      operation.sequences.emplace_back(event.place.value());
    }
    operation.receipt = std::move(event.receipt);
    // A journal tells what happened, not what became of it.
    operation.receipt.hold = nullptr;
    operation.receipt.reverses = nullptr;
    operation.receipt.reversed_by = nullptr;
    return std::optional(std::move(operation));
  }

  Server& server_;
  cli::Reader& reader_;
  EventPage page_{.items = {}, .next = {}, .has_more = true};
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<cli::Journal> read_journal(Server& server, cli::Reader& reader) {
  return std::make_unique<RemoteJournal>(server, reader);
}

}  // namespace mizan::remote
