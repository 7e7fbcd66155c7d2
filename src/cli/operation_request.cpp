#include "cli/operation_request.hpp"

#include "base/text.hpp"
#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace mizan::cli {
namespace {

constexpr const char* where = "command line";

/// The fence that `mizan lock run` hands to its command.
Result<Fence> fence_of_environment(const Environment& environment) {
  const auto resource = environment("MIZAN_FENCE_RESOURCE");
  const auto token = environment("MIZAN_FENCE");
  if (!resource || !token) {
    return invalid_request(where,
                           "--fence env works inside `mizan lock run` only: MIZAN_FENCE "
                           "and MIZAN_FENCE_RESOURCE are not set");
  }
  auto parsed_resource = in_field("/resource", parse_resource(*resource));
  if (!parsed_resource) return std::move(parsed_resource).error();
  auto parsed_token = in_field("/token", parse_fence_token(*token));
  if (!parsed_token) return std::move(parsed_token).error();
  Fence fence{*parsed_resource, *parsed_token, {}};
  const auto owner = environment("MIZAN_FENCE_OWNER");
  if (!owner || owner->empty()) return fence;
  auto parsed_owner = in_field("/owner", parse_lock_owner(*owner));
  if (!parsed_owner) return std::move(parsed_owner).error();
  fence.owner = *parsed_owner;
  return fence;
}

Result<Operation> make_operation(const Arguments& arguments,
                                 const Context& context,
                                 const OperationId& id) {
  Operation operation;
  operation.id = id;
  auto metadata = parse_metadata(arguments.all("--metadata"));
  if (!metadata) return std::move(metadata).error();
  operation.metadata = std::move(*metadata);
  for (const std::string& text : arguments.all("--if-version")) {
    const std::string pointer = fmt::format("/conditions/{}", operation.conditions.size());
    auto condition = in_object(pointer, parse_version_condition(text));
    if (!condition) return std::move(condition).error();
    operation.conditions.push_back(*condition);
  }
  const std::vector<std::string>& fences = arguments.all("--fence");
  for (const std::string& text : fences) {
    const std::string pointer =
        fences.size() > 1 ? fmt::format("/fence/{}", operation.fences.size()) : "/fence";
    auto fence = in_object(
        pointer,
        text == "env" ? fence_of_environment(context.wiring().environment) : parse_fence(text));
    if (!fence) return std::move(fence).error();
    operation.fences.push_back(*fence);
  }
  return operation;
}

Result<OperationId> read_id(const Arguments& arguments, Context& context) {
  if (arguments.has("--id")) return read_argument(arguments, "--id", parse_operation_id);
  return context.new_operation_id();
}

/// A refusal that the ledger cannot record under the id, since a record is about an exact amount.
Refusal not_kept(Refusal refusal) {
  refusal.detail += "; this refusal is not kept with the id, since the amount could not be read";
  if (refusal.code == Code::wallet_not_found) {
    refusal.detail += ": state its currency, such as \"12.34 EUR\"";
  }
  return refusal;
}

/// Names fields as they were stated.
Refused spelt(const Refused& refused, const json::Spelling& spelling) {
  Refusal refusal = *refused.refusal;
  refusal.pointer = json::spelt_pointer(refusal.pointer, spelling);
  return Refused{std::make_shared<const Refusal>(std::move(refusal)), refused.replayed};
}

Result<Outcome> spelt(Result<Outcome> outcome, const json::Spelling& spelling) {
  if (!outcome) {
    Error error = std::move(outcome).error();
    error.where = json::spelt_pointer(error.where, spelling);
    return error;
  }
  if (const auto* refused = std::get_if<Refused>(&*outcome)) {
    return Outcome(spelt(*refused, spelling));
  }
  return outcome;
}

/// What the ledger refuses first, whatever the amount is; else that it cannot be read.
Result<Refused> decide_unread(Backend& backend,
                              const Operation& operation,
                              CallOptions options,
                              const std::shared_ptr<const Refusal>& unreadable) {
  options.dry_run = true;  // With a stand-in for an amount nothing may be applied or recorded.
  auto outcome = backend.apply(operation, options);
  if (!outcome) return std::move(outcome).error();
  if (const auto* refused = std::get_if<Refused>(&*outcome)) return *refused;
  return Refused{unreadable};
}

/// Where a refusal was to be kept, and would have been with an exact amount, the answer says so.
Refused explain_not_kept(const Refused& refused) {
  const Code code = refused.refusal->code;
  if (refused.replayed || code == Code::stale_fence || code == Code::operation_mismatch) {
    return refused;
  }
  return Refused{std::make_shared<const Refusal>(not_kept(*refused.refusal))};
}

int apply(Operation operation,
          const Arguments& arguments,
          Context& context,
          const MakeBody& make_body) {
  auto backend = context.open_backend(Access::write);
  if (!backend) return report_error(context, backend.error(), {operation.id});
  const CallOptions options{.strategy = {},
                            .refusals = {},
                            .deadline = context.deadline(),
                            .dry_run = arguments.has("--dry-run")};
  const bool asked_to_keep =
      !options.dry_run && context.settings().ledger_options().refusals == RefusalMode::final;
  const Kept kept = options.dry_run ? Kept::dry_run : Kept::yes;
  std::optional<Refused> unread;
  while (true) {
    auto reader = (*backend)->read();
    if (!reader) return report_error(context, reader.error(), {operation.id});
    Amounts amounts(**reader);
    auto read = make_body(**reader, amounts);
    if (!read) return report_error(context, read.error(), {operation.id});
    operation.body = std::move(read->body);
    if (!read->unreadable) {
      const auto outcome = spelt((*backend)->apply(operation, options), read->spelling);
      return report_outcome(context, amounts, {operation.id, outcome, kept});
    }
    // What is missing now was missing when the ledger decided, since nothing is ever removed. Had
    // it appeared meanwhile, the decision would be about a stand-in: then the amount is read anew.
    if (unread) return report_refusal(context, amounts, *unread->refusal, {operation.id});
    auto decided = decide_unread(**backend, operation, options, read->unreadable);
    if (!decided) return report_error(context, decided.error(), {operation.id});
    unread = spelt(asked_to_keep ? explain_not_kept(*decided) : *decided, read->spelling);
  }
}

}  // namespace

