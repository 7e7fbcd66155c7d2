#include "json/problem.hpp"

#include "base/assert.hpp"
#include "base/match.hpp"
#include "base/text.hpp"
#include "json/shapes.hpp"

#include <cstddef>
#include <utility>
#include <variant>

namespace mizan::json {

namespace {

/// What every kind of problem states of itself.
struct Head {
  Code code = Code::internal;
  std::string_view detail;
  std::string_view applied;
  bool retryable = false;
};

/// `insufficient_funds` becomes "Insufficient funds".
std::string title_of(Code code) {
  std::string title(to_string(code));
  for (char& c : title) c = c == '_' ? ' ' : c;
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return title;
}

Object begin_problem(const Head& head, const ProblemContext& context) {
  const std::string_view code = to_string(head.code);
  Object object;
  object.set("type", "urn:mizan:problem:" + std::string(code))
      .set("title", title_of(head.code))
      .set("status", http_status(head.code))
      .set("code", code)
      .set("detail", head.detail)
      .set("applied", head.applied)
      .set("retryable", head.retryable);
  object.set_present("operation", context.operation);
  if (!context.request_id.empty()) object.set("request_id", context.request_id);
  return object;
}

Object field_object(std::string_view pointer, std::string_view code, std::string_view detail) {
  Object object;
  object.set("pointer", pointer).set("code", code).set("detail", detail);
  return object;
}

/// The expectation as the field carries it: a version is a counter, the rest are amounts.
Value expectation(const ConditionFailure& failure, const std::string& digits) {
  const std::optional<std::uint64_t> number = parse_unsigned(digits);
  return failure.field == "version" && number ? Value(*number) : Value(digits);
}

Object failure_object(const ConditionFailure& failure) {
  Object object;
  object.set("wallet", failure.wallet)
      .set("field", failure.field)
      .set("expected", expectation(failure, failure.expected))
      .set("actual", expectation(failure, failure.actual));
  return object;
}

/// The field that is to blame, by its place in the whole request; what names that already keeps it.
std::string whole_pointer(std::string_view where, const ProblemContext& context) {
  const std::string& place = context.place;
  const bool is_whole = where.starts_with(place) && where.substr(place.size()).starts_with('/');
  if (is_whole) where.remove_prefix(place.size());
  return place + spelt_pointer(where, context.spelling);
}

/// What is wrong with the request: one field, or each part of a condition that does not hold.
Array errors_of(const Refusal& refusal, const ProblemContext& context) {
  const std::string_view code = to_string(refusal.code);
  Array errors;
  if (refusal.failures.size() < 2) {
    return errors.add(field_object(whole_pointer(refusal.pointer, context), code, refusal.detail));
  }
  for (const ConditionFailure& failure : refusal.failures) {
    const std::string where =
        "/conditions/" + std::to_string(failure.condition) + "/" + failure.field;
    const std::string detail = failure.field + " of " + failure.wallet.str() + " expected " +
                               failure.expected + ", is " + failure.actual;
    errors.add(field_object(context.place + where, code, detail));
  }
  return errors;
}

/// The first failure's facts stand at the top, where a client that sent one condition looks.
void set_failures(Object& object, const std::vector<ConditionFailure>& failures) {
  if (failures.empty()) return;
  const ConditionFailure& first = failures.front();
  object.set("field", first.field)
      .set("expected", expectation(first, first.expected))
      .set("actual", expectation(first, first.actual));
  Array array;
  for (const ConditionFailure& failure : failures) array.add(failure_object(failure));
  object.set("failures", array);
}

std::optional<WalletId> wallet_of(const Refusal& refusal) {
  if (refusal.wallet || refusal.failures.empty()) return refusal.wallet;
  return refusal.failures.front().wallet;
}

}  // namespace

std::string spelt_pointer(std::string_view where, const Spelling& spelling) {
  constexpr std::string_view first_leg = "/legs/0";
  constexpr std::string_view fence = "/fence/";
  if (spelling.single_leg && where.starts_with(first_leg)) {
    return std::string(where.substr(first_leg.size()));
  }
  // Of several fences the number stands there already.
  const bool lacks_number = spelling.fence_array && where.starts_with(fence) &&
                            !parse_unsigned(where.substr(fence.size(), 1));
  if (lacks_number) return "/fence/0" + std::string(where.substr(fence.size() - 1));
  return std::string(where);
}

Object problem_object(const Refusal& refusal, const ProblemContext& context) {
  Object object = begin_problem({.code = refusal.code,
                                 .detail = refusal.detail,
                                 .applied = "no",
                                 .retryable = is_retryable(refusal.code)},
                                context);
  if (!refusal.pointer.empty()) {
    object.set("errors", errors_of(refusal, context));
  }
  object.set_present("wallet", wallet_of(refusal));
  object.set_present("available", refusal.available);
  object.set_present("needed", refusal.needed);
  if (refusal.newest_token) object.set("newest_token", refusal.newest_token->value());
  set_failures(object, refusal.failures);
  return object;
}

Object problem_object(const Error& error, const ProblemContext& context) {
  const bool is_unknown = error.code == Code::unknown || error.certainty == Certainty::unknown;
  Object object =
      begin_problem({.code = error.code,
                     .detail = error.detail,
                     .applied = is_unknown ? "unknown" : "no",
                     .retryable = is_retryable(error.code) || error.retry != Retry::never},
                    context);
  if (error.code == Code::invalid_request) {
    // A malformed field's error names the field as its place; any other is about the whole.
    const bool names_field = error.where.starts_with('/');
    const std::string pointer = names_field ? whole_pointer(error.where, context) : context.place;
    object.set("errors", Array().add(field_object(pointer, context.field_code, error.detail)));
  } else if (error.code != Code::internal && error.where.starts_with('/')) {
    object.set("errors",
               Array().add(field_object(
                   whole_pointer(error.where, context), to_string(error.code), error.detail)));
  }
  return object;
}

Object problem_object(const InvalidRequest& invalid, const ProblemContext& context) {
  MIZAN_ASSERT(!invalid.problems.empty());
  const std::string detail = to_error(invalid).detail;
  Object object = begin_problem(
      {.code = Code::invalid_request, .detail = detail, .applied = "no", .retryable = false},
      {.operation = context.operation ? context.operation : invalid.operation,
       .request_id = context.request_id});
  Array errors;
  for (const FieldProblem& problem : invalid.problems) {
    errors.add(field_object(problem.pointer, problem.code, problem.detail));
  }
  object.set("errors", errors);
  return object;
}

Object outcome_object(const Outcome& outcome, const ProblemContext& context) {
  return std::visit(
      Match{
          [](const Applied& applied) { return to_object(applied.receipt, Code::applied); },
          [](const AlreadyApplied& replayed) {
            return to_object(replayed.receipt, Code::already_applied);
          },
          [&context](const Refused& refused) { return problem_object(*refused.refusal, context); }},
      outcome);
}

Error to_error(const InvalidRequest& invalid) {
  MIZAN_ASSERT(!invalid.problems.empty());
  const FieldProblem& first = invalid.problems.front();
  const bool is_whole = first.pointer.empty();
  const std::string place = is_whole ? "request" : escape_for_log(first.pointer);
  std::string detail = is_whole ? first.detail : place + ": " + first.detail;
  const std::size_t others = invalid.problems.size() - 1;
  if (others > 0) detail += " (and " + std::to_string(others) + " more)";
  return invalid_request(place, std::move(detail));
}

}  // namespace mizan::json
