#include "mizan/version.hpp"

#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "json/value.hpp"

#include <fmt/format.h>

namespace mizan::cli {

Command version_command() {
  return {.name = "version",
          .summary = "Show the version",
          .examples = {{"mizan version --json", "For programs"}},
          .run = [](const Arguments&, Context& context) {
            context.line(context.json() ? json::Object().set("version", version).text()
                                        : fmt::format("mizan {}", version));
            return 0;
          }};
}

}  // namespace mizan::cli
