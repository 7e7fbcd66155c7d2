#pragma once

#include "http/exchange.hpp"
#include "http/message.hpp"
#include "http/route.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace mizan::http {

/// Finds the handler of a request in the table of all routes. Immutable; any thread.
class Router {
 public:
  Router();

  /// HEAD finds the route of GET.
  [[nodiscard]] RouteMatch find(Method method, std::string_view target) const;

  /// In the order of the table.
  [[nodiscard]] const std::vector<Route>& routes() const noexcept { return routes_; }

 private:
  std::vector<Route> routes_;
};

/// Hands the request to its handler, or answers it where there is none, it is not JSON, or the
/// client may not make it. Never blocks.
void dispatch(Services& services, const std::shared_ptr<Exchange>& exchange);

}  // namespace mizan::http
