#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/mariadb/session.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mizan::mariadb {

/// The server's settings, as they are for everybody; "" for one that it does not have.
class ServerSettings {
 public:
  [[nodiscard]] static Result<ServerSettings> read(Session& session);

  explicit ServerSettings(std::map<std::string, std::string, std::less<>> values) noexcept
      : values_(std::move(values)) {}

  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::int64_t number(std::string_view name) const;
  [[nodiscard]] bool is_on(std::string_view name) const;

  /// A commit is on disk when it is acknowledged.
  [[nodiscard]] bool is_durable() const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// What the settings mean for money, one finding each. `connections` is how many this process may
/// open.
[[nodiscard]] std::vector<Finding> judge(const ServerSettings& settings, std::uint32_t connections);

/// The same, with the server's version, the session's and the schema's.
[[nodiscard]] Result<std::vector<Finding>> inspect(Session& session, std::uint32_t connections);

/// One line for people. A server that may forget a commit is not called durable.
[[nodiscard]] std::string describe(const ServerSettings& settings);

}  // namespace mizan::mariadb
