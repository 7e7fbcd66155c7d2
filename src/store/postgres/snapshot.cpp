#include "store/postgres/snapshot.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/records.hpp"
#include "store/sql/server_snapshot.hpp"

#include <string_view>
#include <utility>

namespace mizan::postgres {
namespace {

struct Dialect {
  using Answer = postgres::Answer;
  using Parameters = postgres::Parameters;
  using Row = postgres::Row;
  using Session = postgres::Session;

  static constexpr std::string_view name = "postgres";
  static constexpr auto find_hold = &postgres::find_hold;
  static constexpr auto find_operation = &postgres::find_operation;
  static constexpr auto find_registered_currency = &postgres::find_registered_currency;
  static constexpr auto read_operation_id = &postgres::read_operation_id;
  static constexpr auto read_wallet_states = &postgres::read_wallet_states;
  static constexpr auto wallet_ids = &postgres::wallet_ids;

  struct Statements {
    static constexpr std::string_view find_entry_by_time = postgres_sql::find_entry_by_time;
    static constexpr std::string_view find_entry_by_version = postgres_sql::find_entry_by_version;
    static constexpr std::string_view find_wallet = postgres_sql::find_wallet;
    static constexpr std::string_view find_wallet_id = postgres_sql::find_wallet_id;
    static constexpr std::string_view list_currencies = postgres_sql::list_currencies;
    static constexpr std::string_view list_holds = postgres_sql::list_holds;
    static constexpr std::string_view list_states = postgres_sql::list_states;
    static constexpr std::string_view list_wallets = postgres_sql::list_wallets;
    static constexpr std::string_view load_wallets_by_id = postgres_sql::load_wallets_by_id;
    static constexpr std::string_view read_entries = postgres_sql::read_entries;
    static constexpr std::string_view read_journal = postgres_sql::read_journal;
    static constexpr std::string_view read_operation_start = postgres_sql::read_operation_start;
    static constexpr std::string_view read_schema_version = postgres_sql::read_schema_version;
    static constexpr std::string_view sum_balances = postgres_sql::sum_balances;
    static constexpr std::string_view sum_due_holds = postgres_sql::sum_due_holds;
  };
};

}  // namespace

Result<std::unique_ptr<Snapshot>> take_snapshot(Session session) {
  auto snapshot = std::make_unique<sql::ServerSnapshot<Dialect>>(std::move(session));
  if (Status begun = snapshot->begin(); !begun) return begun.error();
  return std::unique_ptr<Snapshot>(std::move(snapshot));
}

}  // namespace mizan::postgres
