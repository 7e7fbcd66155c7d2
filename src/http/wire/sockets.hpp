#pragma once

#include "http/wire/connection.hpp"
#include "http/wire/io_loop.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <memory>

namespace mizan::http {

/// A connection over this socket; with `tls`, which outlives it, an encrypted one.
[[nodiscard]] std::shared_ptr<Connection> make_connection(IoLoop& loop,
                                                          boost::asio::ip::tcp::socket socket,
                                                          boost::asio::ssl::context* tls);

}  // namespace mizan::http
