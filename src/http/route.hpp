#pragma once

#include "http/exchange.hpp"
#include "http/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace mizan::http {

struct Services;

/// What a key must allow for a request.
enum class Scope : std::uint8_t { open, read, write, admin };

/// How a request may overlap with those before it on its connection (RFC 9112, 9.3.2: only safe
/// ones may run side by side).
enum class Order : std::uint8_t {
  safe,    ///< Changes nothing: beside other safe ones.
  queued,  ///< The ledger applies them in the order in which they are handed in.
  alone,   ///< After everything before it.
};

inline constexpr std::size_t body_small = std::size_t{64} * 1024;
inline constexpr std::size_t body_operation = std::size_t{512} * 1024;
inline constexpr std::size_t body_batch = std::size_t{32} * 1024 * 1024;

/// A line of the table. `{…}` in a pattern is a parameter. A handler must not block: it answers at
/// once, or hands the work to somebody who answers later.
struct Route {
  Method method = Method::get;
  std::string_view pattern;
  void (*handle)(Services& services, const std::shared_ptr<Exchange>& exchange) = nullptr;
  Scope scope = Scope::read;
  Order order = Order::safe;
  std::size_t body_max = 0;  ///< Bytes; 0: a body is read past and ignored, up to `body_small`.
  bool is_batch = false;     ///< The body is not read beyond the items that a batch may have.
  bool is_large = false;     ///< An answer may be megabytes: one at a time on a connection.
};

/// A route that shows a list, or another answer of that size.
constexpr Route list_route(std::string_view pattern,
                           decltype(Route::handle) handle,
                           Scope scope = Scope::read) {
  Route route{Method::get, pattern, handle, scope};
  route.is_large = true;
  return route;
}

// One list per file of routes/.
[[nodiscard]] std::span<const Route> wallet_routes();
[[nodiscard]] std::span<const Route> operation_routes();
[[nodiscard]] std::span<const Route> currency_routes();
[[nodiscard]] std::span<const Route> batch_routes();
[[nodiscard]] std::span<const Route> lock_routes();
[[nodiscard]] std::span<const Route> event_routes();
[[nodiscard]] std::span<const Route> webhook_routes();
[[nodiscard]] std::span<const Route> health_routes();
[[nodiscard]] std::span<const Route> metrics_routes();

}  // namespace mizan::http
