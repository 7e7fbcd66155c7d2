#pragma once

#include "testkit/scripted_server.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace mizan::integration {

/// A delivery as it came over the wire.
struct Received {
  std::map<std::string, std::string> headers;  ///< Names in lower case.
  std::string body;

  [[nodiscard]] std::string id() const { return headers.at("webhook-id"); }

  [[nodiscard]] std::string operation() const { return nlohmann::json::parse(body)["data"]["id"]; }
};

/// A receiver of webhooks on a port of its own. Threads: any.
class WebhookReceiver {
 public:
  /// What to answer: a status, or 0 for silence. Told how often this event has come, from 1.
  using Script = std::function<int(const Received&, int attempt)>;

  explicit WebhookReceiver(Script script = [](const Received&, int) { return 200; });

  [[nodiscard]] std::string url() const { return server_->url("/hook"); }

  void set_script(Script script);

  /// Those that were answered with success, in order.
  [[nodiscard]] std::vector<Received> accepted() const;
  [[nodiscard]] std::set<std::string> operations() const;

  /// All, in order.
  [[nodiscard]] std::vector<Received> received() const;

 private:
  void serve(testkit::ScriptedConnection& connection);

  mutable std::mutex mutex_;
  Script script_;
  std::map<std::string, int> attempts_;
  std::vector<Received> received_;
  std::vector<Received> accepted_;
  std::unique_ptr<testkit::ScriptedServer> server_;  // Last: its threads use everything above.
};

}  // namespace mizan::integration
