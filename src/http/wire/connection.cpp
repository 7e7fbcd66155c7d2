#include "http/wire/connection.hpp"

#include "http/answers.hpp"
#include "http/request_log.hpp"
#include "http/route.hpp"
#include "http/wire/io_loop.hpp"
#include "http/wire/response_text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <utility>

namespace mizan::http {
namespace {

constexpr std::size_t input_size = 8 * 1024;
constexpr std::size_t input_size_of_bodies = 128 * 1024;
constexpr std::size_t output_max = 4 * 1024 * 1024;
constexpr std::chrono::seconds linger_time{2};

/// One that the client chose, where it is harmless in a header and a log.
bool is_usable_id(std::string_view id) {
  constexpr std::size_t size_max = 128;
  return !id.empty() && id.size() <= size_max && std::all_of(id.begin(), id.end(), [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '\\';
  });
}

TransportProblem problem_of(const boost::beast::error_code& error) {
  using Kind = boost::beast::http::error;
  if (error == Kind::header_limit) {
    return {431, "headers_too_large", "the request's headers are too large"};
  }
  if (error == Kind::body_limit) {
    return {413, "body_too_large", "the body is larger than this path takes"};
  }
  if (error == Kind::bad_version) {
    return {505, "version_not_supported", "this server speaks HTTP/1.1"};
  }
  return {400, "malformed_http", "this is not an HTTP request: " + error.message()};
}

}  // namespace

Connection::Connection(IoLoop& loop, std::string peer)
    : loop_(loop), peer_(std::move(peer)), last_activity_(loop.now()) {}

void Connection::finished(std::shared_ptr<ExchangeOwner> self,
                          std::shared_ptr<Exchange> exchange) noexcept {
  auto& requests = loop_.ground().requests;
  loop_.push(std::static_pointer_cast<Connection>(std::move(self)), std::move(exchange));
  // From here on the server may be gone, once it has seen nobody at work.
  --requests;
}

void Connection::opened() {
  if (phase_ != Phase::opening) return;
  phase_ = Phase::open;
  last_activity_ = loop_.now();
  read_on();
}

bool Connection::is_idle() const noexcept {
  return pipeline_.empty() && !held_ && !is_writing_ && input_begin_ == input_end_ && !parser_;
}

void Connection::read_on() {
  const auto& options = loop_.ground().options;
  const bool is_full = pipeline_.size() >= options.pipeline_max || held_ != nullptr ||
                       output_.size() + output_next_.size() > output_max;
  const bool discards = phase_ == Phase::lingering;
  if (phase_ == Phase::closed || is_reading_ || peer_done_ || (is_full && !discards)) return;
  if (phase_ == Phase::open && close_after_) return;
  if (input_begin_ == input_end_ || discards) input_begin_ = input_end_ = 0;
  const bool in_body = parser_ && parser_->is_header_done();
  const std::size_t wanted = in_body ? input_size_of_bodies : input_size;
  if (input_.size() < wanted) input_.resize(wanted);
  if (input_end_ == input_.size() && input_begin_ > 0) {
    std::copy(input_.data() + input_begin_, input_.data() + input_end_, input_.data());
    input_end_ -= std::exchange(input_begin_, 0);
  }
  if (input_end_ == input_.size()) input_.resize(input_.size() * 2);
  is_reading_ = true;
  begin_read(input_.data() + input_end_, input_.size() - input_end_);
}

void Connection::on_read(bool is_ok, std::size_t size) {
  is_reading_ = false;
  if (phase_ == Phase::closed) return;
  if (!is_ok) {
    peer_done_ = true;
    if (phase_ == Phase::lingering || is_idle()) return close();
    for (const auto& exchange : pipeline_) exchange->abandon();
    if (pipeline_.empty() && !is_writing_) return close();
    return;
  }
  last_activity_ = loop_.now();
  if (phase_ == Phase::lingering) return read_on();
  input_end_ += size;
  go_on();
  loop_.settle();
}

void Connection::go_on() {
  if (phase_ == Phase::closed || is_going_on_) return;
  is_going_on_ = true;
  bool goes_on = true;
  while (goes_on) {
    const bool has_read = parse_some();
    const bool has_answered = collect();
    goes_on = phase_ == Phase::open && (has_answered || has_read) &&
              (held_ || input_begin_ != input_end_);
  }
  flush();
  is_going_on_ = false;
  if (phase_ == Phase::open) read_on();
}

/// Takes requests from the input while they may run; answers whether there was any.
bool Connection::parse_some() {
  bool any = false;
  while (phase_ == Phase::open && !close_after_) {
    if (held_) {
      if (!may_run(*held_)) return any;
      dispatch_held();
      any = true;
      if (held_) return any;  // It must not run beside those before it, as it found.
    }
    if (pipeline_.size() >= loop_.ground().options.pipeline_max) return any;
    if (input_begin_ == input_end_ || !feed_parser()) return any;
  }
  return any;
}

/// Gives the parser what is there; true when a request has come to its end and is held.
bool Connection::feed_parser() {
  if (!parser_) {
    request_began_ = loop_.now();
    said_continue_ = false;
    parser_.emplace(loop_.ground().router, loop_.ground().options.header_max);
  }
  while (input_begin_ != input_end_ && !parser_->is_done()) {
    boost::beast::error_code error;
    const std::size_t used = parser_->put(
        boost::asio::buffer(input_.data() + input_begin_, input_end_ - input_begin_), error);
    input_begin_ += used;
    if (error == boost::beast::http::error::need_more) {
      if (used == 0 || input_begin_ == input_end_) break;
      continue;
    }
    if (error && parser_->is_cut()) return take_cut_request();
    if (error) {
      refuse({}, problem_of(error));
      return false;
    }
  }
  if (parser_->is_done()) return take_request();
  if (parser_->is_header_done() && parser_->expects_continue()) say_continue();
  return false;
}

void Connection::say_continue() {
  if (said_continue_ || !pipeline_.empty() || parser_->is_old()) return;
  said_continue_ = true;
  output_next_ += "HTTP/1.1 100 Continue\r\n\r\n";
}

bool Connection::take_request() {
  held_ = std::make_shared<Exchange>(shared_from_this());
  held_->request = std::move(parser_->request);
  held_->match = std::move(parser_->match);
  held_->began = request_began_;
  held_->request.peer = peer_;
  held_->request_id = is_usable_id(held_->request.request_id)
                          ? held_->request.request_id
                          : std::string(loop_.ground().services.uuids.next().view());
  held_->closes = !parser_->keep_alive() || loop_.is_draining();
  speaks_old_ = parser_->is_old();
  const bool lacks_host = !speaks_old_ && !parser_->has_host();
  parser_.reset();
  if (lacks_host) {
    refuse(std::exchange(held_, {}), {400, "malformed_http", "HTTP/1.1 needs one Host header"});
    return false;
  }
  return true;
}

/// What is there of it is answered, and nothing is read any more: nobody knows where the next one
/// begins.
bool Connection::take_cut_request() {
  input_begin_ = input_end_;
  if (!take_request()) return false;
  held_->closes = true;
  return true;
}

/// Safe requests run side by side; those that the ledger takes in order likewise.
bool Connection::may_run(const Exchange& next) const {
  if (pipeline_.empty()) return true;
  const auto order_of = [](const Exchange& exchange) {
    if (exchange.is_to_be_alone()) return Order::alone;
    return exchange.match.route == nullptr ? Order::safe : exchange.match.route->order;
  };
  const Order order = order_of(next);
  if (order == Order::alone) return false;
  if (order == Order::queued && !loop_.ground().services.submits) return false;
  return std::all_of(pipeline_.begin(), pipeline_.end(), [&](const auto& earlier) {
    return order_of(*earlier) == order;
  });
}

void Connection::admit(const std::shared_ptr<Exchange>& exchange) {
  ++loop_.ground().requests;
  pipeline_.push_back(exchange);
}

void Connection::dispatch_held() {
  const std::shared_ptr<Exchange> exchange = std::exchange(held_, {});
  exchange->has_company = !pipeline_.empty();
  admit(exchange);
  close_after_ = exchange->closes;
  const bool is_full = loop_.ground().requests > loop_.ground().options.requests_max;
  if (is_full) return exchange->answer(overloaded(*exchange));
  dispatch(loop_.ground().services, exchange);
  if (!exchange->has_company || !exchange->is_to_be_alone()) return;
  pipeline_.pop_back();
  --loop_.ground().requests;
  close_after_ = false;
  held_ = exchange;
}

/// Answers what cannot be a request, and ends: nobody knows where the next one begins.
void Connection::refuse(std::shared_ptr<Exchange> exchange, const TransportProblem& problem) {
  parser_.reset();
  input_begin_ = input_end_;
  close_after_ = true;
  if (!exchange) exchange = std::make_shared<Exchange>(shared_from_this());
  exchange->began = request_began_;
  if (exchange->request_id.empty()) {
    exchange->request_id = std::string(loop_.ground().services.uuids.next().view());
  }
  admit(exchange);
  exchange->answer(transport_response(problem, exchange->request_id));
}

/// Writes out the answers that are there and next in order.
bool Connection::collect() {
  if (pipeline_.empty() || !pipeline_.front()->is_ready()) return false;
  Services& services = loop_.ground().services;
  const Instant now = loop_.now();
  while (!pipeline_.empty() && pipeline_.front()->is_ready()) {
    const std::shared_ptr<Exchange> exchange = std::move(pipeline_.front());
    pipeline_.pop_front();
    const Response response = exchange->take_response();
    if (response.close) close_after_ = true;
    const bool is_last = close_after_ && pipeline_.empty() && !held_;
    append_response(output_next_,
                    response,
                    {.request_id = exchange->request_id,
                     .date = loop_.date(),
                     .without_body = exchange->request.method == Method::head,
                     .close = is_last,
                     .keeps_old_alive = speaks_old_ && !is_last});
    services.metrics.count(exchange->match, response, now - exchange->began);
    log_request(services.log, *exchange, response, now - exchange->began);
  }
  last_activity_ = now;
  return true;
}

void Connection::flush() {
  if (is_writing_ || phase_ == Phase::closed) return;
  const bool is_over = close_after_ && pipeline_.empty() && !held_;
  if (output_next_.empty()) {
    if (is_over || (peer_done_ && pipeline_.empty())) end();
    return;
  }
  output_.clear();
  std::swap(output_, output_next_);
  output_done_ = write_now(output_);
  if (output_done_ == output_.size()) {
    output_.clear();
    if (is_over || (peer_done_ && pipeline_.empty())) end();
    return;
  }
  is_writing_ = true;
  write_began_ = loop_.now();
  begin_write(std::string_view(output_).substr(output_done_));
}

void Connection::on_written(bool is_ok) {
  is_writing_ = false;
  if (phase_ == Phase::closed) return;
  if (!is_ok) return close();
  output_.clear();
  last_activity_ = loop_.now();
  go_on();
  loop_.settle();
}

/// Everything is written. The client has a moment to read it before the connection is cut, since
/// bytes of its that nobody reads would make it lose the answer.
void Connection::end() {
  if (phase_ != Phase::open) return;
  if (peer_done_) return close();
  phase_ = Phase::lingering;
  last_activity_ = loop_.now();
  begin_shutdown();
  read_on();
}

void Connection::close() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  // Those who still work on an answer give it to nobody.
  for (const auto& exchange : pipeline_) exchange->abandon();
  pipeline_.clear();
  held_.reset();
  close_socket();
  loop_.remove(shared_from_this());
}

Instant Connection::limit() const {
  const auto& options = loop_.ground().options;
  if (phase_ == Phase::opening) return last_activity_ + options.read_time;
  if (phase_ == Phase::lingering) return last_activity_ + linger_time;
  if (is_writing_) return write_began_ + options.write_time;
  if (parser_) return request_began_ + options.read_time;
  if (!pipeline_.empty() || held_) return Instant::max();
  return last_activity_ + options.idle_time;
}

void Connection::check(Instant now) {
  if (phase_ == Phase::closed || now < limit()) return;
  const bool is_slow_request = phase_ == Phase::open && parser_ && !is_writing_;
  if (!is_slow_request) return close();
  refuse({}, {408, "request_timeout", "the request did not come to its end in time"});
}

void Connection::drain(bool last) {
  if (phase_ == Phase::opening && last) return close();
  if (phase_ != Phase::open) return;
  if (is_idle()) {
    if (!last) return;
    close_after_ = true;
    return end();
  }
  if (last || !pipeline_.empty() || held_) close_after_ = close_after_ || (!held_ && !parser_);
}

}  // namespace mizan::http
