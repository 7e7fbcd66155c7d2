// The guard around SQL of one's own: a seat is sold once, however often the request comes, and
// never by a holder of the lock who has been overtaken.
// Usage: guarded_sql FILE

#include "mizan/guard.hpp"
#include "mizan/sqlite.hpp"
#include "mizan/store_lock.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <variant>

namespace {

int fail(const mizan::Error& error) {
  std::fprintf(stderr, "%s: %s\n", error.where.c_str(), error.detail.c_str());
  return 1;
}

mizan::Result<std::string> create_table(mizan::SqlSession& sql) {
  auto created = sql.execute(
      "CREATE TABLE IF NOT EXISTS seats (seat TEXT PRIMARY KEY, buyer TEXT NOT NULL) STRICT", {});
  if (!created) return created.error();
  return std::string("ready");
}

mizan::Result<std::string> sell_seat(mizan::SqlSession& sql) {
  const mizan::SqlValue values[] = {std::string("12A"), std::string("alice")};
  auto sold = sql.execute("INSERT INTO seats (seat, buyer) VALUES (?1, ?2)", values);
  if (!sold) return sold.error();
  return std::string("12A for alice");
}

}  // namespace

int main(int argc, char** argv) {
  mizan::SqliteOptions options;
  options.file = argc > 1 ? argv[1] : "guarded_sql.db";
  auto store = mizan::open_sqlite_store(options, mizan::system_clock());
  if (!store) return fail(store.error());
  if (auto migrated = (*store)->migrate(); !migrated) return fail(migrated.error());
  auto lock = mizan::make_store_lock(**store, mizan::system_clock());

  mizan::GuardOptions guard_options;
  guard_options.lock = lock.get();
  mizan::Guard guard(**store, mizan::system_clock(), guard_options);

  mizan::GuardRequest setup;
  setup.id = mizan::OperationId{"create-seats"};
  if (auto ready = guard.run(setup, create_table); !ready) return fail(ready.error());

  mizan::GuardRequest sale;
  sale.id = mizan::OperationId{"sale-4711"};
  sale.content = "seat=12A buyer=alice";
  sale.resource = mizan::Resource{"seat/12A"};
  for (int attempt = 1; attempt <= 2; ++attempt) {
    auto outcome = guard.run(sale, sell_seat);
    if (!outcome) return fail(outcome.error());
    if (const auto* applied = std::get_if<mizan::GuardApplied>(&*outcome)) {
      std::printf("attempt %d: sold %s\n", attempt, applied->result.c_str());
    } else if (const auto* replayed = std::get_if<mizan::GuardReplayed>(&*outcome)) {
      std::printf("attempt %d: was sold before: %s\n", attempt, replayed->result.c_str());
    } else {
      return 2;
    }
  }
  return 0;
}
