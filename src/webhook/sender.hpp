#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::webhook {

/// A POST that is to be sent once, without following redirects.
struct Message {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  Deadline deadline;
};

struct Answer {
  int status = 0;
  std::string retry_after;  ///< The header; empty where there is none.
};

/// The port to whatever speaks HTTP. Any number of threads may call at once; blocks up to the
/// deadline. An error is an answer that did not come.
using Send = std::function<Result<Answer>(const Message&)>;

}  // namespace mizan::webhook
