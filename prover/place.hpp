#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mizan::prover {

/// Where a ledger of the prover's own is: in a file, or in a schema of the server under test.
struct StorePlace {
  std::filesystem::path file;
  std::string schema;  ///< Empty: the file.

  /// Any process may open it beside others.
  [[nodiscard]] bool is_on_server() const noexcept { return !schema.empty(); }

  /// As a word of a command line; nothing secret is in it.
  [[nodiscard]] std::string word() const;
  [[nodiscard]] static StorePlace of_word(std::string_view word);
};

/// Tells this process and its children which server is under test. It stands in their
/// environment, where no list of processes shows its password.
void set_server_url(const std::string& url);
[[nodiscard]] std::string server_url();

/// Opens (or creates) the ledger and brings its schema up to date.
[[nodiscard]] Result<std::unique_ptr<Store>> open_place(const StorePlace& place, StepHook on_step);

/// What the store under test says of itself; makes nothing on a server.
[[nodiscard]] Result<StoreDescription> describe_place(const StorePlace& place);

}  // namespace mizan::prover
