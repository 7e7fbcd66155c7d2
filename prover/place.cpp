#include "prover/place.hpp"

#include "mizan/clock.hpp"
#include "mizan/sqlite.hpp"

#include "testkit/server.hpp"

#include <stdlib.h>

#include <utility>

#if MIZAN_WITH_POSTGRES
#include "mizan/postgres.hpp"
#endif

namespace mizan::prover {

namespace {

constexpr std::string_view schema_word = "schema:";
constexpr std::string_view file_word = "file:";
constexpr const char* url_variable = "MIZAN_PROVE_STORE";

#if MIZAN_WITH_POSTGRES
Result<std::unique_ptr<Store>> open_on_server(const std::string& schema, StepHook on_step) {
  auto options = parse_postgres_url(server_url());
  if (!options) return std::move(options).error();
  options->schema = schema;
  options->on_step = std::move(on_step);
  return open_postgres_store(*std::move(options), system_clock());
}
#else
Result<std::unique_ptr<Store>> open_on_server(const std::string&, StepHook) {
  return invalid_request("mizan prove", "this build has no PostgreSQL store");
}
#endif

Result<std::unique_ptr<Store>> open_unmigrated(const StorePlace& place, StepHook on_step) {
  if (place.is_on_server()) return open_on_server(place.schema, std::move(on_step));
  SqliteOptions options;
  options.file = place.file;
  options.on_step = std::move(on_step);
  return open_sqlite_store(std::move(options), system_clock());
}

}  // namespace

std::string StorePlace::word() const {
  return is_on_server() ? std::string(schema_word) + schema
                        : std::string(file_word) + file.string();
}

StorePlace StorePlace::of_word(std::string_view word) {
  StorePlace place;
  if (word.starts_with(schema_word)) place.schema = word.substr(schema_word.size());
  if (word.starts_with(file_word)) place.file = word.substr(file_word.size());
  return place;
}

void set_server_url(const std::string& url) {
  ::setenv(url_variable, url.c_str(), 1);
}

std::string server_url() {
  return testkit::environment_variable(url_variable);
}

Result<std::unique_ptr<Store>> open_place(const StorePlace& place, StepHook on_step) {
  auto store = open_unmigrated(place, std::move(on_step));
  if (!store) return store;
  const auto migrated = (*store)->migrate();
  if (!migrated) return migrated.error();
  return store;
}

Result<StoreDescription> describe_place(const StorePlace& place) {
  const auto store = open_unmigrated(place, {});
  if (!store) return store.error();
  return (*store)->describe();
}

}  // namespace mizan::prover
