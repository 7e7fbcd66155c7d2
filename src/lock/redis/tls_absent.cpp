// Stands in for tls.cpp where configuring found no OpenSSL.
#ifndef MIZAN_REDIS_TLS

#include "lock/redis/tls.hpp"

#include <utility>

namespace mizan::redis {
namespace {

Error absent() {
  return invalid_request("redis: TLS",
                         "this build has none: install libssl-dev and build again, or use a TLS "
                         "tunnel and redis://");
}

}  // namespace

class TlsContext::Impl {};

class TlsSession::Impl {};

TlsContext::TlsContext(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

TlsContext::~TlsContext() = default;

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const RedisOptions& /*options*/) {
  return absent();
}

TlsSession::TlsSession(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

TlsSession::~TlsSession() = default;

Result<std::unique_ptr<TlsSession>> TlsSession::make(const TlsContext& /*context*/,
                                                     const std::string& /*host*/) {
  return absent();
}

Result<bool> TlsSession::shake_hands() {
  return absent();
}

Status TlsSession::seal(std::string_view /*text*/) {
  return absent();
}

Result<std::size_t> TlsSession::open(std::span<char> /*into*/) {
  return absent();
}

bool TlsSession::has_opened() const noexcept {
  return false;
}

std::string TlsSession::take_output() {
  return {};
}

void TlsSession::add_input(std::span<const char> /*bytes*/) {}

}  // namespace mizan::redis

#endif
