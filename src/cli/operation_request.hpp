#pragma once

#include "mizan/operation.hpp"
#include "mizan/result.hpp"

#include "cli/amounts.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/context.hpp"
#include "json/problem.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace mizan::cli {

/// --id, --if-version, --dry-run, --fence, --metadata: what every operation takes.
[[nodiscard]] std::vector<Option> operation_options();

/// The body of an operation as it was asked for. An amount is read by the currency of a wallet or
/// of a hold; where that is missing a stand-in takes its place.
struct ReadBody {
  OperationBody body = {};

  /// Not null: an amount is a stand-in, for this reason. The ledger may decide about such a body,
  /// so that its refusals come in their order, and must never apply it or record it.
  std::shared_ptr<const Refusal> unreadable = nullptr;  // Shared: immutable.

  json::Spelling spelling{};  ///< How its fields were stated.
};

using MakeBody = std::function<Result<ReadBody>(Reader& reader, Amounts& amounts)>;

/// Opens the ledger, makes the operation out of the options and the body, applies it, reports.
int run_operation(const Arguments& arguments, Context& context, const MakeBody& make_body);

/// `WALLET=N`.
[[nodiscard]] Result<Condition> parse_version_condition(std::string_view text);

/// `RESOURCE=TOKEN[:OWNER]`; both of the signs may also stand in the resource.
[[nodiscard]] Result<Fence> parse_fence(std::string_view text);

/// `k=v` each.
[[nodiscard]] Result<Metadata> parse_metadata(const std::vector<std::string>& pairs);

}  // namespace mizan::cli
