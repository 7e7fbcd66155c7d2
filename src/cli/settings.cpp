#include "cli/settings.hpp"

#include "base/assert.hpp"
#include "base/text.hpp"
#include "cli/duration.hpp"
#include "cli/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

constexpr const char* where = "settings";
constexpr std::size_t file_size_max = 65'536;

using Values = std::map<std::string, SettingValue, std::less<>>;

const SettingKind* find_kind(std::string_view key) {
  for (const SettingKind& kind : setting_kinds()) {
    if (kind.key == key) return &kind;
  }
  return nullptr;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Error unknown_key(std::string_view key, std::string_view place) {
  std::vector<std::string> keys;
  for (const SettingKind& kind : setting_kinds()) keys.push_back(kind.key);
  const auto best = nearest(key, keys);
  return invalid_request(
      where,
      fmt::format("{}: there is no setting '{}'; {}",
                  place,
                  escape_for_log(key),
                  best ? fmt::format("did you mean {}?", *best)
                       : fmt::format("the settings are {}", fmt::join(keys, ", "))));
}

std::optional<Error> read_line(Values& values, std::string_view line, const std::string& place) {
  line = trim(line);
  if (line.empty() || line.front() == '#') return std::nullopt;
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    return invalid_request(where, fmt::format("{}: write `key = value`", place));
  }
  const std::string_view key = trim(line.substr(0, equals));
  if (find_kind(key) == nullptr) return unknown_key(key, place);
  const SettingValue value{std::string(trim(line.substr(equals + 1))), Origin::file, place};
  if (!values.emplace(key, value).second) {
    return invalid_request(where, fmt::format("{}: {} is set twice", place, key));
  }
  return std::nullopt;
}

Result<std::string> read_whole(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(file_size_max + 1, '\0');
  if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || (!stream && !stream.eof())) {
    return invalid_request(
        where, fmt::format("cannot read the configuration file {}", escape_for_log(file)));
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > file_size_max) {
    return invalid_request(where,
                           fmt::format("the configuration file {} is larger than {} bytes",
                                       escape_for_log(file),
                                       file_size_max));
  }
  return text;
}

/// The file to read, or an empty text. A file that was asked for must be there.
std::string find_file(const Arguments& arguments, const Environment& environment) {
  if (auto stated = arguments.find("--config")) return *stated;
  if (auto stated = environment("MIZAN_CONFIG"); stated && !stated->empty()) return *stated;
  std::vector<std::string> places;
  const auto config_home = environment("XDG_CONFIG_HOME");
  const auto home = environment("HOME");
  if (config_home && !config_home->empty()) {
    places.push_back(*config_home + "/mizan/mizan.conf");
  } else if (home && !home->empty()) {
    places.push_back(*home + "/.config/mizan/mizan.conf");
  }
  places.emplace_back("/etc/mizan/mizan.conf");
  for (const std::string& place : places) {
    std::error_code ignored;
    if (std::filesystem::exists(place, ignored)) return place;
  }
  return {};
}

Values fallbacks() {
  Values values;
  for (const SettingKind& kind : setting_kinds()) {
    values.emplace(kind.key, SettingValue{kind.fallback, Origin::fallback, {}});
  }
  return values;
}

constexpr const char* refusals_help =
    "Whether the id of a refused operation may be tried again or keeps its refusal. None is "
    "kept, and it says so, where nothing tells the amount's currency: state it (\"12.34 EUR\") "
    "for a wallet that may be missing";
constexpr const char* lock_help =
    "The lock service: none:, store: (leases in the store), memory: (this process), or Redis and "
    "Valkey: redis://[user:password@]HOST[:PORT][/DB], redis+sentinel://HOST,HOST/MASTER, "
    "redis+cluster://HOST,HOST; MIZAN_REDIS_PASSWORD keeps the password out of the URL";
constexpr const char* deadline_help =
    "How long an operation may take before it is given up; when stated, also how long to wait for "
    "another owner of the file (else 2s) or for the database's server (else 10s)";

constexpr const char* listen_help =
    "Where to listen: an IP address and a port, [::1]:7780 for IPv6; localhost is 127.0.0.1; "
    "port 0 takes a free one";
