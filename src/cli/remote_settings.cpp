#include "cli/remote_settings.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

namespace mizan::cli {
namespace {

constexpr std::size_t key_size_max = 512;
constexpr std::chrono::seconds patience_default{2};

/// A key goes into a header as it is, so nothing may end the line early.
bool is_key(std::string_view text) {
  return !text.empty() && text.size() <= key_size_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

Error bad_key(std::string_view place) {
  return invalid_request(
      "/key",
      fmt::format("{} holds no key: 1 to {} visible ASCII characters", place, key_size_max));
}

/// The first line of the file.
Result<std::string> read_key_file(const SettingValue& setting) {
  std::ifstream stream(setting.text, std::ios::binary);
  std::string text(key_size_max + 2, '\0');
  if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || (!stream && !stream.eof())) {
    return invalid_request(
        "/key_file", fmt::format("cannot read the key file {}", escape_for_log(setting.text)));
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  if (!is_key(text)) return bad_key(escape_for_log(setting.text));
  return text;
}

/// What is stated nearer to the command goes first: an option, the variable, then other files.
Result<std::string> read_key(const Settings& settings, const Environment& environment) {
  const SettingValue& file = settings.value("key_file");
  if (!file.text.empty() && file.origin == Origin::option) return read_key_file(file);
  if (const auto key = environment("MIZAN_KEY"); key && !key->empty()) {
    if (!is_key(*key)) return bad_key("MIZAN_KEY");
    return *key;
  }
  if (!file.text.empty()) return read_key_file(file);
  return std::string();
}

/// The first setting that only a ledger in this process could keep to.
std::optional<Error> check_stated(const Settings& settings, RemoteUse use) {
  constexpr std::array<std::string_view, 4> of_ledger{
      "refusals", "lock_scope", "lock_policy", "lock"};
  for (const std::string_view key : of_ledger) {
    const SettingValue& value = settings.value(key);
    if (value.origin != Origin::option) continue;
    // No lock of ours is what there is; the commands about locks name one of their own.
    if (key == "lock" && (use == RemoteUse::leases || value.text == "none:")) continue;
    return invalid_request(
        fmt::format("/{}", key),
        fmt::format("{} is a setting of the server here: it is stated where the server is started",
                    value.place));
  }
  return std::nullopt;
}

}  // namespace

bool is_server_url(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

Result<RemotePlace> read_remote_place(const Settings& settings,
                                      const Environment& environment,
                                      RemoteUse use) {
  if (auto error = check_stated(settings, use)) return std::move(*error);
  auto key = read_key(settings, environment);
  if (!key) return std::move(key).error();
  RemotePlace place;
  place.url = settings.text("store");
  while (place.url.ends_with('/')) place.url.pop_back();
  place.key = std::move(*key);
  place.ca_file = settings.text("ca_file");
  place.deadline = settings.deadline();
  if (settings.value("strategy").origin != Origin::fallback) {
    place.strategy = settings.ledger_options().strategy;
  }
  // As with a store: who states a deadline means all of the waiting.
  const bool stated = settings.value("deadline").origin != Origin::fallback;
  place.patience = stated ? place.deadline
                          : std::min<std::chrono::milliseconds>(place.deadline, patience_default);
  return place;
}

Error server_in_place_of_store(std::string_view url) {
  return invalid_request(
      "/store",
      fmt::format("{} is a running server, and this needs the database itself: run it where the "
                  "server runs, with the server's own --store",
                  without_password(url)));
}

}  // namespace mizan::cli
