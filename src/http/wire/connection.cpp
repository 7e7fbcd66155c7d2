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

constexpr std::size_t input_size = std::size_t{8} * 1024;
constexpr std::size_t input_size_of_bodies = std::size_t{128} * 1024;
constexpr std::size_t output_max = std::size_t{4} * 1024 * 1024;
constexpr std::size_t output_kept = std::size_t{256} * 1024;
constexpr std::chrono::seconds linger_time{2};

/// One that the client chose, where it is harmless in a header and a log.
bool is_usable_id(std::string_view id) {
  constexpr std::size_t size_max = 128;
  return !id.empty() && id.size() <= size_max && std::all_of(id.begin(), id.end(), [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '\\';
  });
}

constexpr const char* line_rule = "lines end with CR LF, and one empty line may precede a request";

/// Its answer may be.
bool is_large(const Exchange& exchange) {
  return exchange.match.route != nullptr && exchange.match.route->is_large;
}

/// In what the parser keeps for later, which is made of lines: does one end with LF alone?
bool has_bare_line_end(std::string_view lines) {
  std::size_t at = lines.find('\n');
  while (at != std::string_view::npos && at > 0 && lines[at - 1] == '\r') {
    at = lines.find('\n', at + 1);
  }
  return at != std::string_view::npos;
}

/// `rest` begins where the parser stopped: with the request's first line where that is what it
/// does not understand. Only a whole line that ends with another version is about the version.
bool is_of_other_version(std::string_view rest) {
  const std::string_view line = rest.substr(0, rest.find("\r\n"));
  const std::size_t version = line.rfind(" HTTP/");
  constexpr std::size_t size = std::string_view(" HTTP/1.1").size();
  return version != std::string_view::npos && line.size() == version + size &&
         line.find('\n') == std::string_view::npos;
}

TransportProblem too_large_headers() {
  return {431, "headers_too_large", "the request's headers are too large"};
}

TransportProblem no_room_for_body() {
  return {503, "unavailable", "large bodies of others are being worked on; send it again later"};
}

TransportProblem problem_of(const boost::beast::error_code& error, std::string_view rest) {
  using Kind = boost::beast::http::error;
  if (error == Kind::header_limit) return too_large_headers();
  if (error == Kind::body_limit) {
    return {413, "body_too_large", "the body is larger than this path takes"};
  }
  if (error == Kind::bad_version && is_of_other_version(rest)) {
    return {505, "version_not_supported", "this server speaks HTTP/1.1"};
  }
  const bool is_line = error == Kind::bad_version || error == Kind::bad_line_ending;
  return {400,
          "malformed_http",
          "this is not an HTTP request: " + (is_line ? line_rule : error.message())};
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
  return pipeline_.empty() && !next_ && !is_writing_ && input_begin_ == input_end_ && !parser_;
}

void Connection::read_on() {
  const auto& options = loop_.ground().options;
  const bool is_full = pipeline_.size() >= options.pipeline_max || next_ != nullptr || owes_much();
  const bool discards = phase_ == Phase::lingering;
  if (phase_ == Phase::closed || is_reading_ || peer_done_ || (is_full && !discards)) return;
  if (phase_ == Phase::open && close_after_) return;
  if (input_begin_ == input_end_ || discards) input_begin_ = input_end_ = 0;
  const bool in_body = parser_ && parser_->is_header_done();
  const std::size_t wanted = in_body ? input_size_of_bodies : input_size;
  if (input_.size() < wanted) input_.resize(wanted);
  if (input_.size() > wanted && input_begin_ == input_end_) {
    input_.resize(wanted);
    input_.shrink_to_fit();
  }
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
    if (parser_) refuse({400, "malformed_http", "the connection ended before the request did"});
    if (pipeline_.empty() && !is_writing_) return close();
    return loop_.settle();
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
    say_continue();
    const bool has_made_room = owes_much() && flush();
    goes_on = phase_ == Phase::open && (has_answered || has_read || has_made_room) &&
              (has_answer() || next_ || input_begin_ != input_end_);
  }
  if (flush() && pipeline_.empty() && !next_ && (close_after_ || peer_done_)) end();
  is_going_on_ = false;
  time_reading();
  count_arriving();
  if (phase_ == Phase::open) read_on();
}

/// The time to send a request stands still while the client waits for us.
void Connection::time_reading() {
  const bool stands_still = parser_ && (owes_much() || awaits_continue());
  if (stands_still && !unread_since_) unread_since_ = loop_.now();
  if (stands_still || !unread_since_) return;
  read_until_ += loop_.now() - *unread_since_;
  unread_since_.reset();
}

/// A server that stops waits for requests of which something is there.
void Connection::count_arriving() {
  const bool arrives =
      phase_ == Phase::open && (parser_ || next_ || (input_begin_ != input_end_ && !close_after_));
  if (arrives == is_arriving_) return;
  is_arriving_ = arrives;
  auto& arriving = loop_.ground().arriving;
  arrives ? ++arriving : --arriving;
}

