#include "remote/judgement.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace mizan::remote {
namespace {

constexpr const char* where = "server";

/// Can an attempt that comes after this refusal no longer be applied? By the id, by a mark that
/// only grows, or because what stands in the way is there for good.
bool is_for_good(Code code) noexcept {
  switch (code) {
    case Code::operation_mismatch:
    case Code::stale_fence:
    case Code::wallet_closed:
    case Code::currency_mismatch:
    case Code::same_wallet:
    case Code::invalid_amount:
    case Code::hold_not_open:
    case Code::already_reversed:
    case Code::not_reversible:
    case Code::wallet_exists:
    case Code::invalid_request:
      return true;
    case Code::applied:
    case Code::already_applied:
    case Code::wallet_not_found:
    case Code::wallet_frozen:
    case Code::limit_exceeded:
    case Code::operation_not_found:
    case Code::hold_not_found:
    case Code::condition_failed:
    case Code::insufficient_funds:
    case Code::unauthorized:
    case Code::forbidden:
    case Code::rate_limited:
    case Code::lock_busy:
    case Code::contended:
    case Code::in_progress:
    case Code::unavailable:
    case Code::unknown:
    case Code::internal:
      return false;
  }
  return false;
}

Error still_unknown(const json::ProblemAnswer& problem) {
  return {Code::unknown,
          Certainty::unknown,
          Retry::after_backoff,
          where,
          fmt::format("the answer to an attempt was lost, and a later one got {}: {}; should the "
                      "first still be on its way, it may yet be applied",
                      problem.code_text,
                      problem.refusal.detail)};
}

}  // namespace

bool is_refusal(Code code) noexcept {
  return code == Code::operation_mismatch || code == Code::stale_fence ||
         is_business_refusal(code) || code == Code::condition_failed;
}

Result<Outcome> judge_problem(const Reply& reply, const json::ProblemAnswer& problem) {
  const Code code = problem.refusal.code;
  if (reply.was_lost && !reply.replayed && !is_for_good(code)) return still_unknown(problem);
  if (!is_refusal(code)) return error_of(problem);
  Refused refused{std::make_shared<const Refusal>(problem.refusal), reply.replayed};
  return Outcome{std::move(refused)};
}

Result<Outcome> judge_receipt(const Server& server,
                              const json::Node& node,
                              const Operation& operation) {
  auto answer = accept(server, json::read_receipt(node), Effect::writes);
  if (!answer) return std::move(answer).error();
  Receipt& receipt = answer->receipt;
  if (receipt.id != operation.id || receipt.type != type_of(operation.body)) {
    return not_mizan(server, "the receipt is of another operation", Effect::writes);
  }
  if (answer->replayed) return Outcome{AlreadyApplied{std::move(receipt)}};
  return Outcome{Applied{std::move(receipt)}};
}

Error failure_of(const Reply& reply) {
  const json::ProblemAnswer& problem = *reply.problem;
  if (reply.was_lost && !is_for_good(problem.refusal.code)) return still_unknown(problem);
  return error_of(problem);
}

}  // namespace mizan::remote
