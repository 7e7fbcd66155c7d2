#include "serve/webhooks.hpp"

#include "mizan/store_lock.hpp"

#include "base/random.hpp"
#include "base/text.hpp"
#include "cli/duration.hpp"
#include "http_client/client.hpp"
#include "webhook/service.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace mizan::serve {
namespace {

constexpr std::size_t answer_size_max = 64 * 1024;

/// A connection that was kept open and breaks within this time had been closed by the receiver
/// before. Sending once more costs, at worst, a repeat.
constexpr std::chrono::milliseconds soon_lost{500};

webhook::Answer to_answer(const http_client::Answer& answer) {
  return {answer.status, std::string(answer.header("retry-after"))};
}

Result<webhook::Answer> send(http_client::Client& client,
                             const Clock& clock,
                             const webhook::Message& message) {
  http_client::Request request;
  request.method = "POST";
  request.url = message.url;
  request.headers = message.headers;
  request.body = message.body;
  request.deadline = message.deadline;
  const Instant began = clock.now();
  auto answer = client.exchange(request);
  const bool is_asked_again =
      !answer && answer.error().certainty == Certainty::unknown && clock.now() - began < soon_lost;
  if (is_asked_again) answer = client.exchange(request);
  if (!answer) return std::move(answer).error();
  return to_answer(*answer);
}

Result<std::chrono::milliseconds> read_time(const cli::Settings& settings, std::string_view key) {
  auto time = cli::read_duration(settings.text(key));
  if (!time) return invalid_request("/" + std::string(key), time.error().detail);
  return time;
}

Result<webhook::CourierOptions> read_options(const cli::Settings& settings) {
  webhook::CourierOptions options;
  auto timeout = read_time(settings, "webhook_timeout");
  if (!timeout) return std::move(timeout).error();
  if (*timeout > std::chrono::minutes{5}) {
    return invalid_request("/webhook_timeout", "webhook_timeout is up to 5m");
  }
  auto retry = read_time(settings, "webhook_retry");
  if (!retry) return std::move(retry).error();
  const auto attempts = parse_unsigned(settings.text("webhook_attempts"));
  constexpr std::uint64_t attempts_max = 100;
  if (!attempts || *attempts < 1 || *attempts > attempts_max) {
    return invalid_request("/webhook_attempts", "webhook_attempts is 1 to 100");
  }
  options.timeout = *timeout;
  options.retry.first = *retry;
  options.retry.attempts_max = static_cast<std::uint32_t>(*attempts);
  return options;
}

http_client::Options client_options(const cli::Settings& settings) {
  http_client::Options options;
  options.body_size_max = answer_size_max;
  options.public_addresses_only = settings.text("webhook_addresses") == "public";
  return options;
}

}  // namespace

class Webhooks::Impl {
 public:
  Impl(const cli::Context& context, const cli::OpenLedger& open, webhook::CourierOptions options)
      : clock_(context.clock()),
        client_(http_client::make_client(clock_, client_options(context.settings()))),
        locks_(make_store_lock(*open.store, clock_)),
        registry_(*open.store, clock_, system_random()),
        ground_{
            *open.ledger,
            registry_,
            *locks_,
            clock_,
            system_random(),
            [this](const webhook::Message& message) { return send(*client_, clock_, message); }},
        service_(ground_, options) {}

 private:
  const Clock& clock_;
  std::unique_ptr<http_client::Client> client_;
  std::unique_ptr<LockService> locks_;
  webhook::Registry registry_;
  webhook::Ground ground_;
  webhook::Service service_;  // Last: it uses everything above.
};

Webhooks::Webhooks(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Webhooks::~Webhooks() = default;

Status Webhooks::check(const cli::Settings& settings) {
  if (auto options = read_options(settings); !options) return options.error();
  return {};
}

Result<std::unique_ptr<Webhooks>> Webhooks::start(const cli::Context& context,
                                                  const cli::OpenLedger& open) {
  auto options = read_options(context.settings());
  if (!options) return std::move(options).error();
  auto impl = std::make_unique<Impl>(context, open, *options);
  return std::unique_ptr<Webhooks>(new Webhooks(std::move(impl)));
}

}  // namespace mizan::serve
