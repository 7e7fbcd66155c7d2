#pragma once

#include "mizan/result.hpp"

#include "bench/transfer_source.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace mizan::bench {

/// What a careful person writes by hand with the same driver on the same disk: prepared
/// statements, and one durable transaction per transfer that inserts the id, debits where the
/// money is there, credits and commits. One caller: SQLite has one writer, and more of them would
/// only be slower. It keeps no entries, no versions, no fences and no receipts, and answers no
/// repeat. One thread at a time.
class Handwritten {
 public:
  static constexpr std::string_view what =
      "hand-written SQLite: one durable transaction per transfer, one caller";

  /// Makes the file with that many wallets, funded. `wallets` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Handwritten>> make(const std::filesystem::path& file,
                                                                 std::span<const WalletId> wallets);

  Handwritten(const Handwritten&) = delete;
  Handwritten& operator=(const Handwritten&) = delete;
  ~Handwritten();

  /// Transfers for `seconds`; answers how many per second.
  [[nodiscard]] Result<double> measure(Pairing pairing, double seconds);

  /// Money neither appeared nor vanished, and each transfer is there.
  [[nodiscard]] Status verify();

 private:
  class Impl;
  explicit Handwritten(std::unique_ptr<Impl> impl) noexcept;

  std::unique_ptr<Impl> impl_;
};

}  // namespace mizan::bench
