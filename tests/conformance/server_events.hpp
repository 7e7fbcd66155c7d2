#pragma once

#include "mizan/store.hpp"

#include "testkit/temp_dir.hpp"
#include "tests/conformance/needed_server.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace mizan::conformance {

/// A database that many processes write to at once.
struct EventServer {
  std::string name;
  NeededServer needs;

  /// A node of its own on the ledger of this directory.
  std::function<Result<std::unique_ptr<Store>>(const std::filesystem::path& directory)> open;

  /// Puts the ledger back to what it was before there were events.
  std::function<Status(const std::filesystem::path& directory)> forget_events;
};

inline void PrintTo(const EventServer& server, std::ostream* out) {
  *out << server.name;
}

/// For the children of the tests.
void register_event_server(const EventServer& server);

[[nodiscard]] inline auto event_server(const EventServer& server) {
  register_event_server(server);
  return ::testing::Values(server);
}

class ServerEvents : public ::testing::TestWithParam<EventServer> {
 protected:
  void SetUp() override;

  /// One more node, as a process of its own would be.
  [[nodiscard]] std::unique_ptr<Store> open();

  testkit::TempDir directory_{"mizan-events"};
};

/// Of one node: batches that are written beside each other.
class ServerTurns : public ServerEvents {};

}  // namespace mizan::conformance