/// Takes requests from the input while they may run; answers whether there was any.
bool Connection::parse_some() {
  bool any = false;
  while (phase_ == Phase::open && !close_after_) {
    if (next_) {
      if (!may_run(*next_)) return any;
      dispatch_next();
      any = true;
      if (next_) return any;  // It must not run beside those before it, as it found.
    }
    if (pipeline_.size() >= loop_.ground().options.pipeline_max) return any;
    if (input_begin_ == input_end_ || !feed_parser()) return any;
  }
  return any;
}

/// One empty line in front of a request is passed over (RFC 9112, 2.2); true when there is
/// something behind it.
bool Connection::skip_empty_line() {
  constexpr std::string_view line_end = "\r\n";
  while (line_end_passed_ < line_end.size() && input_begin_ != input_end_ &&
         input_[input_begin_] == line_end[line_end_passed_]) {
    ++line_end_passed_;
    ++input_begin_;
  }
  if (input_begin_ == input_end_) return false;
  if (line_end_passed_ != 1) return true;
  request_began_ = loop_.now();
  return refuse({400, "malformed_http", line_rule});
}

/// Gives the parser what is there; true when a request has come to its end and is the next.
bool Connection::feed_parser() {
  if (!parser_) {
    if (!skip_empty_line()) return false;
    const LoopGround& ground = loop_.ground();
    request_began_ = loop_.now();
    read_until_ = request_began_ + ground.options.read_time;
    unread_since_.reset();
    said_continue_ = false;
    parser_.emplace(ground.router, ground.services, ground.options.header_max);
  }
  while (input_begin_ != input_end_ && !parser_->is_done()) {
    boost::beast::error_code error;
    const std::size_t used = parser_->put(
        boost::asio::buffer(input_.data() + input_begin_, input_end_ - input_begin_), error);
    input_begin_ += used;
    const std::string_view rest(input_.data() + input_begin_, input_end_ - input_begin_);
    if (error == boost::beast::http::error::need_more) {
      if (has_bare_line_end(rest)) return refuse({400, "malformed_http", line_rule});
      // The parser has a limit for the header, and none for the lines between chunks.
      if (rest.size() > loop_.ground().options.header_max) return refuse(too_large_headers());
      if (used == 0 || input_begin_ == input_end_) break;
      continue;
    }
    if (error && parser_->is_cut()) return take_cut_request();
    if (error && parser_->is_crowded()) return refuse(no_room_for_body());
    if (error) return refuse(problem_of(error, rest));
  }
  return parser_->is_done() && take_request();
}

/// The client sends no body before it is told to.
bool Connection::awaits_continue() const {
  return parser_ && parser_->is_header_done() && parser_->expects_continue() && !said_continue_ &&
         !parser_->is_old();
}

/// Behind the answers to all earlier requests.
void Connection::say_continue() {
  if (!awaits_continue() || !pipeline_.empty()) return;
  said_continue_ = true;
  output_next_ += "HTTP/1.1 100 Continue\r\n\r\n";
}

/// What the parser has read so far, as an exchange.
std::shared_ptr<Exchange> Connection::make_exchange() {
  auto exchange = std::make_shared<Exchange>(shared_from_this());
  if (parser_) {
    exchange->request = std::move(parser_->request);
    exchange->match = std::move(parser_->match);
    exchange->access = std::move(parser_->access);
    exchange->body_share = std::move(parser_->body_share);
  }
  exchange->began = request_began_;
  exchange->request.peer = peer_;
  exchange->request_id = is_usable_id(exchange->request.request_id)
                             ? exchange->request.request_id
                             : std::string(loop_.ground().services.uuids.next().view());
  return exchange;
}

bool Connection::take_request() {
  next_ = make_exchange();
  next_->closes = !parser_->keep_alive() || loop_.is_draining();
  speaks_old_ = parser_->is_old();
  line_end_passed_ = 0;
  const bool lacks_host = !speaks_old_ && !parser_->has_host();
  parser_.reset();
  if (!lacks_host) return true;
  return refuse_exchange(std::exchange(next_, {}),
                         {400, "malformed_http", "HTTP/1.1 needs one Host header"});
}

/// What is there of it is answered, and nothing is read any more: nobody knows where the next one
/// begins.
bool Connection::take_cut_request() {
  input_begin_ = input_end_;
  if (!take_request()) return false;
  next_->closes = true;
  return true;
}

/// The client does not read what it asked for.
bool Connection::owes_much() const noexcept {
  return output_.size() + output_next_.size() > output_max;
}

/// Safe requests run side by side; those that the ledger takes in order likewise. Of large answers
/// there is one at a time: nobody knows how large they are before they are there.
bool Connection::may_run(const Exchange& next) const {
  if (owes_much()) return false;
  if (pipeline_.empty()) return true;
  const auto order_of = [](const Exchange& exchange) {
    if (exchange.is_to_be_alone()) return Order::alone;
    return exchange.match.route == nullptr ? Order::safe : exchange.match.route->order;
  };
  const Order order = order_of(next);
  if (order == Order::alone) return false;
  if (order == Order::queued && !loop_.ground().services.submits) return false;
  return std::all_of(pipeline_.begin(), pipeline_.end(), [&](const auto& earlier) {
    return order_of(*earlier) == order && !(is_large(*earlier) && is_large(next));
  });
}

