#pragma once

#include "mizan/ledger.hpp"
#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"
#include "mizan/wallet.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace mizan::cli {

// The port between the commands and a ledger: one in this process over a store, or a running server
// (src/remote). A command must not be able to tell which.

/// One operation as the journal has it, with names instead of numbers.
struct JournalOperation {
  Receipt receipt;                   ///< Without `hold`, `reverses` and `reversed_by`.
  std::vector<Sequence> sequences;   ///< Of each leg; none where they are not known.
  std::vector<Currency> currencies;  ///< Of each leg.
};

/// The operations that moved money, in commit order. One thread at a time.
class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  /// The next operation; nothing at the end.
  [[nodiscard]] virtual Result<std::optional<JournalOperation>> next() = 0;
};

/// Where a listing goes on; what a page before it answered, and nothing to look into.
using Cursor = std::optional<std::string>;

/// Reads of a ledger. In this process all of one reader are of one moment; of a server each is of
/// its own. One thread at a time; ends with its backend.
class Reader {
 public:
  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  virtual ~Reader() = default;

  [[nodiscard]] virtual Result<std::optional<Wallet>> find_wallet(const WalletId& id) = 0;
  [[nodiscard]] virtual Result<std::optional<WorldWallet>> find_world(const CurrencyCode& code) = 0;

  /// The ISO table, then the registered ones.
  [[nodiscard]] virtual Result<std::optional<Currency>> find_currency(const CurrencyCode& code) = 0;
  [[nodiscard]] virtual Result<std::vector<Currency>> list_registered_currencies() = 0;

  /// In order of id; `limit` 1–1,000. A cursor that is none is `invalid_request`.
  [[nodiscard]] virtual Result<Page<Wallet, std::string>> list_wallets(const Cursor& cursor,
                                                                       std::size_t limit) = 0;

  [[nodiscard]] virtual Result<std::optional<RecordedOperation>> find_operation(
      const OperationId& id) = 0;
  [[nodiscard]] virtual Result<std::optional<Hold>> find_hold(const OperationId& id) = 0;

  /// Newest first, of a wallet that exists. The cursor takes the place of `before_version`.
  [[nodiscard]] virtual Result<Page<Entry, std::string>> list_entries(EntryQuery query,
                                                                      const Cursor& cursor) = 0;
  [[nodiscard]] virtual Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id,
                                                                         Timestamp time) = 0;
  [[nodiscard]] virtual Result<std::optional<BalanceAt>> balance_at_version(
      const WalletId& id, std::uint64_t version) = 0;

  /// Ends with the reader.
  [[nodiscard]] virtual Result<std::unique_ptr<Journal>> journal() = 0;
};

/// A ledger as the commands use it; the members are those of `Ledger`, with its errors.
/// One thread at a time.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  [[nodiscard]] virtual Result<std::unique_ptr<Reader>> read() = 0;

  [[nodiscard]] virtual Result<Outcome> apply(const Operation& operation,
                                              const CallOptions& options) = 0;

  /// Independent of each other, in order; up to 10,000.
  [[nodiscard]] virtual std::vector<Result<Outcome>> apply_batch(
      std::span<const Operation> operations, const CallOptions& options) = 0;

  [[nodiscard]] virtual Result<WalletCreated> create_wallet(const NewWallet& wallet,
                                                            const CallOptions& options) = 0;
  [[nodiscard]] virtual Result<std::variant<Wallet, Refusal>> patch_wallet(
      const WalletId& id, const WalletPatch& patch, const CallOptions& options) = 0;
  [[nodiscard]] virtual Result<bool> add_currency(const Currency& currency,
                                                  const CallOptions& options) = 0;

  /// Of a server a hold may come without its currency, which its shape does not tell, and
  /// `has_more` may be true where the page was just full.
  [[nodiscard]] virtual Result<EventPage> read_events(const EventQuery& query) = 0;
  [[nodiscard]] virtual Result<EventPage> wait_for_events(const EventQuery& query,
                                                          Deadline deadline) = 0;
};

}  // namespace mizan::cli
