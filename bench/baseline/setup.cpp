#include "bench/baseline/setup.hpp"

#include <utility>

namespace mizan::bench {

Status fill(sqlite3* database, const BaselineSetup& setup, std::span<const WalletId> wallets) {
  if (auto done = execute(database, setup.schema); !done) return done;
  if (auto done = execute(database, "BEGIN IMMEDIATE"); !done) return done;
  auto insert = Statement::prepare(database, "INSERT INTO wallet VALUES (?1, ?2)");
  if (!insert) return std::move(insert).error();
  for (const WalletId& id : wallets) {
    if (auto done = insert->bind(1, id.view()).bind(2, setup.wealth).run(); !done) return done;
  }
  return execute(database, "COMMIT");
}

Status prepare_all(sqlite3* database, std::span<const WantedStatement> wanted) {
  for (const WantedStatement& one : wanted) {
    auto prepared = Statement::prepare(database, one.text);
    if (!prepared) return std::move(prepared).error();
    one.statement.emplace(std::move(*prepared));
  }
  return {};
}

}  // namespace mizan::bench
