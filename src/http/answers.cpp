#include "http/answers.hpp"

#include "mizan/code.hpp"

#include "base/granted.hpp"
#include "base/passing.hpp"
#include "json/shapes.hpp"

#include <utility>

namespace mizan::http {
namespace {

constexpr std::chrono::seconds retry_soon{1};

Response problem_response(Code code, std::string body) {
  Response response;
  response.status = http_status(code);
  response.content_type = problem_type;
  response.code = to_string(code);
  response.body = std::move(body);
  if (is_passing(code)) response.retry_after = retry_soon;
  return response;
}

Response receipt_response(const Receipt& receipt, Code code) {
  Response response;
  response.status = http_status(code);
  response.code = to_string(code);
  response.replayed = code == Code::already_applied;
  json::append_receipt(response.body, receipt, code);
  return response;
}

}  // namespace

Response json_response(int status, std::string body) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

Response outcome_response(const Result<Outcome>& outcome, const json::ProblemContext& context) {
  if (!outcome) return error_response(outcome.error(), context);
  if (const Receipt* receipt = receipt_of(*outcome)) {
    return receipt_response(*receipt, code_of(*outcome));
  }
  const auto& refused = std::get<Refused>(*outcome);
  Response response = refusal_response(*refused.refusal, context);
  response.replayed = refused.replayed;
  return response;
}

Response error_response(const Error& error, const json::ProblemContext& context) {
  return problem_response(error.code, json::problem_object(error, context).text());
}

Response refusal_response(const Refusal& refusal, const json::ProblemContext& context) {
  return problem_response(refusal.code, json::problem_object(refusal, context).text());
}

Response busy_response(const Resource& resource,
                       std::optional<std::chrono::milliseconds> remaining,
                       const json::ProblemContext& context) {
  json::Object problem = json::problem_object(lock_busy(resource, remaining), context);
  if (remaining) problem.set("expires_in_ms", remaining->count());
  return problem_response(Code::lock_busy, problem.text());
}

Response invalid_response(const json::InvalidRequest& invalid,
                          const json::ProblemContext& context) {
  return problem_response(Code::invalid_request, json::problem_object(invalid, context).text());
}

Response transport_response(const TransportProblem& problem, std::string_view request_id) {
  std::string title(problem.code);
  for (char& c : title) c = c == '_' ? ' ' : c;
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  json::Object object;
  object.set("type", "urn:mizan:problem:" + std::string(problem.code))
      .set("title", title)
      .set("status", problem.status)
      .set("code", problem.code)
      .set("detail", problem.detail)
      .set("applied", "no")
      .set("retryable", problem.status == 408 || problem.status == 503)
      .set("request_id", request_id);
  Response response;
  response.status = problem.status;
  response.content_type = problem_type;
  response.code = problem.code;
  response.body = object.text();
  if (problem.status == 503) response.retry_after = retry_soon;
  return response;
}

}  // namespace mizan::http
