#include "cli/commands/commands.hpp"

#include <utility>

namespace mizan::cli {

std::vector<Command> standard_commands() {
  std::vector<Command> all;
  const auto add = [&all](std::vector<Command> some) {
    for (Command& command : some) all.push_back(std::move(command));
  };
  add(store_commands());
  all.push_back(currency_command());
  all.push_back(wallet_command());
  add(money_commands());
  all.push_back(hold_command());
  add(operation_commands());
  all.push_back(statement_command());
  all.push_back(events_command());
  all.push_back(webhook_command());
  all.push_back(import_command());
  all.push_back(export_command());
  all.push_back(lock_command());
  all.push_back(serve_command());
  all.push_back(key_command());
  all.push_back(config_command());
  all.push_back(completion_command());
  all.push_back(manual_command());
  all.push_back(version_command());
  return all;
}

}  // namespace mizan::cli
