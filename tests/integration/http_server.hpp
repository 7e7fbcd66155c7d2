#pragma once

#include "mizan/clock.hpp"

#include "testkit/child_process.hpp"
#include "testkit/http_client.hpp"
#include "testkit/temp_dir.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::integration {

using nlohmann::json;
using testkit::HttpAnswer;
using testkit::HttpClient;

/// A moment so far away that only a hang reaches it.
[[nodiscard]] Deadline soon(std::chrono::milliseconds patience = std::chrono::seconds{20});

/// An answer with its body read as JSON.
struct Reply {
  int status = 0;
  json body;
  HttpAnswer raw;

  [[nodiscard]] std::string code() const { return body.is_object() ? body.value("code", "") : ""; }
};

/// `mizan serve` on a free port, over a file in a directory of its own.
class HttpServer {
 public:
  using Words = std::vector<std::string>;

  explicit HttpServer(Words options = {});

  /// Starts it again over the same file, after `stop` or `kill`.
  void start();

  /// SIGTERM, and its exit status.
  std::optional<int> stop();
  void kill();

  testkit::ChildProcess& process() { return *process_; }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  [[nodiscard]] HttpClient connect() const;

  /// One request over a connection of its own.
  Reply get(const std::string& target) const;
  Reply post(const std::string& target,
             const json& body,
             const std::optional<std::string>& key = std::nullopt) const;
  Reply send(const testkit::HttpRequest& request) const;

  /// Wallets alice and bob with euros, 100.00 with alice.
  void make_ledger() const;

  [[nodiscard]] std::string store_url() const;

 private:
  testkit::TempDir folder_{"mizan-http"};
  Words options_;
  std::optional<testkit::ChildProcess> process_;
  std::uint16_t port_ = 0;
};

/// A reply of what came.
[[nodiscard]] Reply read_reply(Result<HttpAnswer> answer);

}  // namespace mizan::integration
