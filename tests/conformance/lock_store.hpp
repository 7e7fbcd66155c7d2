#pragma once

#include "mizan/store.hpp"

#include "testkit/fake_clock.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/lock_conformance.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace mizan::conformance {

/// Opens a store whose files, where it has any, are in `folder`.
using OpenStore = std::function<Result<std::unique_ptr<Store>>(const std::filesystem::path& folder,
                                                               const Clock& clock)>;

/// The lease table of a store.
class StoreWorld final : public LockWorld {
 public:
  explicit StoreWorld(OpenStore open) : open_(std::move(open)) { start(); }

  LeaseTable& table() override { return store_->leases(); }

  const Clock& clock() override { return clock_; }

  void pass(std::chrono::nanoseconds time) override { clock_.advance(time); }

  void restart() override {
    store_.reset();
    start();
  }

 private:
  void start() {
    auto opened = open_(folder_.path(), clock_);
    if (!opened) {
      ADD_FAILURE() << opened.error().where << ": " << opened.error().detail;
      std::abort();
    }
    store_ = std::move(opened).value();
    const auto migrated = store_->migrate();
    if (!migrated) ADD_FAILURE() << migrated.error().where << ": " << migrated.error().detail;
  }

  OpenStore open_;
  testkit::TempDir folder_;
  testkit::FakeClock clock_;
  std::unique_ptr<Store> store_;
};

/// The lock of a store as a candidate of the suite.
inline LockCandidate store_lock_candidate(std::string name,
                                          std::string forgets_at_restart,
                                          OpenStore open) {
  LockCandidate candidate;
  candidate.name = std::move(name);
  candidate.open_empty = [opened = std::move(open)] {
    return std::make_unique<StoreWorld>(opened);
  };
  candidate.forgets_at_restart = std::move(forgets_at_restart);
  return candidate;
}

}  // namespace mizan::conformance
