#pragma once

#include <array>
#include <string_view>

namespace mizan::cli {

/// An environment variable that keeps a secret out of URLs and command lines, which other users of
/// a machine can read.
struct SecretVariable {
  std::string_view names;
  std::string_view help;
};

inline constexpr std::array secret_variables{
    SecretVariable{"MIZAN_KEY", "The API key for a server (--store http:…)"},
    SecretVariable{"PGPASSWORD, PGPASSFILE",
                   "The password for PostgreSQL; the file in libpq's form that holds it"},
    SecretVariable{"MYSQL_PWD", "The password for MariaDB"},
    SecretVariable{"MIZAN_REDIS_USER, MIZAN_REDIS_PASSWORD", "The login for Redis and Valkey"},
    SecretVariable{"MIZAN_REDIS_SENTINEL_PASSWORD", "The password for the Sentinels themselves"}};

}  // namespace mizan::cli
