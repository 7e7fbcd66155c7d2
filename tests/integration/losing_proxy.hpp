#pragma once

#include "http_server.hpp"
#include "testkit/scripted_server.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace mizan::integration {

/// Stands between a client and a server and throws away answers to requests that write, after the
/// server has given them.
class LosingProxy {
 public:
  using Loses = std::function<bool(int number)>;  ///< Of writing requests, from 1.

  /// `on_loss` is called when a request was answered, before its answer is thrown away.
  LosingProxy(HttpServer& server, Loses loses, std::function<void()> on_loss = {});

  [[nodiscard]] std::string url() const { return proxy_->url(); }

  /// Requests that write which came through.
  [[nodiscard]] int writes() const noexcept { return writes_; }

 private:
  void pass(testkit::ScriptedConnection& connection);

  HttpServer& server_;
  Loses loses_;
  std::function<void()> on_loss_;
  std::atomic<int> writes_ = 0;
  std::unique_ptr<testkit::ScriptedServer> proxy_;  // Last: it goes first, with its threads.
};

}  // namespace mizan::integration
