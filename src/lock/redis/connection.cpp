#include "lock/redis/connection.hpp"

#include "base/text.hpp"

#include <hiredis/hiredis.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace mizan::redis {
namespace {

constexpr std::size_t buffer_size = 16'384;

struct FreeReply {
  void operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }
};

struct FreeCommand {
  void operator()(char* command) const noexcept { redisFreeCommand(command); }
};

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reply, which the reader bounds.
Reply to_reply(const redisReply& from) {
  Reply reply;
  switch (from.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      reply.kind = Reply::Kind::text;
      reply.text.assign(from.str, from.len);
      break;
    case REDIS_REPLY_ERROR:
      reply.kind = Reply::Kind::error;
      reply.text.assign(from.str, from.len);
      break;
    case REDIS_REPLY_INTEGER:
      reply.kind = Reply::Kind::integer;
      reply.integer = from.integer;
      break;
    case REDIS_REPLY_ARRAY:
      reply.kind = Reply::Kind::array;
      for (std::size_t index = 0; index < from.elements; ++index) {
        reply.items.push_back(to_reply(*from.element[index]));
      }
      break;
    default:
      break;
  }
  return reply;
}

Result<std::string> format(std::span<const std::string_view> words) {
  std::vector<const char*> pointers;
  std::vector<std::size_t> sizes;
  for (const std::string_view word : words) {
    pointers.push_back(word.data());
    sizes.push_back(word.size());
  }
  char* text = nullptr;
  const int size =
      redisFormatCommandArgv(&text, static_cast<int>(words.size()), pointers.data(), sizes.data());
  const std::unique_ptr<char, FreeCommand> owned(text);
  if (size < 0) return internal_error("redis: command", "it cannot be formatted");
  return std::string(text, static_cast<std::size_t>(size));
}

/// Errors that pass, or that another server may not give: ask again later.
bool is_passing(std::string_view code) {
  for (const std::string_view known : {"LOADING",
                                       "READONLY",
                                       "MASTERDOWN",
                                       "CLUSTERDOWN",
                                       "TRYAGAIN",
                                       "MOVED",
                                       "ASK",
                                       "BUSY",
                                       "MISCONF",
                                       "NOREPLICAS",
                                       "OOM"}) {
    if (code == known) return true;
  }
  return false;
}

bool is_refused_login(std::string_view code) {
  return code == "NOAUTH" || code == "WRONGPASS" || code == "NOPERM" || code == "DENIED";
}

/// What only another URL mends; empty where the URL is not to blame.
std::string_view wrong_url(std::string_view what, std::string_view code) {
  if (code == "MOVED") {
    return "it is a node of a cluster: the lock's URL (--lock) begins with redis+cluster://";
  }
  if (code != "ERR") return {};
  if (what == "SELECT") return "the lock's URL (--lock) names a database that the server has not";
  if (what == "CLUSTER SLOTS") {
    return "it is no node of a cluster: the lock's URL (--lock) begins with redis://";
  }
  return {};
}

}  // namespace

Error without_doubt(Error error) {
  if (error.certainty != Certainty::unknown) return error;
  return unavailable(std::move(error.where), std::move(error.detail));
}

Error to_error(std::string_view what, const Reply& reply) {
  const std::string where = "redis: " + std::string(what);
  const std::string_view code = reply.error_code();
  const std::string_view wrong = wrong_url(what, code);
  if (!wrong.empty()) {
    return invalid_request(where, std::string(wrong) + ": " + escape_for_log(reply.text));
  }
  Error error = unavailable(where, escape_for_log(reply.text));
  if (is_passing(code)) return error;
  error.retry = Retry::never;
  if (!is_refused_login(code)) error.code = Code::internal;
  return error;
}

/// Which server it was, and what may be wrong where trying again mends nothing.
Error about_tls(Error error, const RedisAddress& address) {
  std::string detail = to_text(address) + ": " + error.detail;
  if (error.retry == Retry::never) {
    detail +=
        "; ca_file in the lock's URL (--lock) names the authority, and the certificate must be "
        "for this host";
  }
  error.detail = std::move(detail);
  return error;
}

