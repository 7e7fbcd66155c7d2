#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/settings.hpp"

namespace mizan::cli {
namespace {

int run_serve(const Arguments&, Context& context) {
  if (context.wiring().serve) return context.wiring().serve(context);
  return context.fail(
      invalid_request("command line", "`mizan serve` is not in this build (MIZAN_WITH_HTTP)"));
}

}  // namespace

Command serve_command() {
  Command command;
  command.name = "serve";
  command.summary = "Serve the ledger and the locks over HTTP";
  command.description =
      "Listens until SIGTERM or SIGINT; then it is not ready any more, accepts nobody, answers "
      "what "
      "it has accepted and ends. A store that is missing is made, and an older one is migrated. "
      "The "
      "locks of /v1/locks are those of --lock, or leases in the store where none is set.\n"
      "The routes are in docs/guides/http.md.";
  command.options = server_options();
  command.examples = {{"mizan serve", "On this machine alone, port 7780"},
                      {"mizan serve --listen 0.0.0.0:7780 --store postgres://db/shop",
                       "For others, on a PostgreSQL server"}};
  command.exits = {{0, "It was told to stop, and has"},
                   {1, "Usage, or a certificate that cannot be used"},
                   {3, "The store is not reachable, or the port is taken"},
                   {5, "Internal"}};
  command.run = run_serve;
  return command;
}

}  // namespace mizan::cli
