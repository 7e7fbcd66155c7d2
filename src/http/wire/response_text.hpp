#pragma once

#include "http/message.hpp"

#include <string>
#include <string_view>

namespace mizan::http {

/// What a response says beside itself.
struct ResponseHead {
  std::string_view request_id;
  std::string_view date;      ///< As HTTP writes it.
  bool without_body = false;  ///< The answer to a HEAD.
  bool close = false;
  bool keeps_old_alive = false;  ///< A client of HTTP/1.0 that asked for it.
};

/// Appends the response as it goes over the wire.
void append_response(std::string& out, const Response& response, const ResponseHead& head);

}  // namespace mizan::http
