// A user's program, built outside the project by both ways of using the library: opens a ledger
// file, moves money once although it is asked twice, and recomputes everything.
#include <mizan/ledger.hpp>
#include <mizan/sqlite.hpp>
#include <mizan/version.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

mizan::NewWallet wallet(const char* id) {
  mizan::NewWallet wallet;
  wallet.id = mizan::WalletId{id};
  wallet.currency = mizan::CurrencyCode{"EUR"};
  return wallet;
}

}  // namespace

int main() {
  const std::filesystem::path file = "consumer.db";
  for (const char* suffix : {"", "-wal", "-shm", "-owner"}) {
    std::filesystem::remove(file.string() + suffix);
  }
  mizan::SqliteOptions options;
  options.file = file;
  auto store = mizan::open_sqlite_store(options, mizan::system_clock());
  require(store.has_value(), "open");
  require((*store)->migrate().has_value(), "migrate");
  {
    mizan::Ledger ledger(**store, mizan::system_clock(), {});
    require(ledger.create_wallet(wallet("alice")).has_value(), "create");
    mizan::Operation deposit;
    deposit.id = mizan::OperationId{"once"};
    deposit.body = mizan::Deposit{mizan::WalletId{"alice"}, mizan::MinorUnits{100}, {}};
    const auto first = ledger.apply(deposit);
    const auto second = ledger.apply(deposit);
    require(first && mizan::code_of(*first) == mizan::Code::applied, "first");
    require(second && mizan::code_of(*second) == mizan::Code::already_applied, "second");
  }
  const auto report = mizan::verify(**store);
  require(report && report->violations.empty() && report->entries == 1, "verify");
  std::printf("mizan %s\n", std::string(mizan::version).c_str());
  return 0;
}
