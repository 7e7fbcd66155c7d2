#pragma once

#include "http/exchange.hpp"
#include "http/message.hpp"
#include "http/router.hpp"
#include "http/services.hpp"
#include "json/item_counter.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::http {

/// Reads one request with Beast's parser into our own form, without a map of headers.
class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  /// Both must outlive it.
  RequestParser(const Router& router, const Services& services, std::size_t header_max);

  Request request;
  RouteMatch match;
  Access access;  ///< Whether the client may; known with the header.
  MemoryShare body_share;

  /// The client waits for `100 Continue` before it sends the body.
  [[nodiscard]] bool expects_continue() const noexcept { return expects_continue_; }

  [[nodiscard]] bool has_host() const noexcept { return hosts_ == 1; }

  /// The request says enough to be refused; the rest of its body is not wanted. `put` ended with an
  /// error that says nothing.
  [[nodiscard]] bool is_cut() const noexcept { return is_cut_; }

  /// There is no room for the body: too much is held for others. `put` ended with an error.
  [[nodiscard]] bool is_crowded() const noexcept { return is_crowded_; }

  /// HTTP/1.0.
  [[nodiscard]] bool is_old() const noexcept { return is_old_; }

 private:
  using Error = boost::beast::error_code;
  using Text = boost::beast::string_view;

  // The names and signatures of these are the library's.
  void on_request_impl(
      boost::beast::http::verb method, Text name, Text target, int version, Error& error) override;
  void on_response_impl(int status, Text reason, int version, Error& error) override;
  void on_field_impl(boost::beast::http::field field, Text name, Text value, Error& error) override;
  void on_header_impl(Error& error) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, Error& error) override;
  std::size_t on_body_impl(Text body, Error& error) override;
  void on_chunk_header_impl(std::uint64_t size, Text extensions, Error& error) override;
  std::size_t on_chunk_body_impl(std::uint64_t remain, Text body, Error& error) override;
  void on_finish_impl(Error& error) override;

  void set(std::string& into, std::string_view name, Text value);
  void set_unknown(Text name, Text value);
  void pass_over_body(Error& error);
  std::size_t append(Text body, Error& error);

  const Router& router_;
  const Services& services_;
  std::size_t body_max_ = 0;
  int hosts_ = 0;
  bool is_old_ = false;
  bool expects_continue_ = false;
  bool has_transfer_encoding_ = false;
  bool is_cut_ = false;
  bool is_crowded_ = false;
  bool keeps_body_ = true;
  std::optional<json::ItemCounter> items_;  // Of a batch.
};

}  // namespace mizan::http