void Connection::CloseReader::operator()(redisReader* reader) const noexcept {
  redisReaderFree(reader);
}

Connection::Connection(Socket socket) : socket_(std::move(socket)), reader_(redisReaderCreate()) {}

Result<std::unique_ptr<Connection>> Connection::open(const RedisAddress& address,
                                                     const Login& login,
                                                     Deadline deadline) {
  auto socket = Socket::connect(address, deadline);
  if (!socket) return std::move(socket).error();
  if (login.tls) {
    if (Status sealed = socket->start_tls(*login.tls, address.host, deadline); !sealed) {
      return about_tls(std::move(sealed).error(), address);
    }
  }
  std::unique_ptr<Connection> connection(new Connection(std::move(*socket)));
  if (Status admitted = connection->log_in(login, deadline); !admitted) {
    return std::move(admitted).error();
  }
  return connection;
}

Status Connection::log_in(const Login& login, Deadline deadline) {
  // Without a password a question that is free tells whether one is wanted.
  std::vector<std::string_view> words{"PING"};
  if (!login.password.empty()) {
    words = {"AUTH"};
    if (!login.user.empty()) words.emplace_back(login.user);
    words.emplace_back(login.password);
  }
  auto reply = ask(words, deadline);
  if (!reply) return std::move(reply).error();
  if (reply->is_error() && !is_passing(reply->error_code())) {
    // Only the code: whatever answers might repeat what it was asked.
    Error error =
        unavailable("redis: AUTH",
                    peer() + " refuses the login: " + escape_for_log(reply->error_code(), 32) +
                        "; check user and password");
    error.retry = Retry::never;
    return error;
  }
  if (login.database == 0) return {};
  const std::string database = std::to_string(login.database);
  const std::array<std::string_view, 2> select{"SELECT", database};
  auto selected = ask(select, deadline);
  if (!selected) return std::move(selected).error();
  if (selected->is_error()) return to_error("SELECT", *selected);
  return {};
}

Result<Reply> Connection::ask(std::span<const std::string_view> words, Deadline deadline) {
  if (Status sent = send(words, deadline); !sent) return std::move(sent).error();
  return receive(deadline);
}

Status Connection::send(std::span<const std::string_view> words, Deadline deadline) {
  auto request = format(words);
  if (!request) return std::move(request).error();
  Status sent = socket_.send(*request, deadline);
  if (!sent) broken_ = true;
  return sent;
}

Result<Reply> Connection::receive(Deadline deadline) {
  while (true) {
    auto reply = parse();
    if (!reply) return std::move(reply).error();
    if (*reply) return **std::move(reply);
    if (Status filled = fill(deadline); !filled) return std::move(filled).error();
  }
}

Result<std::optional<Reply>> Connection::poll() {
  std::array<char, buffer_size> buffer{};
  while (true) {
    auto reply = parse();
    if (!reply || *reply) return reply;
    auto got = socket_.receive_available(buffer);
    broken_ = broken_ || !got;
    if (!got) return std::move(got).error();
    if (*got == 0) return std::optional<Reply>();
    if (Status fed = feed({buffer.data(), *got}); !fed) return std::move(fed).error();
  }
}

Status Connection::fill(Deadline deadline) {
  std::array<char, buffer_size> buffer{};
  auto got = socket_.receive(buffer, deadline);
  broken_ = broken_ || !got;
  if (!got) return std::move(got).error();
  return feed({buffer.data(), *got});
}

Status Connection::feed(std::span<const char> bytes) {
  if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) == REDIS_OK) return {};
  broken_ = true;
  return unavailable("redis: connection", peer() + ": the answer is not understood");
}

Result<std::optional<Reply>> Connection::parse() {
  void* raw = nullptr;
  if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK) {
    broken_ = true;
    return unavailable("redis: connection", peer() + ": the answer is not of Redis's protocol");
  }
  if (raw == nullptr) return std::optional<Reply>();
  const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(raw));
  return std::optional<Reply>(to_reply(*reply));
}

}  // namespace mizan::redis
