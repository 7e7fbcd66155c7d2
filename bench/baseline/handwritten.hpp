#pragma once

#include "mizan/result.hpp"

#include "bench/baseline/baseline.hpp"
#include "bench/transfer_source.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace mizan::bench {

/// On SQLite with one caller: it has one writer, and more of them would only be slower.
class Handwritten final : public Baseline {
 public:
  /// Makes the file with that many wallets, funded. `wallets` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Handwritten>> make(const std::filesystem::path& file,
                                                                 std::span<const WalletId> wallets);
  ~Handwritten() override;

  [[nodiscard]] std::string_view what() const noexcept override {
    return "hand-written SQLite: one durable transaction per transfer, one caller";
  }

  [[nodiscard]] Result<double> measure(Pairing pairing, double seconds) override;
  [[nodiscard]] Result<double> measure_one(Pairing pairing, double seconds) override;
  [[nodiscard]] Status verify() override;

 private:
  class Impl;
  explicit Handwritten(std::unique_ptr<Impl> impl) noexcept;

  std::unique_ptr<Impl> impl_;
};

}  // namespace mizan::bench
