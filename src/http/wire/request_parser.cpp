#include "http/wire/request_parser.hpp"

#include "http/access.hpp"
#include "http/route.hpp"
#include "json/requests.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/impl/basic_parser.hpp>

#include <algorithm>
#include <limits>

namespace mizan::http {
namespace {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::verb;

Method method_of(verb method) noexcept {
  // The library knows many more, which are nothing here.
  if (method == verb::get) return Method::get;
  if (method == verb::head) return Method::head;
  if (method == verb::post) return Method::post;
  if (method == verb::put) return Method::put;
  if (method == verb::patch) return Method::patch;
  if (method == verb::delete_) return Method::del;
  if (method == verb::options) return Method::options;
  return Method::other;
}

}  // namespace

RequestParser::RequestParser(const Router& router, const Services& services, std::size_t header_max)
    : router_(router), services_(services) {
  eager(true);
  header_limit(static_cast<std::uint32_t>(header_max));
  body_limit(std::numeric_limits<std::uint64_t>::max());  // The route's own limit stands instead.
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the library's.
void RequestParser::on_request_impl(
    verb method, Text /*name*/, Text target, int version, Error& /*error*/) {
  is_old_ = version < 11;
  request.method = method_of(method);
  request.target.assign(target.data(), target.size());
}

void RequestParser::on_response_impl(int /*status*/,
                                     Text /*reason*/,
                                     int /*version*/,
                                     Error& /*error*/) {}

/// `name` has static storage: it is told to the client.
void RequestParser::set(std::string& into, std::string_view name, Text value) {
  const std::string_view text(value.data(), value.size());
  if (!into.empty() && into != text) request.repeated_header = name;
  into = text;
}

void RequestParser::set_unknown(Text name, Text value) {
  if (beast::iequals(name, "Idempotency-Key")) {
    std::string key = request.idempotency_key.value_or(std::string());
    set(key, "Idempotency-Key", value);
    request.idempotency_key = std::move(key);
  } else if (beast::iequals(name, "X-Request-Id")) {
    set(request.request_id, "X-Request-Id", value);
  } else if (beast::iequals(name, "traceparent")) {
    // Two of them are none (W3C Trace Context, 4.2): no reason to refuse a payment.
    request.traceparent = request.traceparent.empty() ? std::string(value) : "repeated";
  }
}

void RequestParser::on_field_impl(field name, Text text, Text value, Error& error) {
  // What stands behind the body is no header (RFC 9110, 6.5.1): nobody in between has seen it.
  if (is_header_done()) return;
  if (name == field::transfer_encoding) {
    // Anything but one `chunked` hides where the body ends (RFC 9112, 6.1).
    const bool is_known = !has_transfer_encoding_ && beast::iequals(value, "chunked");
    has_transfer_encoding_ = true;
    if (!is_known) error = beast::http::error::bad_transfer_encoding;
    return;
  }
  if (name == field::unknown) return set_unknown(text, value);
  if (name == field::content_type) return set(request.content_type, "Content-Type", value);
  if (name == field::authorization) return set(request.authorization, "Authorization", value);
  if (name == field::content_encoding)
    return set(request.content_encoding, "Content-Encoding", value);
  if (name == field::origin) request.has_origin = true;
  if (name == field::host) {
    ++hosts_;
    request.host = std::string(value.data(), value.size());
  }
  if (name == field::expect && beast::iequals(value, "100-continue")) expects_continue_ = true;
}

void RequestParser::on_header_impl(Error& error) {
  match = router_.find(request.method, request.target);
  access = check_access(services_, request, match);
  if (access.is_refused()) return pass_over_body(error);
  body_max_ =
      match.route == nullptr || match.route->body_max == 0 ? body_small : match.route->body_max;
  if (match.route != nullptr && match.route->is_batch) {
    items_.emplace(json::batch_key, json::batch_max);
  }
  const auto length = content_length();
  if (length && *length > body_max_) error = beast::http::error::body_limit;
}

/// A small body that is on its way is read and dropped, since that leaves the connection usable.
/// Another one is not waited for.
void RequestParser::pass_over_body(Error& error) {
  keeps_body_ = false;
  body_max_ = body_small;
  const auto length = content_length();
  const bool is_small = length ? *length <= body_small : !chunked();
  is_cut_ = !is_small || expects_continue_;
  if (is_cut_) error = beast::http::error::body_limit;
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length,
                                      Error& /*error*/) {
  // A client that announces much and sends little gets little memory.
  constexpr std::uint64_t reserved_max = std::uint64_t{1024} * 1024;
  if (length && keeps_body_) {
    request.body.reserve(static_cast<std::size_t>(std::min(*length, reserved_max)));
  }
}

std::size_t RequestParser::append(Text body, Error& error) {
  if (!keeps_body_) return body.size();
  if (request.body.size() + body.size() > body_max_) {
    error = beast::http::error::body_limit;
    return 0;
  }
  const std::size_t size = request.body.size() + body.size();
  is_crowded_ = size > MemoryShare::free && services_.bodies->is_spent();
  if (is_crowded_) {
    error = beast::http::error::body_limit;
    return 0;
  }
  body_share.hold(services_.bodies, size);
  request.body.append(body.data(), body.size());
  if (items_ && !items_->feed({body.data(), body.size()})) {
    is_cut_ = true;
    error = beast::http::error::body_limit;
  }
  return body.size();
}

std::size_t RequestParser::on_body_impl(Text body, Error& error) {
  return append(body, error);
}

void RequestParser::on_chunk_header_impl(std::uint64_t /*size*/,
                                         Text /*extensions*/,
                                         Error& /*error*/) {}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t /*remain*/, Text body, Error& error) {
  return append(body, error);
}

void RequestParser::on_finish_impl(Error& /*error*/) {}

}  // namespace mizan::http
