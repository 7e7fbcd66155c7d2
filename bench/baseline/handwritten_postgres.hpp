#pragma once

#include "mizan/result.hpp"

#include "bench/baseline/baseline.hpp"
#include "bench/transfer_source.hpp"

#include <memory>
#include <span>
#include <string>

namespace mizan::bench {

/// A schema of its own in somebody's PostgreSQL database, dropped with everything in it at the end.
class ServerSchema {
 public:
  /// Errors: `unavailable` where the server cannot be reached; `invalid_request` where this build
  /// has no PostgreSQL.
  [[nodiscard]] static Result<std::unique_ptr<ServerSchema>> make(const std::string& url);

  ServerSchema(const ServerSchema&) = delete;
  ServerSchema& operator=(const ServerSchema&) = delete;
  ~ServerSchema();

  [[nodiscard]] const std::string& url() const noexcept { return url_; }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  ServerSchema(std::string url, std::string name) : url_(std::move(url)), name_(std::move(name)) {}

  std::string url_;
  std::string name_;
};

/// Makes the tables in the schema with that many wallets, funded, for sixteen callers with a
/// connection each. Schema and `wallets` must outlive it.
[[nodiscard]] Result<std::unique_ptr<Baseline>> make_postgres_baseline(
    const ServerSchema& schema, std::span<const WalletId> wallets);

}  // namespace mizan::bench
