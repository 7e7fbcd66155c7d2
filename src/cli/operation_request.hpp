#pragma once

#include "mizan/operation.hpp"
#include "mizan/result.hpp"

#include "cli/amounts.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/context.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace mizan::cli {

/// --id, --if-version, --dry-run, --fence, --metadata: what every operation takes.
[[nodiscard]] std::vector<Option> operation_options();

/// The body of an operation, or a refusal that stands before the ledger was asked (a wallet that
/// is not there has no currency to read an amount by).
struct BodyOrRefusal {
  OperationBody body = {};
  std::shared_ptr<const Refusal> refusal = nullptr;  ///< Shared: immutable. Null: see `body`.
};

[[nodiscard]] BodyOrRefusal refuse(Refusal refusal);

using MakeBody = std::function<Result<BodyOrRefusal>(Snapshot& snapshot, Amounts& amounts)>;

/// Opens the ledger, makes the operation out of the options and the body, applies it, reports.
int run_operation(const Arguments& arguments, Context& context, const MakeBody& make_body);

/// `WALLET=N`.
[[nodiscard]] Result<Condition> parse_version_condition(std::string_view text);

/// `RESOURCE=TOKEN[:OWNER]`; both of the signs may also stand in the resource.
[[nodiscard]] Result<Fence> parse_fence(std::string_view text);

/// `k=v` each.
[[nodiscard]] Result<Metadata> parse_metadata(const std::vector<std::string>& pairs);

}  // namespace mizan::cli
