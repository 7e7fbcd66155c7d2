#include "store/mariadb/snapshot.hpp"

#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/records.hpp"
#include "store/sql/server_snapshot.hpp"

#include <string_view>
#include <utility>

namespace mizan::mariadb {
namespace {

struct Dialect {
  using Answer = mariadb::Answer;
  using Parameters = mariadb::Parameters;
  using Row = mariadb::Row;
  using Session = mariadb::Session;

  static constexpr std::string_view name = "mariadb";
  static constexpr auto find_hold = &mariadb::find_hold;
  static constexpr auto find_operation = &mariadb::find_operation;
  static constexpr auto find_registered_currency = &mariadb::find_registered_currency;
  static constexpr auto read_operation_id = &mariadb::read_operation_id;
  static constexpr auto read_wallet_states = &mariadb::read_wallet_states;
  static constexpr auto wallet_ids = &mariadb::wallet_ids;

  struct Statements {
    static constexpr std::string_view find_entry_by_time = mariadb_sql::find_entry_by_time;
    static constexpr std::string_view find_entry_by_version = mariadb_sql::find_entry_by_version;
    static constexpr std::string_view find_wallet = mariadb_sql::find_wallet;
    static constexpr std::string_view find_wallet_id = mariadb_sql::find_wallet_id;
    static constexpr std::string_view list_currencies = mariadb_sql::list_currencies;
    static constexpr std::string_view list_holds = mariadb_sql::list_holds;
    static constexpr std::string_view list_states = mariadb_sql::list_states;
    static constexpr std::string_view list_wallets = mariadb_sql::list_wallets;
    static constexpr std::string_view load_wallets_by_id = mariadb_sql::load_wallets_by_id;
    static constexpr std::string_view read_entries = mariadb_sql::read_entries;
    static constexpr std::string_view read_journal = mariadb_sql::read_journal;
    static constexpr std::string_view read_operation_start = mariadb_sql::read_operation_start;
    static constexpr std::string_view read_schema_version = mariadb_sql::read_schema_version;
    static constexpr std::string_view sum_balances = mariadb_sql::sum_balances;
    static constexpr std::string_view sum_due_holds = mariadb_sql::sum_due_holds;
  };
};

}  // namespace

Result<std::unique_ptr<Snapshot>> take_snapshot(Session session) {
  auto snapshot = std::make_unique<sql::ServerSnapshot<Dialect>>(std::move(session));
  if (Status begun = snapshot->begin(); !begun) return begun.error();
  return std::unique_ptr<Snapshot>(std::move(snapshot));
}

}  // namespace mizan::mariadb
