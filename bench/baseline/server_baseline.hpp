#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include "bench/baseline/baseline.hpp"
#include "bench/transfer_source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace mizan::bench {

/// One client of a server, with a connection of its own. One thread at a time.
class ServerClient {
 public:
  ServerClient() = default;
  ServerClient(const ServerClient&) = delete;
  ServerClient& operator=(const ServerClient&) = delete;
  virtual ~ServerClient() = default;

  /// One durable transfer; repeated where the database found a deadlock.
  [[nodiscard]] virtual Status transfer(TransferSource& source) = 0;
};

/// Sixteen clients, each a thread with a connection.
class ServerBaseline : public Baseline {
 public:
  static constexpr std::size_t clients_count = 16;
  static constexpr std::int64_t wealth = 1'000'000'000'000;  ///< Of each wallet in the beginning.

  [[nodiscard]] Result<double> measure(Pairing pairing, double seconds) override;
  [[nodiscard]] Result<double> measure_one(Pairing pairing, double seconds) override;

 protected:
  explicit ServerBaseline(std::span<const WalletId> wallets) noexcept : wallets_(wallets) {}

  void add(std::unique_ptr<ServerClient> client) { clients_.push_back(std::move(client)); }

  [[nodiscard]] std::span<const WalletId> wallets() const noexcept { return wallets_; }

  /// Compares the books with what was done. Both as the server's text.
  [[nodiscard]] Status check_books(std::string_view total, std::string_view transfers) const;

 private:
  std::span<const WalletId> wallets_;
  std::vector<std::unique_ptr<ServerClient>> clients_;
  std::uint64_t seed_ = 0;
  std::uint64_t applied_ = 0;
};

}  // namespace mizan::bench
