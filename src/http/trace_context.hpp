#pragma once

#include <string_view>

namespace mizan::http {

/// The trace id of a `traceparent` (W3C Trace Context, 3.2): 32 lower-case hexadecimal digits;
/// empty where the header is not valid. Later versions may go on behind a further hyphen.
[[nodiscard]] std::string_view trace_id_of(std::string_view traceparent) noexcept;

}  // namespace mizan::http
