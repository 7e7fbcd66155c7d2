#include "not_built_in.hpp"

#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace mizan {

Error not_built_in(const Schemes& schemes, std::string_view url) {
  const std::string_view scheme = url.substr(0, url.find(':'));
  const std::string where(schemes.what);
  if (std::find(schemes.planned.begin(), schemes.planned.end(), scheme) != schemes.planned.end()) {
    return invalid_request(
        where, fmt::format("{}: is not built in yet; this build has {}", scheme, schemes.built_in));
  }
  return invalid_request(where,
                         fmt::format("'{}' is no URL of a {}; this build has {}",
                                     cli::without_password(url),
                                     schemes.what,
                                     schemes.built_in));
}

}  // namespace mizan
