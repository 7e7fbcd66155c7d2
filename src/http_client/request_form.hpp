#pragma once

#include "mizan/result.hpp"

#include "http_client/client.hpp"

#include <string>
#include <string_view>

namespace mizan::http_client {

/// What the messages of this folder name as their place.
inline constexpr const char* where = "http client";

/// Can the request be sent as it is? Nothing in it may end a line of the protocol early.
[[nodiscard]] Status check_form(const Request& request);

/// Scheme, host and port of a URL that `check_form` accepts, such as `https://shop.example:8443`:
/// what a message may say of it, and what a connection belongs to.
[[nodiscard]] std::string origin_of(std::string_view url);

}  // namespace mizan::http_client