void Connection::admit(const std::shared_ptr<Exchange>& exchange) {
  ++loop_.ground().requests;
  pipeline_.push_back(exchange);
}

bool Connection::has_room_for(const Exchange& exchange) const {
  const LoopGround& ground = loop_.ground();
  return ground.requests <= ground.options.requests_max &&
         has_room_for_answer(ground.services, exchange);
}

void Connection::dispatch_next() {
  const std::shared_ptr<Exchange> exchange = std::exchange(next_, {});
  exchange->has_company = !pipeline_.empty();
  admit(exchange);
  close_after_ = exchange->closes;
  if (!has_room_for(*exchange)) return exchange->answer(overloaded(*exchange));
  if (is_large(*exchange)) exchange->answers = loop_.ground().services.answers;
  dispatch(loop_.ground().services, exchange);
  if (!exchange->has_company || !exchange->is_to_be_alone()) return;
  pipeline_.pop_back();
  --loop_.ground().requests;
  close_after_ = false;
  next_ = exchange;
}

/// Answers what cannot become a request, and ends: nobody knows where the next one begins. False.
bool Connection::refuse(const TransportProblem& problem) {
  return refuse_exchange(make_exchange(), problem);
}

bool Connection::refuse_exchange(const std::shared_ptr<Exchange>& exchange,
                                 const TransportProblem& problem) {
  parser_.reset();
  input_begin_ = input_end_;
  close_after_ = true;
  admit(exchange);
  exchange->answer(transport_response(problem, exchange->request_id));
  return false;
}

bool Connection::has_answer() const {
  return !pipeline_.empty() && pipeline_.front()->is_ready();
}

/// Writes out the answers that are there and next in order, as far as the client takes them.
bool Connection::collect() {
  if (owes_much() || !has_answer()) return false;
  Services& services = loop_.ground().services;
  const Instant now = loop_.now();
  while (!owes_much() && has_answer()) {
    const std::shared_ptr<Exchange> exchange = std::move(pipeline_.front());
    pipeline_.pop_front();
    const Response response = exchange->take_response();
    if (response.close) close_after_ = true;
    const bool is_last = close_after_ && pipeline_.empty() && !next_;
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
  owed_.hold(services.answers, output_.size() + output_next_.size());
  last_activity_ = now;
  return true;
}

/// Writes what is there; false where the client does not take all of it now.
bool Connection::flush() {
  if (phase_ == Phase::closed || is_writing_) return false;
  if (output_next_.empty()) return true;
  std::swap(output_, output_next_);
  const std::size_t done = write_now(output_);
  if (done == output_.size()) {
    forget_output();
    return true;
  }
  is_writing_ = true;
  write_began_ = loop_.now();
  begin_write(std::string_view(output_).substr(done));
  return false;
}

/// It is written. The room of a large answer is given back: a connection may be idle for long.
void Connection::forget_output() {
  output_.clear();
  owed_.hold(loop_.ground().services.answers, output_next_.size());
  if (output_.capacity() > output_kept) output_.shrink_to_fit();
}

void Connection::on_written(bool is_ok) {
  is_writing_ = false;
  if (phase_ == Phase::closed) return;
  if (!is_ok) return close();
  forget_output();
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
  count_arriving();
  // Those who still work on an answer give it to nobody.
  for (const auto& exchange : pipeline_) exchange->abandon();
  pipeline_.clear();
  next_.reset();
  close_socket();
  loop_.remove(shared_from_this());
}

Instant Connection::limit() const {
  const auto& options = loop_.ground().options;
  if (phase_ == Phase::opening) return last_activity_ + options.read_time;
  if (phase_ == Phase::lingering) return last_activity_ + linger_time;
  if (is_writing_) return write_began_ + options.write_time;
  if (parser_) return unread_since_ ? Instant::max() : read_until_;
  if (!pipeline_.empty() || next_) return Instant::max();
  return last_activity_ + options.idle_time;
}

void Connection::check(Instant now) {
  if (phase_ == Phase::closed || now < limit()) return;
  const bool is_slow_request = phase_ == Phase::open && parser_ && !is_writing_;
  if (!is_slow_request) return close();
  refuse({408, "request_timeout", "the request did not come to its end in time"});
}

void Connection::drain(bool last) {
  if (phase_ == Phase::opening && last) return close();
  if (phase_ != Phase::open) return;
  if (is_idle()) {
    if (!last) return;
    close_after_ = true;
    return end();
  }
  if (last && parser_) {
    refuse({503, "unavailable", "the server is stopping, and the request did not come whole"});
  }
  // What is there of further requests is answered too, except at the last.
  const bool has_more = parser_ || input_begin_ != input_end_;
  if (has_more && !last) return;
  if (next_) next_->closes = true;
  if (!next_ && (last || !pipeline_.empty())) close_after_ = true;
  count_arriving();
}

}  // namespace mizan::http
