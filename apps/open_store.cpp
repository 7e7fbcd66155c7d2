#include "open_store.hpp"

#include "mizan/clock.hpp"
#include "mizan/memory.hpp"
#include "mizan/sqlite.hpp"

#include "not_built_in.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#if MIZAN_WITH_MARIADB
#include "mizan/mariadb.hpp"
#endif
#if MIZAN_WITH_POSTGRES
#include "mizan/postgres.hpp"
#endif

namespace mizan {
namespace {

using OpenWait = std::optional<std::chrono::milliseconds>;

constexpr std::array<std::string_view, 4> planned{"postgres", "postgresql", "mariadb", "mysql"};
constexpr std::string_view built_in =
    "sqlite:FILE, "
#if MIZAN_WITH_POSTGRES
    "postgres://…, "
#endif
#if MIZAN_WITH_MARIADB
    "mariadb://…, "
#endif
#if MIZAN_WITH_HTTP
    "http://… and https://… of a running server, "
#endif
    "and memory:";

Result<std::unique_ptr<Store>> open_sqlite(std::string_view file,
                                           cli::Access access,
                                           OpenWait wait) {
  if (file.empty()) {
    return invalid_request("store", "sqlite: needs a file, such as sqlite:mizan.db");
  }
  SqliteOptions options;
  options.file = std::string(file);
  options.access = access == cli::Access::read ? SqliteAccess::read_only : SqliteAccess::own;
  options.create = access == cli::Access::create;
  if (wait) options.owner_wait = *wait;
  return open_sqlite_store(std::move(options), system_clock());
}

#if MIZAN_WITH_POSTGRES
Result<std::unique_ptr<Store>> open_postgres(std::string_view url, OpenWait wait) {
  auto options = parse_postgres_url(url);
  if (!options) return std::move(options).error();
  if (wait) options->open_wait = *wait;
  return open_postgres_store(*std::move(options), system_clock());
}
#endif

#if MIZAN_WITH_MARIADB
Result<std::unique_ptr<Store>> open_mariadb(std::string_view url, OpenWait wait) {
  auto options = parse_mariadb_url(url);
  if (!options) return std::move(options).error();
  const char* password = std::getenv("MYSQL_PWD");
  const bool has_password = !options->password.empty() || !options->password_file.empty();
  if (password != nullptr && !has_password) options->password = password;
  if (wait) options->open_wait = *wait;
  return open_mariadb_store(*std::move(options), system_clock());
}
#endif

Result<std::unique_ptr<Store>> open_memory() {
  auto store = make_memory_store(system_clock());
  auto migrated = store->migrate();
  if (!migrated) return std::move(migrated).error();
  return store;
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(std::string_view url, cli::Access access, OpenWait wait) {
  constexpr std::string_view sqlite = "sqlite:";
  if (url.starts_with(sqlite)) return open_sqlite(url.substr(sqlite.size()), access, wait);
  if (url == "memory:") return open_memory();
#if MIZAN_WITH_POSTGRES
  if (url.starts_with("postgres://") || url.starts_with("postgresql://")) {
    return open_postgres(url, wait);
  }
#endif
#if MIZAN_WITH_MARIADB
  if (url.starts_with("mariadb://") || url.starts_with("mysql://")) return open_mariadb(url, wait);
#endif
  return not_built_in({"store", built_in, planned}, url);
}

}  // namespace mizan
