#include "http/trace_context.hpp"

#include <algorithm>
#include <cstddef>

namespace mizan::http {
namespace {

bool is_hexadecimal(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

/// All zeros are no id.
bool is_id(std::string_view text) noexcept {
  return is_hexadecimal(text) && text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

std::string_view trace_id_of(std::string_view traceparent) noexcept {
  constexpr std::size_t size = 55;  // 00-<32 digits>-<16 digits>-<2 digits>
  if (traceparent.size() < size) return {};
  const std::string_view version = traceparent.substr(0, 2);
  const std::string_view rest = traceparent.substr(size);
  const bool is_version = is_hexadecimal(version) && version != "ff";
  const bool ends = version == "00" ? rest.empty() : rest.empty() || rest.front() == '-';
  const bool is_apart = traceparent[2] == '-' && traceparent[35] == '-' && traceparent[52] == '-';
  const std::string_view trace = traceparent.substr(3, 32);
  const bool has_ids = is_id(trace) && is_id(traceparent.substr(36, 16));
  const bool has_flags = is_hexadecimal(traceparent.substr(53, 2));
  return is_version && ends && is_apart && has_ids && has_flags ? trace : std::string_view();
}

}  // namespace mizan::http
