// Two wallets, one transfer, and the same transfer again after a lost answer.
// Usage: two_wallets FILE

#include "mizan/ledger.hpp"
#include "mizan/sqlite.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <variant>

namespace {

int fail(const mizan::Error& error) {
  std::fprintf(stderr, "%s: %s\n", error.where.c_str(), error.detail.c_str());
  return 1;
}

mizan::NewWallet wallet(const char* id) {
  mizan::NewWallet wallet;
  wallet.id = mizan::WalletId{id};
  wallet.currency = mizan::CurrencyCode{"EUR"};
  return wallet;
}

}  // namespace

int main(int argc, char** argv) {
  mizan::SqliteOptions options;
  options.file = argc > 1 ? argv[1] : "two_wallets.db";
  auto store = mizan::open_sqlite_store(options, mizan::system_clock());
  if (!store) return fail(store.error());
  if (auto migrated = (*store)->migrate(); !migrated) return fail(migrated.error());
  mizan::Ledger ledger(**store, mizan::system_clock(), {});

  for (const char* id : {"alice", "bob"}) {
    if (auto created = ledger.create_wallet(wallet(id)); !created) return fail(created.error());
  }
  // The id names the intention, not the attempt: a repeat of either is never applied twice.
  mizan::Operation deposit;
  deposit.id = mizan::OperationId{"salary-2026-03"};
  deposit.body = mizan::Deposit{mizan::WalletId{"alice"}, mizan::MinorUnits{100'00}, {}};
  if (auto paid = ledger.apply(deposit); !paid) return fail(paid.error());

  mizan::Operation rent;
  rent.id = mizan::OperationId{"rent-2026-03"};
  rent.body = mizan::Transfer{
      {{mizan::WalletId{"alice"}, mizan::WalletId{"bob"}, mizan::MinorUnits{60'00}, {}}}};
  for (int attempt = 1; attempt <= 2; ++attempt) {
    auto outcome = ledger.apply(rent);
    if (!outcome) return fail(outcome.error());
    std::printf(
        "attempt %d: %s\n", attempt, std::string(to_string(mizan::code_of(*outcome))).c_str());
    const mizan::Receipt* receipt = mizan::receipt_of(*outcome);
    if (receipt == nullptr) return 2;
    std::printf("alice has %s EUR\n",
                mizan::format_decimal(*receipt->legs.front().from_balance, 2).c_str());
  }
  return 0;
}
