#pragma once

#include "mizan/operation.hpp"
#include "mizan/plan.hpp"
#include "mizan/wallet.hpp"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::testkit {

// Values in the words of a test. Everything that a test does not say has a harmless default, and
// ids are not parsed: a test may want a wrong one.

/// Where the tests' ledgers begin: 2026-01-01T00:00:00Z.
[[nodiscard]] Timestamp test_epoch() noexcept;

/// `seconds` after `test_epoch()`.
[[nodiscard]] Timestamp at_second(std::int64_t seconds) noexcept;

/// A new wallet in EUR with min_balance 0: `wallet("alice").in("USD").min_balance(-100)`.
class WalletBuilder {
 public:
  explicit WalletBuilder(std::string_view id);

  WalletBuilder& in(std::string_view currency);
  WalletBuilder& min_balance(std::int64_t units);
  WalletBuilder& unlimited();
  WalletBuilder& with(std::string_view key, std::string_view value);

  [[nodiscard]] NewWallet build() const;

  operator NewWallet() const { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  NewWallet wallet_;
  std::vector<Metadata::Item> metadata_;
};

[[nodiscard]] WalletBuilder wallet(std::string_view id);

/// A leg as a test writes it: `{"alice", "bob", 60}`.
struct LegText {
  std::string_view from;
  std::string_view to;
  std::int64_t amount = 0;
  std::string_view currency = {};
};

/// An operation: `transfer("op-1", "alice", "bob", 60).fence("lock", 7, "me")`.
class OperationBuilder {
 public:
  OperationBuilder(std::string_view id, OperationBody body);

  OperationBuilder& with(std::string_view key, std::string_view value);
  OperationBuilder& fence(std::string_view resource,
                          std::int64_t token,
                          std::string_view owner = {});
  OperationBuilder& condition(Condition condition);
  OperationBuilder& if_version(std::string_view wallet, std::uint64_t version);

  /// For holds only.
  OperationBuilder& to(std::string_view wallet);
  OperationBuilder& expires_in(std::chrono::microseconds time);

  [[nodiscard]] Operation build() const;

  operator Operation() const { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  Operation operation_;
  std::vector<Metadata::Item> metadata_;
};

[[nodiscard]] OperationBuilder transfer(std::string_view id,
                                        std::string_view from,
                                        std::string_view to,
                                        std::int64_t amount);
[[nodiscard]] OperationBuilder transfer(std::string_view id, std::initializer_list<LegText> legs);
[[nodiscard]] OperationBuilder deposit(std::string_view id,
                                       std::string_view wallet,
                                       std::int64_t amount);
[[nodiscard]] OperationBuilder withdraw(std::string_view id,
                                        std::string_view wallet,
                                        std::int64_t amount);
[[nodiscard]] OperationBuilder hold(std::string_view id,
                                    std::string_view wallet,
                                    std::int64_t amount);
[[nodiscard]] OperationBuilder capture(std::string_view id,
                                       std::string_view hold,
                                       std::optional<std::int64_t> amount = std::nullopt);
[[nodiscard]] OperationBuilder void_hold(std::string_view id, std::string_view hold);
[[nodiscard]] OperationBuilder reverse(std::string_view id, std::string_view operation);

[[nodiscard]] Fence fence(std::string_view resource,
                          std::int64_t token,
                          std::string_view owner = {});

}  // namespace mizan::testkit