constexpr const char* allow_host_help =
    "A name under which clients may ask a server that listens on this machine alone and wants no "
    "keys, beside IP addresses and names without a dot: that of a proxy in front. Commas between "
    "several";
constexpr const char* keys_help =
    "Whether clients need a key of `mizan key create`; auto: unless only this machine can connect";
constexpr const char* log_help =
    "What is said on stderr, one JSON object a line: failures of the server, refused access, every "
    "refusal, every request";
constexpr const char* stop_help =
    "How long what was accepted may take once the server was told to stop";

/// One of `mizan serve` alone: `stop_time` is --stop-time and MIZAN_STOP_TIME.
SettingKind server_kind(std::string key,
                        std::string value,
                        std::string fallback,
                        std::string help) {
  std::string option = "--" + key;
  std::replace(option.begin(), option.end(), '_', '-');
  std::string variable = "MIZAN_" + key;
  for (char& c : variable) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return {.key = std::move(key),
          .option = std::move(option),
          .variable = std::move(variable),
          .value = std::move(value),
          .fallback = std::move(fallback),
          .help = std::move(help),
          .choices = {},
          .of_server = true};
}

constexpr const char* key_file_help =
    "The file with the API key for a server (--store http:…); MIZAN_KEY holds the key itself, and "
    "no option does, since every user of a machine can read command lines";
constexpr const char* ca_file_help =
    "The certificates (PEM) to trust for https:// instead of the system's, for a private authority";

std::vector<SettingKind> make_server_kinds() {
  return {
      server_kind("listen", "ADDRESS", "127.0.0.1:7780", listen_help),
      server_kind("tls_certificate", "FILE", "", "The server's certificate chain, PEM"),
      server_kind("tls_key", "FILE", "", "The key of the server's certificate, PEM"),
      server_kind("stop_time", "DURATION", "30s", stop_help),
      {"keys",
       "--keys",
       "MIZAN_KEYS",
       "POLICY",
       "auto",
       keys_help,
       {"auto", "required", "off"},
       true},
      {.key = "allow_host",
       .option = "--allow-host",
       .variable = "MIZAN_ALLOW_HOST",
       .value = "NAME",
       .fallback = "",
       .help = allow_host_help,
       .choices = {},
       .of_server = true,
       .is_list = true},
      {"log",
       "--log",
       "MIZAN_LOG",
       "LEVEL",
       "info",
       log_help,
       {"error", "warning", "info", "debug"},
       true},
      server_kind("webhook_timeout",
                  "DURATION",
                  "15s",
                  "How long the receiver of a webhook may take for its answer, up to 5m"),
      server_kind(
          "webhook_retry",
          "DURATION",
          "5s",
          "When a failed delivery is tried again first; each further wait is three times as "
          "long, up to 4h"),
      server_kind("webhook_attempts",
                  "N",
                  "14",
                  "After so many attempts a delivery is given up, 1 to 100; 14 are about a day"),
      {"webhook_addresses",
       "--webhook-addresses",
       "MIZAN_WEBHOOK_ADDRESSES",
       "WHICH",
       "any",
       "Which addresses webhooks may lead to: any, or public ones only",
       {"any", "public"},
       true},
  };
}

// The order is that of the help and of the reference.
std::vector<SettingKind> make_kinds() {
  return {
      {"store",
       "--store",
       "MIZAN_STORE",
       "URL",
       "sqlite:mizan.db",
       "The ledger's database: sqlite:FILE, postgres://…, mariadb://…, memory: (gone with the "
       "command), or a running server: http:… or https:…",
       {}},
      {"lock", "--lock", "MIZAN_LOCK", "URL", "none:", lock_help, {}},
      {"strategy",
       "--strategy",
       "MIZAN_STRATEGY",
       "NAME",
       "batched",
       "How a write is guarded; all give the same answers",
       {"batched", "atomic", "optimistic", "pessimistic"}},
      {"refusals",
       "--refusals",
       "MIZAN_REFUSALS",
       "MODE",
       "retryable",
       refusals_help,
       {"retryable", "final"}},
      {"deadline", "--deadline", "MIZAN_DEADLINE", "DURATION", "30s", deadline_help, {}},
      {"lock_scope",
       "--lock-scope",
       "MIZAN_LOCK_SCOPE",
       "SCOPE",
       "source",
       "Which wallets of a leg are locked and fenced",
       {"source", "both"}},
      {"lock_policy",
       "--lock-policy",
       "MIZAN_LOCK_POLICY",
       "POLICY",
       "fail",
       "When the lock service cannot be reached: refuse, or go on without it (still correct)",
       {"fail", "proceed"}},
      {"lock_ttl",
       "--lock-ttl",
       "MIZAN_LOCK_TTL",
       "DURATION",
       "10s",
       "How long a lease lasts without renewal, 50ms to 1h",
       {}},
      {"key_file", "--key-file", "MIZAN_KEY_FILE", "FILE", "", key_file_help, {}},
      {"ca_file", "--ca-file", "MIZAN_CA_FILE", "FILE", "", ca_file_help, {}},
  };
}

}  // namespace

