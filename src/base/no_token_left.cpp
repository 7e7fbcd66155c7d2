#include "base/no_token_left.hpp"

#include "base/text.hpp"

namespace mizan {

Error no_token_left(const Resource& resource) {
  return invalid_request("/resource",
                         "no fencing token is left for " + escape_for_log(resource.view()) +
                             ": the greatest one was applied already; use another resource");
}

}  // namespace mizan
