#include "base/assert.hpp"
#include "base/mutex.hpp"
#include "base/text.hpp"
#include "http_client/address.hpp"
#include "http_client/client.hpp"
#include "http_client/request_form.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

namespace mizan::http_client {
namespace {

constexpr std::chrono::seconds time_default{30};

struct EasyCleanup {
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};

struct ListCleanup {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};

using Easy = std::unique_ptr<CURL, EasyCleanup>;
using List = std::unique_ptr<curl_slist, ListCleanup>;

/// Once for the program, before any handle; the library keeps it until the process ends.
void start_library() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  MIZAN_ASSERT(started == CURLE_OK);
}

template <class T>
void set(CURL* easy, CURLoption option, T value) {
  // Only an option that the library does not have is refused; all of ours are in 7.88.
  MIZAN_ASSERT(curl_easy_setopt(easy, option, value) == CURLE_OK);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// One exchange while the library works on it: what its callbacks read and write.
struct Transfer {
  const Request& request;
  const Options& options;
  Answer answer = {};
  std::size_t body_sent = 0;
  std::size_t headers_size = 0;
  bool too_large = false;
  std::array<char, CURL_ERROR_SIZE> message = {};
};

// The callbacks. Their signatures are the library's.

std::size_t on_header(const char* bytes, std::size_t size, std::size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  const std::string_view line(bytes, size * count);
  transfer.headers_size += line.size();  // Also of interim answers, which have no other limit.
  if (transfer.headers_size > transfer.options.headers_size_max) {
    transfer.too_large = true;
    return 0;
  }
  if (line.starts_with("HTTP/")) {
    transfer.answer.headers.clear();
    return line.size();
  }
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos) {
    transfer.answer.headers.emplace_back(lower_case(line.substr(0, colon)),
                                         trim(line.substr(colon + 1)));
  }
  return line.size();
}

std::size_t on_body(const char* bytes, std::size_t size, std::size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  const std::size_t added = size * count;
  if (added > transfer.options.body_size_max - transfer.answer.body.size()) {
    transfer.too_large = true;
    return 0;
  }
  transfer.answer.body.append(bytes, added);
  return added;
}

std::size_t on_send(char* into, std::size_t size, std::size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  const std::string_view left = std::string_view(transfer.request.body).substr(transfer.body_sent);
  const std::size_t taken = std::min(left.size(), size * count);
  std::memcpy(into, left.data(), taken);
  transfer.body_sent += taken;
  return taken;
}

/// A body that has begun to leave is not sent a second time: the library, which would do so when
/// it finds a kept connection closed, cannot know whether the first was acted on.
int on_rewind(void* /*context*/, curl_off_t /*offset*/, int /*origin*/) {
  return CURL_SEEKFUNC_FAIL;
}

/// The library's struct goes on behind its last member for addresses that are longer.
template <class Address>
void copy_address(Address& into, const curl_sockaddr& address) {
  const auto* from = reinterpret_cast<const unsigned char*>(&address.addr);
  std::memcpy(&into, from, std::min<std::size_t>(sizeof(into), address.addrlen));
}

/// Opens a socket for a connection, where the address is one that may be asked: after the name was
/// looked up, so that no name can lead elsewhere.
curl_socket_t on_open_socket(void* /*context*/, curlsocktype /*purpose*/, curl_sockaddr* address) {
  bool is_allowed = false;
  if (address->family == AF_INET) {
    sockaddr_in ipv4{};
    copy_address(ipv4, *address);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&ipv4.sin_addr);
    is_allowed = is_public_address({bytes, sizeof(ipv4.sin_addr)});
  } else if (address->family == AF_INET6) {
    sockaddr_in6 ipv6{};
    copy_address(ipv6, *address);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&ipv6.sin6_addr);
    is_allowed = is_public_address({bytes, sizeof(ipv6.sin6_addr)});
  }
  if (!is_allowed) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// The settings that are the same for every request; made once per handle.
