#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "bench/baseline/baseline.hpp"

#include <memory>
#include <span>
#include <string>

namespace mizan::bench {

/// A place of its own in somebody's database on a server, removed with everything in it at the
/// end. Any thread, one at a time.
class ServerPlace {
 public:
  ServerPlace() = default;
  ServerPlace(const ServerPlace&) = delete;
  ServerPlace& operator=(const ServerPlace&) = delete;
  virtual ~ServerPlace() = default;

  [[nodiscard]] virtual Result<std::unique_ptr<Store>> open_store() const = 0;

  /// Makes tables with that many wallets, funded, for sixteen callers with a connection each. This
  /// place and `wallets` must outlive it.
  [[nodiscard]] virtual Result<std::unique_ptr<Baseline>> make_baseline(
      std::span<const WalletId> wallets) const = 0;
};

/// A schema. Errors: `unavailable` where the server cannot be reached; `invalid_request` where this
/// build has no PostgreSQL.
[[nodiscard]] Result<std::unique_ptr<ServerPlace>> make_postgres_place(const std::string& url);

/// Tables with a prefix of their own. Errors as above.
[[nodiscard]] Result<std::unique_ptr<ServerPlace>> make_mariadb_place(const std::string& url);

}  // namespace mizan::bench
