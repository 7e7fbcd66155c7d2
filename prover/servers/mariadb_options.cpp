#include "prover/servers/mariadb_options.hpp"

#include <cstdlib>

namespace mizan::prover {

#if MIZAN_WITH_MARIADB
Result<MariadbOptions> mariadb_options_of(const std::string& url) {
  auto options = parse_mariadb_url(url);
  if (!options) return options;
  const bool has_password = !options->password.empty() || !options->password_file.empty();
  const char* password = std::getenv("MYSQL_PWD");
  if (password != nullptr && !has_password) options->password = password;
  return options;
}
#else
Result<MariadbOptions> mariadb_options_of(const std::string&) {
  return invalid_request("mizan prove", "this build has no MariaDB store");
}
#endif

}  // namespace mizan::prover