Easy make_handle(const Options& options) {
  start_library();
  Easy easy(curl_easy_init());
  if (!easy) return easy;
  set(easy.get(), CURLOPT_NOSIGNAL, 1L);
  set(easy.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy.get(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(easy.get(), CURLOPT_PROXY, "");  // Whatever the environment says.
  set(easy.get(), CURLOPT_FOLLOWLOCATION, 0L);
  set(easy.get(), CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(easy.get(), CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  set(easy.get(), CURLOPT_SSL_VERIFYPEER, 1L);
  set(easy.get(), CURLOPT_SSL_VERIFYHOST, 2L);
  set(easy.get(), CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!options.ca_file.empty()) {
    set(easy.get(), CURLOPT_CAINFO, options.ca_file.c_str());
    set(easy.get(), CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
  if (options.public_addresses_only) {
    set(easy.get(), CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
  }
  set(easy.get(), CURLOPT_TCP_NODELAY, 1L);
  set(easy.get(), CURLOPT_TCP_KEEPALIVE, 1L);
  set(easy.get(), CURLOPT_MAXCONNECTS, 1L);
  set(easy.get(), CURLOPT_HEADERFUNCTION, on_header);
  set(easy.get(), CURLOPT_WRITEFUNCTION, on_body);
  set(easy.get(), CURLOPT_READFUNCTION, on_send);
  set(easy.get(), CURLOPT_SEEKFUNCTION, on_rewind);
  return easy;
}

/// Null where there is no memory for it.
List make_headers(const Request& request) {
  List list;
  const auto add = [&list](const std::string& line) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) return false;
    static_cast<void>(list.release());
    list.reset(longer);
    return true;
  };
  // Neither a form's type nor a pause before the body, which the library would add.
  bool complete = add("Expect:");
  const bool has_type =
      std::any_of(request.headers.begin(), request.headers.end(), [](const auto& h) {
        return lower_case(h.first) == "content-type";
      });
  if (!has_type) complete = complete && add("Content-Type:");
  for (const auto& [name, value] : request.headers) {
    // A semicolon is how the library writes a header without a value.
    complete = complete && add(value.empty() ? name + ";" : name + ": " + value);
  }
  return complete ? std::move(list) : List();
}

void set_method(CURL* easy, const Request& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  set(easy, CURLOPT_CUSTOMREQUEST, static_cast<const char*>(nullptr));
  set(easy, CURLOPT_HTTPGET, 1L);  // Also ends what HEAD and POST have set.
  if (request.method == "HEAD") set(easy, CURLOPT_NOBODY, 1L);
  if (!reads) {
    set(easy, CURLOPT_POST, 1L);
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  // Without a body nothing would keep the library from sending it again.
  set(easy, CURLOPT_FRESH_CONNECT, !reads && request.body.empty() ? 1L : 0L);
}

bool is_about_trust(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
         code == CURLE_SSL_ISSUER_ERROR || code == CURLE_SSL_CERTPROBLEM;
}

/// What went wrong, in the library's words: they name hosts and addresses, no headers.
std::string describe(const Transfer& transfer, CURLcode code) {
  if (transfer.too_large) {
    return fmt::format("the answer is larger than {} bytes, or its headers than {}",
                       transfer.options.body_size_max,
                       transfer.options.headers_size_max);
  }
  if (code == CURLE_SEND_FAIL_REWIND) return "the connection was closed before an answer came";
  const std::string_view words(transfer.message.data());
  return escape_for_log(words.empty() ? curl_easy_strerror(code) : words);
}

Error failed(CURL* easy, const Transfer& transfer, CURLcode code) {
  long sent = 0;
  curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &sent);
  std::string detail = fmt::format(
      "{}: {}", escape_for_log(origin_of(transfer.request.url)), describe(transfer, code));
  if (sent > 0) {
    // What is too large now is so the next time.
    const Retry retry = transfer.too_large ? Retry::never : Retry::after_backoff;
    return {Code::unknown, Certainty::unknown, retry, where, std::move(detail)};
  }
  Error error = unavailable(where, std::move(detail));
  if (is_about_trust(code)) error.retry = Retry::never;
  return error;
}

class CurlClient final : public Client {
 public:
  CurlClient(const Clock& clock, Options options) : clock_(clock), options_(std::move(options)) {}

  Result<Answer> exchange(const Request& request) override {
    if (Status form = check_form(request); !form) return std::move(form).error();
    const auto left = time_left(request);
    if (left.count() <= 0) {
      return unavailable(where, origin_of(request.url) + ": no time was left to ask");
    }
    const std::string origin = origin_of(request.url);
    Easy easy = take(origin);
    if (!easy) return unavailable(where, "there is no memory for a request");
    auto answer = perform(easy.get(), request, left);
    give_back({origin, std::move(easy)});
    return answer;
  }

 private:
  struct Idle {
    std::string origin;
    Easy easy;
  };

  [[nodiscard]] std::chrono::milliseconds time_left(const Request& request) const {
    if (request.deadline == Deadline::max()) return time_default;
    const auto left = request.deadline - clock_.now();
    constexpr std::chrono::nanoseconds longest = std::chrono::hours{24};
    return std::chrono::ceil<std::chrono::milliseconds>(
        std::min<Deadline::duration>(left, longest));
  }

  Result<Answer> perform(CURL* easy, const Request& request, std::chrono::milliseconds left) const {
    Transfer transfer{request, options_};
    const List headers = make_headers(request);
    if (!headers) return unavailable(where, "there is no memory for a request");
    set_method(easy, request);
    set(easy, CURLOPT_URL, request.url.c_str());
    set(easy, CURLOPT_HTTPHEADER, headers.get());
    set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
    set(easy,
        CURLOPT_CONNECTTIMEOUT_MS,
        static_cast<long>(std::min(left, options_.connect_time).count()));
    set(easy, CURLOPT_HEADERDATA, &transfer);
    set(easy, CURLOPT_WRITEDATA, &transfer);
    set(easy, CURLOPT_READDATA, &transfer);
    set(easy, CURLOPT_ERRORBUFFER, transfer.message.data());
    const CURLcode code = curl_easy_perform(easy);
    // What is on this stack must not be found by the handle's next use.
    set(easy, CURLOPT_ERRORBUFFER, static_cast<char*>(nullptr));
    set(easy, CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
    if (code != CURLE_OK) return failed(easy, transfer, code);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    transfer.answer.status = static_cast<int>(status);
    return std::move(transfer.answer);
  }

  /// An idle handle whose connection leads there, else a new one. Null without memory.
  Easy take(const std::string& origin) {
    {
      const MutexLock lock(mutex_);
      const auto same = std::find_if(idle_.rbegin(), idle_.rend(), [&origin](const Idle& idle) {
        return idle.origin == origin;
      });
      if (same != idle_.rend()) {
        Easy easy = std::move(same->easy);
        idle_.erase(std::next(same).base());
        return easy;
      }
    }
    return make_handle(options_);
  }

  void give_back(Idle used) {
    std::optional<Idle> oldest;  // Closed after the mutex is free.
    const MutexLock lock(mutex_);
    idle_.push_back(std::move(used));
    if (idle_.size() <= options_.idle_connections_max) return;
    oldest.emplace(std::move(idle_.front()));
    idle_.erase(idle_.begin());
  }

  const Clock& clock_;
  const Options options_;
  Mutex mutex_;
  std::vector<Idle> idle_ MIZAN_GUARDED_BY(mutex_);  // The one used last is at the end.
};

}  // namespace

Client::~Client() = default;

std::string_view Answer::header(std::string_view name) const noexcept {
  const auto found = std::find_if(
      headers.begin(), headers.end(), [name](const auto& header) { return header.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::unique_ptr<Client> make_client(const Clock& clock, Options options) {
  return std::make_unique<CurlClient>(clock, std::move(options));
}

}  // namespace mizan::http_client