std::span<const SettingKind> setting_kinds() {
  static const std::vector<SettingKind> kinds = [] {
    std::vector<SettingKind> all = make_kinds();
    const std::vector<SettingKind> of_server = make_server_kinds();
    all.insert(all.end(), of_server.begin(), of_server.end());
    return all;
  }();
  return kinds;
}

std::span<const Option> global_options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all;
    for (const SettingKind& kind : setting_kinds()) {
      if (kind.of_server) continue;
      all.push_back({.name = kind.option,
                     .values = {kind.value},
                     .help = kind.help,
                     .choices = kind.choices});
    }
    all.push_back({.name = "--config",
                   .values = {"FILE"},
                   .help = "The configuration file (also MIZAN_CONFIG)",
                   .completes = Completes::files});
    all.push_back({.name = "--json",
                   .help = "One JSON object a line instead of text, refusals and errors included"});
    return all;
  }();
  return options;
}

std::vector<Option> server_options() {
  std::vector<Option> all;
  for (const SettingKind& kind : setting_kinds()) {
    if (!kind.of_server) continue;
    const std::string fallback = kind.fallback.empty() ? "none" : kind.fallback;
    all.push_back(
        {.name = kind.option,
         .values = {kind.value},
         .help = fmt::format("{}. Also {}; default {}", kind.help, kind.variable, fallback),
         .repeatable = kind.is_list,
         .choices = kind.choices});
  }
  return all;
}

std::string_view to_string(Origin origin) noexcept {
  switch (origin) {
    case Origin::fallback:
      return "default";
    case Origin::file:
      return "file";
    case Origin::environment:
      return "environment";
    case Origin::option:
      return "option";
  }
  return "";
}

