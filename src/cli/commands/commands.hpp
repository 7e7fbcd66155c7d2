#pragma once

#include "cli/command.hpp"

#include <vector>

namespace mizan::cli {

// Each is made in the file of its name.

[[nodiscard]] std::vector<Command> store_commands();  ///< init, migrate, doctor, verify.
[[nodiscard]] Command currency_command();
[[nodiscard]] Command wallet_command();
[[nodiscard]] std::vector<Command> money_commands();  ///< deposit, withdraw, transfer.
[[nodiscard]] Command hold_command();
[[nodiscard]] std::vector<Command> operation_commands();  ///< reverse, operation.
[[nodiscard]] Command statement_command();
[[nodiscard]] Command events_command();
[[nodiscard]] Command webhook_command();
[[nodiscard]] Command import_command();
[[nodiscard]] Command export_command();
[[nodiscard]] Command lock_command();
[[nodiscard]] Command serve_command();
[[nodiscard]] Command key_command();
[[nodiscard]] Command config_command();
[[nodiscard]] Command completion_command();
[[nodiscard]] Command manual_command();
[[nodiscard]] Command version_command();

/// All of them, in the order of the help.
[[nodiscard]] std::vector<Command> standard_commands();

}  // namespace mizan::cli
