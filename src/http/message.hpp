#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::http {

enum class Method : std::uint8_t { get, head, post, put, patch, del, options, other };

[[nodiscard]] std::string_view to_string(Method method) noexcept;

/// One request as it was read: the target as sent, the headers that mean something here, the body.
struct Request {
  Method method = Method::other;
  std::string target;
  std::optional<std::string> idempotency_key;
  std::string content_type;      ///< Empty where none is stated.
  std::string content_encoding;  ///< Likewise.
  std::string authorization;
  std::optional<std::string> host;  ///< Absent: HTTP/1.0 does without, and so does no browser.
  std::string request_id;
  std::string traceparent;
  std::string peer;  ///< The client's address.
  std::string body;
  bool has_origin = false;  ///< `Origin` is there: a page in a browser sent it.

  /// The name of one of those above that stands twice, with different values; empty: none does.
  std::string_view repeated_header;
};

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view problem_type = "application/problem+json";

/// One answer. Texts that are views have static storage.
struct Response {
  int status = 200;
  std::string_view content_type = json_type;
  std::string_view code;  ///< The outcome, for logs and metrics; empty where there is none.
  std::string body;
  bool replayed = false;                            ///< `Idempotent-Replayed: true`.
  std::optional<std::chrono::seconds> retry_after;  ///< `Retry-After`.
  std::string_view extra_name;                      ///< One more header; empty: none.
  std::string extra_value;
  bool close = false;  ///< The connection ends behind it.
};

}  // namespace mizan::http