Result<Values> parse_settings_file(std::string_view text, std::string_view file) {
  Values values;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string place = fmt::format("{}:{}", file, ++number);
    if (auto error = read_line(values, text.substr(0, end), place)) return std::move(*error);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

Result<Settings> Settings::load(const Arguments& arguments, const Environment& environment) {
  Settings settings;
  settings.values_ = fallbacks();
  settings.file_ = find_file(arguments, environment);
  if (!settings.file_.empty()) {
    auto text = read_whole(settings.file_);
    if (!text) return std::move(text).error();
    auto values = parse_settings_file(*text, settings.file_);
    if (!values) return std::move(values).error();
    for (auto& [key, value] : *values) settings.values_.insert_or_assign(key, std::move(value));
  }
  for (const SettingKind& kind : setting_kinds()) {
    SettingValue& value = settings.values_.find(kind.key)->second;
    // An empty variable is an unset one, as is usual.
    if (auto text = environment(kind.variable); text && !text->empty()) {
      value = {*text, Origin::environment, kind.variable};
    }
    if (!arguments.has(kind.option)) continue;
    const auto& stated = arguments.all(kind.option);
    value = {kind.is_list ? fmt::format("{}", fmt::join(stated, ",")) : stated.front(),
             Origin::option,
             kind.option};
  }
  if (auto error = settings.check()) return std::move(*error);
  return settings;
}

std::optional<Error> Settings::check() {
  for (const SettingKind& kind : setting_kinds()) {
    const SettingValue& given = value(kind.key);
    const bool known = kind.choices.empty() ||
                       std::count(kind.choices.begin(), kind.choices.end(), given.text) > 0;
    if (known) continue;
    return invalid_request(field_pointer(kind.key),
                           fmt::format("{}: {} is one of {}, not '{}'",
                                       given.place,
                                       kind.key,
                                       fmt::join(kind.choices, ", "),
                                       escape_for_log(given.text)));
  }
  const auto read = [this](std::string_view key,
                           std::chrono::milliseconds& into) -> std::optional<Error> {
    auto duration = read_duration(text(key));
    if (!duration) {
      return invalid_request(
          field_pointer(key),
          fmt::format("{}: {}: {}", value(key).place, key, duration.error().detail));
    }
    into = *duration;
    return std::nullopt;
  };
  if (auto error = read("deadline", deadline_)) return error;
  if (auto error = read("lock_ttl", lock_ttl_)) return error;
  std::chrono::milliseconds ignored{};
  if (auto error = read("stop_time", ignored)) return error;
  if (lock_ttl_ < std::chrono::milliseconds{50} || lock_ttl_ > std::chrono::hours{1}) {
    return invalid_request("/lock_ttl",
                           fmt::format("{}: lock_ttl is 50ms to 1h", value("lock_ttl").place));
  }
  return std::nullopt;
}

std::chrono::milliseconds Settings::duration(std::string_view key) const {
  const auto duration = read_duration(text(key));
  MIZAN_ASSERT(duration.has_value());
  return *duration;
}

const SettingValue& Settings::value(std::string_view key) const {
  const auto found = values_.find(key);
  MIZAN_ASSERT(found != values_.end());
  return found->second;
}

LedgerOptions Settings::ledger_options() const {
  LedgerOptions options;
  const auto strategy = parse_strategy(text("strategy"));
  MIZAN_ASSERT(strategy.has_value());
  options.strategy = *strategy;
  options.refusals = text("refusals") == "final" ? RefusalMode::final : RefusalMode::retryable;
  options.lock_scope = text("lock_scope") == "both" ? LockScope::both : LockScope::source;
  options.lock_outage = text("lock_policy") == "proceed" ? LockOutage::proceed : LockOutage::fail;
  options.lock_ttl = lock_ttl_;
  return options;
}

namespace {

/// Which characters of a URL are not shown.
using Hidden = std::vector<bool>;

void hide(Hidden& hidden, std::size_t begin, std::size_t end) {
  std::fill(hidden.begin() + static_cast<std::ptrdiff_t>(begin),
            hidden.begin() + static_cast<std::ptrdiff_t>(end),
            true);
}

/// The widest reading of "user:password@": a password may hold any of the marks that follow it, and
/// whoever reads the URL may take them unescaped.
void hide_login(Hidden& hidden, std::string_view url, std::size_t begin) {
  const std::size_t colon = url.find(':', begin);
  const std::size_t at = url.rfind('@');
  if (colon == std::string_view::npos || at == std::string_view::npos || at < colon) return;
  hide(hidden, colon + 1, at);
}

/// The value of every parameter whose name has "password" in it.
void hide_parameters(Hidden& hidden, std::string_view url, std::size_t begin) {
  for (std::size_t at = url.find_first_of("?&", begin); at != std::string_view::npos;
       at = url.find_first_of("?&", at + 1)) {
    const std::size_t end = std::min(url.find('&', at + 1), url.size());
    const std::string_view parameter = url.substr(at + 1, end - at - 1);
    const std::string_view name = parameter.substr(0, parameter.find('='));
    const bool is_secret = name.find("password") != std::string_view::npos &&
                           name.find("password_file") == std::string_view::npos;
    if (is_secret && name.size() < parameter.size()) hide(hidden, at + name.size() + 2, end);
  }
}

}  // namespace

std::string without_password(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return std::string(url);
  Hidden hidden(url.size(), false);
  hide_login(hidden, url, scheme_end + 3);
  hide_parameters(hidden, url, scheme_end + 3);
  std::string shown;
  shown.reserve(url.size() + 3);
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (!hidden[i]) shown += url[i];
    if (hidden[i] && (i == 0 || !hidden[i - 1])) shown += "***";
  }
  return shown;
}

}  // namespace mizan::cli
