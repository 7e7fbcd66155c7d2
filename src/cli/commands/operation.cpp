#include "cli/amounts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/operation_request.hpp"
#include "cli/report.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace mizan::cli {
namespace {

int run_reverse(const Arguments& arguments, Context& context) {
  auto id = read_argument(arguments, "OP", parse_operation_id);
  if (!id) return context.fail(id.error());
  return run_operation(arguments, context, [&](Reader&, Amounts&) -> Result<ReadBody> {
    return ReadBody{Reverse{*id}};
  });
}

int run_show(const Arguments& arguments, Context& context) {
  auto id = read_argument(arguments, "OP", parse_operation_id);
  if (!id) return context.fail(id.error());
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  auto found = (*reader)->find_operation(*id);
  if (!found) return context.fail(found.error());
  Amounts amounts(**reader);
  if (!*found) {
    Refusal refusal;
    refusal.code = Code::operation_not_found;
    refusal.pointer = "/operation";
    refusal.detail = fmt::format("there is no operation {}", id->view());
    return report_refusal(context, amounts, refusal);
  }
  // A final refusal is what is recorded, so it is the answer; showing it is no failure to show.
  if ((*found)->refusal) {
    report_refusal(context, amounts, *(*found)->refusal, {*id});
    return exit_status((*found)->refusal->code);
  }
  report_receipt(context, amounts, (*found)->receipt);
  return 0;
}

}  // namespace

std::vector<Command> operation_commands() {
  Command reverse;
  reverse.name = "reverse";
  reverse.summary = "Undo an applied operation, once";
  reverse.description =
      "A new operation that posts the legs of a transfer, deposit, withdrawal or capture "
      "backwards, by the same rules: the receiver must still have the money.";
  reverse.arguments = {{.name = "OP", .help = "The id of the operation to undo"}};
  reverse.options = operation_options();
  reverse.examples = {{"mizan reverse order-17 --id refund-17", "At most once for refund-17"}};
  reverse.run = run_reverse;

  Command operation;
  operation.name = "operation";
  operation.summary = "Show what is recorded of an operation";
  operation.children = {
      {.name = "show",
       .summary = "Show the record of an operation",
       .description = "Answers whether it was applied, after a crash or a lost reply.",
       .arguments = {{.name = "OP", .help = "The operation's id"}},
       .examples = {{"mizan operation show order-17", "Was it applied, and what did it do?"}},
       .exits = {{0, "It was applied"},
                 {1, "Usage"},
                 {2, "Nothing was applied under this id, or its refusal is final"},
                 {3, "The store is not reachable"},
                 {5, "Internal"}},
       .run = run_show}};
  return {std::move(reverse), std::move(operation)};
}

}  // namespace mizan::cli
