#pragma once

#include "mizan/ledger.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "bench/baseline/server_place.hpp"
#include "bench/scratch.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::bench {

enum class StoreKind : std::uint8_t { sqlite, memory, postgres, mariadb };

/// "sqlite", "memory", "postgres", "mariadb".
[[nodiscard]] std::string_view to_string(StoreKind kind) noexcept;

/// Is it a server, and not in this process?
[[nodiscard]] constexpr bool is_server(StoreKind kind) noexcept {
  return kind == StoreKind::postgres || kind == StoreKind::mariadb;
}

/// A place on the server of this kind.
[[nodiscard]] Result<std::unique_ptr<ServerPlace>> make_server_place(StoreKind kind,
                                                                     const std::string& url);

/// A ledger made for one measurement: a store of its own, wallets that hold money.
/// One thread at a time, but for the ledger itself. Its files are removed at the end.
class Target {
 public:
  struct Options {
    StoreKind store = StoreKind::sqlite;
    std::string url;                  ///< Of a server.
    std::filesystem::path directory;  ///< Where the store's own directory is made.
    std::size_t wallets = 0;          ///< At least 2.
    Strategy strategy = Strategy::batched;
    bool cold = false;  ///< The ledger has seen none of the wallets since it was opened.
  };

  [[nodiscard]] static Result<std::unique_ptr<Target>> make(const Options& options);

  [[nodiscard]] Ledger& ledger() const { return *ledger_; }

  [[nodiscard]] Store& store() const { return *store_; }

  [[nodiscard]] std::span<const WalletId> wallets() const noexcept { return wallets_; }

  [[nodiscard]] const std::string& durability() const noexcept { return durability_; }

  /// Lets go of the file, so that another process can own it until `verify`; answers its URL.
  [[nodiscard]] Result<std::string> leave();

  /// Ends the ledger, opens the store again as another process would find it, and verifies it:
  /// every promise, and that there are the transfers of the load and no others.
  [[nodiscard]] Status verify(std::uint64_t transfers);

  /// Bytes on disk per transfer since the wallets were there; nothing without a disk. Exact right
  /// after `verify`: the log is folded into the file when a store is closed.
  [[nodiscard]] Result<std::optional<double>> bytes_per_transfer(std::uint64_t transfers);

 private:
  explicit Target(const Options& options);

  Status make_place();
  Status open();
  Status add_wallets();
  Status apply_to_each(const std::function<Operation(std::size_t)>& make, Code expected);
  Status add_money();
  Status reopen();
  Status meet_wallets();

  Options options_;
  std::vector<WalletId> wallets_;
  std::optional<Scratch> scratch_;
  std::unique_ptr<ServerPlace> place_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Ledger> ledger_;
  std::string durability_;
  std::uint64_t bytes_before_ = 0;
};

}  // namespace mizan::bench
