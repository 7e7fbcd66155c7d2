#include "http/exchange.hpp"

#include "base/assert.hpp"
#include "http/answers.hpp"

#include <utility>

namespace mizan::http {

ExchangeOwner::~ExchangeOwner() = default;

Exchange::Exchange(std::shared_ptr<ExchangeOwner> owner) noexcept : owner_(std::move(owner)) {}

void Exchange::answer(Response response) {
  if (answers) answer_share_.hold(answers, response.body.size());
  response_ = std::move(response);
  tell();
}

void Exchange::answer(Result<Outcome> outcome) {
  outcome_ = std::move(outcome);
  tell();
}

void Exchange::tell() {
  std::shared_ptr<Exchange> self = self_ ? std::move(self_) : shared_from_this();
  std::shared_ptr<ExchangeOwner> owner = std::move(owner_);
  MIZAN_ASSERT(owner != nullptr);
  ExchangeOwner& told = *owner;
  told.finished(std::move(owner), std::move(self));
}

Response Exchange::take_response() {
  if (outcome_) return outcome_response(*outcome_, problem_context());
  MIZAN_ASSERT(response_.has_value());
  return *std::move(response_);
}

json::ProblemContext Exchange::problem_context() const {
  return {.operation = operation, .request_id = request_id, .spelling = spelling};
}

Exchange* Exchange::keep_alive() {
  self_ = shared_from_this();
  return this;
}

}  // namespace mizan::http
