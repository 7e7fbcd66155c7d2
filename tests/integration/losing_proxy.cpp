#include "losing_proxy.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace mizan::integration {

LosingProxy::LosingProxy(HttpServer& server, Loses loses, std::function<void()> on_loss)
    : server_(server), loses_(std::move(loses)), on_loss_(std::move(on_loss)) {
  auto started = testkit::ScriptedServer::start(
      [this](testkit::ScriptedConnection& connection) { pass(connection); });
  EXPECT_TRUE(started.has_value());
  if (started) proxy_ = std::move(*started);
}

void LosingProxy::pass(testkit::ScriptedConnection& connection) {
  while (const auto request = connection.read_request()) {
    const bool writes = !request->starts_with("GET ");
    HttpClient client = server_.connect();
    if (!client.send(*request)) return;
    const auto answer = client.receive(soon());
    if (writes && loses_(++writes_)) {
      if (on_loss_) on_loss_();
      return;
    }
    if (!answer) return;
    std::string text = "HTTP/1.1 " + std::to_string(answer->status) + " Passed\r\n";
    for (const auto& [name, value] : answer->headers) text += name + ": " + value + "\r\n";
    connection.send(text + "\r\n" + answer->body);
  }
}

}  // namespace mizan::integration
