#include "prover/place.hpp"

#include "mizan/clock.hpp"
#include "mizan/mariadb.hpp"
#include "mizan/postgres.hpp"
#include "mizan/sqlite.hpp"

#include "base/text.hpp"
#include "prover/servers/engine.hpp"
#include "prover/servers/mariadb_options.hpp"
#include "prover/servers/rooms.hpp"
#include "testkit/server.hpp"

#include <stdlib.h>

#include <utility>

namespace mizan::prover {

namespace {

constexpr std::string_view server_word = "server:";
constexpr std::string_view file_word = "file:";

std::string url_variable(std::size_t number) {
  return "MIZAN_PROVE_STORE_" + std::to_string(number);
}

#if MIZAN_WITH_POSTGRES
Result<std::unique_ptr<Store>> open_postgres(const StorePlace& place, StepHook on_step) {
  auto options = parse_postgres_url(server_url(place.server));
  if (!options) return std::move(options).error();
  options->schema = place.room;
  options->on_step = std::move(on_step);
  return open_postgres_store(*std::move(options), system_clock());
}
#else
Result<std::unique_ptr<Store>> open_postgres(const StorePlace&, StepHook) {
  return invalid_request("mizan prove", "this build has no PostgreSQL store");
}
#endif

#if MIZAN_WITH_MARIADB
/// Without a room: in the URL's own database, to ask the server what it is.
Result<std::unique_ptr<Store>> open_mariadb(const StorePlace& place, StepHook on_step) {
  auto options = mariadb_options_of(server_url(place.server));
  if (!options) return std::move(options).error();
  if (!place.room.empty()) options->database = place.room;
  options->prefix = "mizan_";
  options->on_step = std::move(on_step);
  return open_mariadb_store(*std::move(options), system_clock());
}
#else
Result<std::unique_ptr<Store>> open_mariadb(const StorePlace&, StepHook) {
  return invalid_request("mizan prove", "this build has no MariaDB store");
}
#endif

Result<std::unique_ptr<Store>> open_on_server(const StorePlace& place, StepHook on_step) {
  const auto engine = engine_of(server_url(place.server));
  if (!engine) return engine.error();
  return *engine == Engine::mariadb ? open_mariadb(place, std::move(on_step))
                                    : open_postgres(place, std::move(on_step));
}

Result<std::unique_ptr<Store>> open_file(const StorePlace& place, StepHook on_step) {
  SqliteOptions options;
  options.file = place.file;
  options.on_step = std::move(on_step);
  return open_sqlite_store(std::move(options), system_clock());
}

}  // namespace

std::string StorePlace::word() const {
  if (!is_on_server()) return std::string(file_word) + file.string();
  return std::string(server_word) + std::to_string(server) + ':' + room;
}

StorePlace StorePlace::of_word(std::string_view word) {
  StorePlace place;
  if (word.starts_with(file_word)) place.file = word.substr(file_word.size());
  if (!word.starts_with(server_word)) return place;
  word.remove_prefix(server_word.size());
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return place;
  place.server = parse_unsigned(word.substr(0, colon)).value_or(0);
  place.room = word.substr(colon + 1);
  return place;
}

void set_server_url(std::size_t number, const std::string& url) {
  ::setenv(url_variable(number).c_str(), url.c_str(), 1);
}

std::string server_url(std::size_t number) {
  return testkit::environment_variable(url_variable(number));
}

Result<std::unique_ptr<Store>> open_place(const StorePlace& place, StepHook on_step) {
  // On PostgreSQL the store makes its schema by itself.
  const auto engine = engine_of(server_url(place.server));
  if (place.is_on_server() && engine && *engine == Engine::mariadb) {
    if (const Status made = make_room(server_url(place.server), place.room); !made) {
      return made.error();
    }
  }
  auto store = place.is_on_server() ? open_on_server(place, std::move(on_step))
                                    : open_file(place, std::move(on_step));
  if (!store) return store;
  const auto migrated = (*store)->migrate();
  if (!migrated) return migrated.error();
  return store;
}

Result<StoreDescription> describe_place(const StorePlace& place) {
  if (!place.is_on_server()) {
    const auto store = open_file(place, {});
    if (!store) return store.error();
    return (*store)->describe();
  }
  StorePlace nowhere = place;
  const auto engine = engine_of(server_url(place.server));
  if (engine && *engine == Engine::mariadb) nowhere.room.clear();
  const auto store = open_on_server(nowhere, {});
  if (!store) return store.error();
  return (*store)->describe();
}

}  // namespace mizan::prover
