#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "json/value.hpp"

#include <fmt/format.h>

#include <string>

namespace mizan::cli {
namespace {

int run_show(const Arguments&, Context& context) {
  const Settings& settings = context.settings();
  Table table(context.out(), context.out_style(), {{"setting"}, {"value"}, {"from"}, {"where"}});
  for (const SettingKind& kind : setting_kinds()) {
    const SettingValue& value = settings.value(kind.key);
    const std::string shown = without_password(value.text);
    if (context.json()) {
      context.line(json::Object()
                       .set("setting", kind.key)
                       .set("value", shown)
                       .set("origin", to_string(value.origin))
                       .set("place", value.place)
                       .text());
    } else {
      table.add({kind.key, Cell(shown, Colour::strong), to_string(value.origin), value.place});
    }
  }
  table.print();
  if (!context.json()) {
    context.line(settings.file().empty()
                     ? "no configuration file was read"
                     : fmt::format("configuration file: {}", safe(settings.file())));
  }
  return 0;
}

}  // namespace

Command config_command() {
  Command command;
  command.name = "config";
  command.summary = "Show the settings and where each comes from";
  command.children = {
      {.name = "show",
       .summary = "Each setting, its value and its origin",
       .description = "An option goes before an environment variable, that before the "
                      "configuration file, that before the default. The file is --config, "
                      "MIZAN_CONFIG, or the first that exists of "
                      "$XDG_CONFIG_HOME/mizan/mizan.conf (~/.config/mizan/mizan.conf) and "
                      "/etc/mizan/mizan.conf; it holds lines of `key = value`. Passwords are not "
                      "shown.",
       .examples = {{"mizan config show", "Which store would be used?"}},
       .run = run_show}};
  return command;
}

}  // namespace mizan::cli
