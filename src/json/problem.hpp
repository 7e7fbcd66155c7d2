#pragma once

#include "mizan/code.hpp"
#include "mizan/ids.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include "json/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::json {

/// What is wrong with one field of a request.
struct FieldProblem {
  std::string pointer;    ///< JSON pointer (RFC 6901) to the field; empty: the whole document.
  std::string_view code;  ///< One of `field_code`.
  std::string detail;
};

/// The values of `errors[].code`. Static storage.
namespace field_code {
inline constexpr std::string_view not_json = "not_json";
inline constexpr std::string_view too_deep = "too_deep";
inline constexpr std::string_view duplicate_key = "duplicate_key";
inline constexpr std::string_view missing = "missing";
inline constexpr std::string_view unknown_field = "unknown_field";
inline constexpr std::string_view wrong_type = "wrong_type";
inline constexpr std::string_view invalid_value = "invalid_value";
inline constexpr std::string_view out_of_range = "out_of_range";
inline constexpr std::string_view conflict = "conflict";
}  // namespace field_code

/// A request that is not of the form asked for: `invalid_request`, each field named. Never empty.
struct InvalidRequest {
  std::vector<FieldProblem> problems;
  std::optional<OperationId> operation{};  ///< The id that it states, where that can be read.
};

template <class T>
using Parsed = Result<T, InvalidRequest>;

/// How a request spelt what an Operation holds in one form only, so that refusals name the fields
/// that were sent.
struct Spelling {
  bool single_leg = false;   ///< from, to and amount at the top instead of `legs`.
  bool fence_array = false;  ///< `fence` is an array, also of one.
};

/// The field of an operation as the request spells it.
[[nodiscard]] std::string spelt_pointer(std::string_view where, const Spelling& spelling);

/// What a problem says beside the refusal itself; what is absent is left out.
struct ProblemContext {
  std::optional<OperationId> operation;
  std::string request_id;
  /// Of an Error about the request's form: what is wrong with the field.
  std::string_view field_code = field_code::invalid_value;
  Spelling spelling{};
  std::string place{};  ///< Of the operation in the request, as a pointer; empty: it is the whole.
};

// RFC 9457 problem details: `type` is `urn:mizan:problem:<code>`, `title` the code in words; then
// the members of docs/guides/http.md and the facts of the code.

[[nodiscard]] Object problem_object(const Refusal& refusal, const ProblemContext& context = {});
[[nodiscard]] Object problem_object(const Error& error, const ProblemContext& context = {});
[[nodiscard]] Object problem_object(const InvalidRequest& invalid,
                                    const ProblemContext& context = {});

/// The operation's object, or its problem: one line of a batch.
[[nodiscard]] Object outcome_object(const Outcome& outcome, const ProblemContext& context = {});

/// As an Error, for callers without JSON: the first problem, its pointer as `where`.
[[nodiscard]] Error to_error(const InvalidRequest& invalid);

}  // namespace mizan::json
