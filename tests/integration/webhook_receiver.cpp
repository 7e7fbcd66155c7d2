#include "webhook_receiver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace mizan::integration {
namespace {

Received read(const std::string& request) {
  Received received;
  const std::size_t end = request.find("\r\n\r\n");
  received.body = request.substr(end + 4);
  std::size_t at = request.find("\r\n") + 2;
  while (at < end) {
    const std::size_t next = request.find("\r\n", at);
    const std::string line = request.substr(at, next - at);
    const std::size_t colon = line.find(':');
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
      return static_cast<char>(std::tolower(c));
    });
    std::size_t value = colon + 1;
    while (value < line.size() && line[value] == ' ') ++value;
    received.headers[name] = line.substr(value);
    at = next + 2;
  }
  return received;
}

}  // namespace

WebhookReceiver::WebhookReceiver(Script script) : script_(std::move(script)) {
  auto server =
      testkit::ScriptedServer::start([this](testkit::ScriptedConnection& one) { serve(one); });
  EXPECT_TRUE(server);
  server_ = *std::move(server);
}

void WebhookReceiver::set_script(Script script) {
  const std::lock_guard lock(mutex_);
  script_ = std::move(script);
}

void WebhookReceiver::serve(testkit::ScriptedConnection& connection) {
  while (auto request = connection.read_request()) {
    const Received received = read(*request);
    Script script;
    int attempt = 0;
    {
      const std::lock_guard lock(mutex_);
      script = script_;
      attempt = ++attempts_[received.id()];
      received_.push_back(received);
    }
    const int status = script(received, attempt);
    if (status == 0) return connection.be_silent();
    if (status < 300) {
      const std::lock_guard lock(mutex_);
      accepted_.push_back(received);
    }
    if (!connection.answer(status, "{}")) return;
  }
}

std::vector<Received> WebhookReceiver::accepted() const {
  const std::lock_guard lock(mutex_);
  return accepted_;
}

std::set<std::string> WebhookReceiver::operations() const {
  std::set<std::string> operations;
  for (const Received& received : accepted()) operations.insert(received.operation());
  return operations;
}

std::vector<Received> WebhookReceiver::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

}  // namespace mizan::integration
