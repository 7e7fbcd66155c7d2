// With OpenSSL where configuring found it (MIZAN_REDIS_TLS); tls_absent.cpp stands in otherwise.
#ifdef MIZAN_REDIS_TLS

#include "lock/redis/tls.hpp"

#include "base/text.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <utility>

namespace mizan::redis {
namespace {

constexpr const char* where = "redis: TLS";

struct FreeContext {
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};

struct FreeSession {
  void operator()(SSL* session) const noexcept { SSL_free(session); }
};

/// Why the last call of this thread failed.
std::string reason() {
  std::array<char, 256> text{};
  const unsigned long code = ERR_get_error();
  if (code == 0) return "the server closed the connection";
  ERR_error_string_n(code, text.data(), text.size());
  ERR_clear_error();
  return escape_for_log(text.data());
}

bool is_ip_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

bool demand_host(SSL* session, const std::string& host) {
  if (is_ip_address(host)) {
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str()) == 1;
  }
  // The call behind SSL_set_tlsext_host_name, which is a macro with a C cast in it.
  return SSL_set1_host(session, host.c_str()) == 1 &&
         SSL_ctrl(session,
                  SSL_CTRL_SET_TLSEXT_HOSTNAME,
                  TLSEXT_NAMETYPE_host_name,
                  const_cast<char*>(host.c_str())) == 1;
}

}  // namespace

class TlsContext::Impl {
 public:
  std::unique_ptr<SSL_CTX, FreeContext> context;
};

class TlsSession::Impl {
 public:
  std::unique_ptr<SSL, FreeSession> session;
  BIO* input = nullptr;  // The session's.
  BIO* output = nullptr;

  [[nodiscard]] bool wants_bytes(int result) const noexcept {
    return SSL_get_error(session.get(), result) == SSL_ERROR_WANT_READ;
  }
};

TlsContext::TlsContext(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

TlsContext::~TlsContext() = default;

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const RedisOptions& options) {
  ERR_clear_error();
  auto impl = std::make_unique<Impl>();
  impl->context.reset(SSL_CTX_new(TLS_client_method()));
  SSL_CTX* context = impl->context.get();
  if (context == nullptr) return internal_error(where, reason());
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  const bool trusts =
      options.tls_ca_file.empty()
          ? SSL_CTX_set_default_verify_paths(context) == 1
          : SSL_CTX_load_verify_locations(context, options.tls_ca_file.c_str(), nullptr) == 1;
  if (!trusts) return invalid_request(where, "ca_file: " + reason());
  if (!options.tls_cert_file.empty()) {
    const char* key = options.tls_key_file.c_str();
    if (SSL_CTX_use_certificate_chain_file(context, options.tls_cert_file.c_str()) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
      return invalid_request(where, "cert_file and key_file: " + reason());
    }
  }
  return std::shared_ptr<const TlsContext>(std::make_shared<TlsContext>(std::move(impl)));
}

TlsSession::TlsSession(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

TlsSession::~TlsSession() = default;

Result<std::unique_ptr<TlsSession>> TlsSession::make(const TlsContext& context,
                                                     const std::string& host) {
  ERR_clear_error();
  auto impl = std::make_unique<Impl>();
  impl->session.reset(SSL_new(context.impl().context.get()));
  impl->input = BIO_new(BIO_s_mem());
  impl->output = BIO_new(BIO_s_mem());
  SSL* session = impl->session.get();
  if (session == nullptr || impl->input == nullptr || impl->output == nullptr) {
    return internal_error(where, reason());
  }
  SSL_set_bio(session, impl->input, impl->output);  // They are the session's from here on.
  SSL_set_connect_state(session);
  if (!demand_host(session, host)) {
    return invalid_request(where, "the host's name fits no certificate");
  }
  return std::make_unique<TlsSession>(std::move(impl));
}

Result<bool> TlsSession::shake_hands() {
  ERR_clear_error();
  const int result = SSL_do_handshake(impl_->session.get());
  if (result == 1) return true;
  if (impl_->wants_bytes(result)) return false;
  Error error = unavailable(where, reason());
  const long verdict = SSL_get_verify_result(impl_->session.get());
  if (verdict == X509_V_OK) return error;
  error.detail += std::string(" (") + X509_verify_cert_error_string(verdict) + ")";
  error.retry = Retry::never;
  return error;
}

Status TlsSession::seal(std::string_view text) {
  ERR_clear_error();
  std::size_t sealed = 0;
  const bool done = SSL_write_ex(impl_->session.get(), text.data(), text.size(), &sealed) == 1;
  if (done && sealed == text.size()) return {};
  return unavailable(where, reason());
}

Result<std::size_t> TlsSession::open(std::span<char> into) {
  ERR_clear_error();
  std::size_t got = 0;
  const int result = SSL_read_ex(impl_->session.get(), into.data(), into.size(), &got);
  if (result == 1) return got;
  if (impl_->wants_bytes(result)) return std::size_t{0};
  return unavailable(where, reason());
}

bool TlsSession::has_opened() const noexcept {
  return SSL_pending(impl_->session.get()) > 0;
}

std::string TlsSession::take_output() {
  std::string bytes(BIO_ctrl_pending(impl_->output), '\0');
  if (!bytes.empty()) BIO_read(impl_->output, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

void TlsSession::add_input(std::span<const char> bytes) {
  BIO_write(impl_->input, bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace mizan::redis

#endif
