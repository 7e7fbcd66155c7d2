#include "mizan/lock.hpp"
#include "mizan/memory.hpp"

#include "store/memory/documents.hpp"
#include "store/memory/epochs.hpp"
#include "store/memory/event_log.hpp"
#include "store/memory/keys.hpp"
#include "store/memory/snapshot.hpp"
#include "store/memory/tables.hpp"
#include "store/memory/transaction.hpp"
#include "store/memory/writer_turn.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan {
namespace {

class MemoryStore final : public Store {
 public:
  MemoryStore(const Clock& clock, StepHook on_step)
      : on_step_(std::move(on_step)),
        turn_(clock),
        leases_(make_memory_lease_table(clock)),
        events_(tables_) {}

  [[nodiscard]] StoreDescription describe() const override { return {"memory", "1", "none"}; }

  Result<std::vector<std::string>> migrate() override { return std::vector<std::string>(); }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    if (!turn_.take(deadline)) {
      return unavailable("memory: begin", "another writer did not finish before the deadline");
    }
    return memory::begin_transaction(tables_, turn_, on_step_);
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override { return memory::take_snapshot(tables_); }

  Result<std::vector<Finding>> doctor() override {
    return std::vector<Finding>{{Finding::Level::warning,
                                 "durability",
                                 "nothing outlives this process; use sqlite:FILE to keep it"}};
  }

  Result<std::uint64_t> disk_bytes() override { return std::uint64_t{0}; }

  LeaseTable& leases() override { return *leases_; }

  EpochTable* epochs() override { return &epochs_; }

  KeyTable* keys() override { return &keys_; }

  GuardTable* guards() override { return nullptr; }

  EventLog* events() override { return &events_; }

  DocumentTable* documents() override { return &documents_; }

 private:
  const StepHook on_step_;
  memory::Tables tables_;
  memory::WriterTurn turn_;
  const std::unique_ptr<LeaseTable> leases_;
  memory::MemoryEpochTable epochs_;
  memory::MemoryEventLog events_;
  memory::MemoryDocumentTable documents_;
  memory::MemoryKeyTable keys_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store(const Clock& clock, StepHook on_step) {
  return std::make_unique<MemoryStore>(clock, std::move(on_step));
}

}  // namespace mizan
