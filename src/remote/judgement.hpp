#pragma once

#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include "json/answers.hpp"
#include "remote/server.hpp"

namespace mizan::remote {

// What an answer proves about one operation.

/// Is this a refusal of the money rules, as opposed to an error?
[[nodiscard]] bool is_refusal(Code code) noexcept;

/// Of a problem about an operation. Where an earlier attempt may still be on its way, only a
/// refusal that nothing can lift any more is one; another says nothing about that attempt:
/// `unknown`.
[[nodiscard]] Result<Outcome> judge_problem(const Reply& reply, const json::ProblemAnswer& problem);

/// Of a node that should be a receipt of the operation.
[[nodiscard]] Result<Outcome> judge_receipt(const Server& server,
                                            const json::Node& node,
                                            const Operation& operation);

/// The error of a reply that has a problem, for calls that are no operation.
[[nodiscard]] Error failure_of(const Reply& reply);

}  // namespace mizan::remote
