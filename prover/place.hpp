#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mizan::prover {

/// Where a ledger of the prover's own is: in a file, or in a room of a server under test (a schema
/// on PostgreSQL, a database on MariaDB).
struct StorePlace {
  std::filesystem::path file;
  std::size_t server = 0;  ///< The number that its URL was given; see set_server_url.
  std::string room;        ///< Empty: the file.

  /// Any process may open it beside others.
  [[nodiscard]] bool is_on_server() const noexcept { return !room.empty(); }

  /// As a word of a command line; nothing secret is in it.
  [[nodiscard]] std::string word() const;
  [[nodiscard]] static StorePlace of_word(std::string_view word);
};

/// Tells this process and its children which server has this number. It stands in their
/// environment, where no list of processes shows its password. Not while other threads run.
void set_server_url(std::size_t number, const std::string& url);
[[nodiscard]] std::string server_url(std::size_t number);

/// Opens (or creates) the ledger and brings its schema up to date.
[[nodiscard]] Result<std::unique_ptr<Store>> open_place(const StorePlace& place, StepHook on_step);

/// What the store under test says of itself; makes nothing on a server.
[[nodiscard]] Result<StoreDescription> describe_place(const StorePlace& place);

}  // namespace mizan::prover