std::vector<Option> operation_options() {
  return {
      {.name = "--id",
       .values = {"OP"},
       .help = "The operation's id, 1 to 64 visible ASCII characters; applied at most once. "
               "Without it a UUID is generated and printed"},
      {.name = "--if-version",
       .values = {"WALLET=N"},
       .help = "Only while the wallet's version is N",
       .repeatable = true},
      {.name = "--dry-run", .help = "Decide everything, keep nothing"},
      {.name = "--fence",
       .values = {"RESOURCE=TOKEN[:OWNER]"},
       .help = "Refuse when a newer token was seen for the resource; `--fence env` takes what "
               "`mizan lock run` hands over",
       .repeatable = true},
      {.name = "--metadata",
       .values = {"K=V"},
       .help = "Kept with the operation; up to 16",
       .repeatable = true},
  };
}

int run_operation(const Arguments& arguments, Context& context, const MakeBody& make_body) {
  auto id = read_id(arguments, context);
  if (!id) return context.fail(id.error());
  context.note_operation(*id);
  auto operation = make_operation(arguments, context, *id);
  if (!operation) return context.fail(operation.error());
  return apply(std::move(*operation), arguments, context, make_body);
}

Result<Condition> parse_version_condition(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const auto version =
      equals == std::string_view::npos ? std::nullopt : parse_unsigned(text.substr(equals + 1));
  if (!version) {
    return invalid_request(where,
                           fmt::format("--if-version takes WALLET=N, such as alice=7, not "
                                       "'{}'",
                                       escape_for_log(text)));
  }
  auto wallet = in_field("/wallet", parse_wallet_id(text.substr(0, equals)));
  if (!wallet) return std::move(wallet).error();
  Condition condition;
  condition.wallet = *wallet;
  condition.version = *version;
  return condition;
}

Result<Fence> parse_fence(std::string_view text) {
  for (std::size_t equals = text.find('='); equals != std::string_view::npos;
       equals = text.find('=', equals + 1)) {
    const std::string_view tail = text.substr(equals + 1);
    const std::size_t digits = std::min(tail.find_first_not_of("0123456789"), tail.size());
    if (digits == 0 || (digits < tail.size() && tail[digits] != ':')) continue;
    auto resource = in_field("/resource", parse_resource(text.substr(0, equals)));
    if (!resource) return std::move(resource).error();
    auto token = in_field("/token", parse_fence_token(tail.substr(0, digits)));
    if (!token) return std::move(token).error();
    Fence fence{*resource, *token, {}};
    if (digits == tail.size()) return fence;
    auto owner = in_field("/owner", parse_lock_owner(tail.substr(digits + 1)));
    if (!owner) return std::move(owner).error();
    fence.owner = *owner;
    return fence;
  }
  return invalid_request(where,
                         fmt::format("--fence takes RESOURCE=TOKEN[:OWNER], such as "
                                     "wallet/alice=5, not '{}'",
                                     escape_for_log(text)));
}

Result<Metadata> parse_metadata(const std::vector<std::string>& pairs) {
  std::vector<Metadata::Item> items;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) {
      return invalid_request(
          "/metadata",
          fmt::format("--metadata takes K=V, such as order=17, not '{}'", escape_for_log(pair)));
    }
    items.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return Metadata::make(std::move(items));
}

}  // namespace mizan::cli
