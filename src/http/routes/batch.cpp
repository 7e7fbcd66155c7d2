#include "http/answers.hpp"
#include "http/query.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/requests.hpp"
#include "json/shapes.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::http {
namespace {

using Items = std::vector<json::Parsed<Operation>>;

/// A batch of which all or nothing is applied is refused as a whole where one item is malformed.
json::InvalidRequest malformed_items(const Items& items) {
  constexpr std::size_t problems_max = 100;
  json::InvalidRequest all;
  for (const auto& item : items) {
    if (item) continue;
    for (const auto& problem : item.error().problems) {
      if (all.problems.size() < problems_max) all.problems.push_back(problem);
    }
  }
  return all;
}

/// The field of the request that an answer blames, empty: none.
std::string_view blamed(const Result<Outcome>& outcome) {
  if (!outcome) return outcome.error().where;
  const auto* refused = std::get_if<Refused>(&*outcome);
  return refused == nullptr ? std::string_view() : refused->refusal->pointer;
}

/// What a problem says of the item at `index`. The field may be one of another item, which kept
/// this one from being applied, and stands there as that one spells it.
json::ProblemContext context_of(const Exchange& exchange,
                                const json::BatchRequest& batch,
                                std::size_t index,
                                const Result<Outcome>& outcome) {
  const std::size_t cause = json::item_of(blamed(outcome)).value_or(index);
  return {.operation = batch.operations[index]->id,
          .request_id = exchange.request_id,
          .spelling = batch.spellings[cause],
          .place = json::item_pointer(cause)};
}

/// The results in the order of the request: malformed items have theirs already.
std::string results_text(const Exchange& exchange,
                         const json::BatchRequest& batch,
                         const std::vector<Result<Outcome>>& outcomes) {
  constexpr std::size_t result_size = 384;  // Of a receipt with one leg, or a little more.
  std::string body = R"({"results":[)";
  body.reserve(batch.operations.size() * result_size);
  std::size_t next = 0;
  for (std::size_t i = 0; i < batch.operations.size(); ++i) {
    const auto& item = batch.operations[i];
    if (body.back() != '[') body += ',';
    if (!item) {
      body += json::problem_object(item.error(), {{}, exchange.request_id}).text();
      continue;
    }
    const Result<Outcome>& outcome = outcomes[next++];
    const Receipt* receipt = outcome ? receipt_of(*outcome) : nullptr;
    if (receipt != nullptr) {
      json::append_receipt(body, *receipt, code_of(*outcome));
      continue;
    }
    const json::ProblemContext context = context_of(exchange, batch, i, outcome);
    body += outcome ? json::outcome_object(*outcome, context).text()
                    : json::problem_object(outcome.error(), context).text();
  }
  return body += "]}";
}

Response run(Services& services, Exchange& exchange) {
  auto batch = json::parse_batch(exchange.request.body);
  if (!batch) return wrong(exchange, batch.error());
  exchange.request.body = {};
  const json::InvalidRequest malformed = malformed_items(batch->operations);
  if (batch->atomicity == Atomicity::all_or_none && !malformed.problems.empty()) {
    return wrong(exchange, malformed);
  }
  std::vector<Operation> operations;
  operations.reserve(batch->operations.size());
  // The ids stay with the items, for their problems.
  for (auto& item : batch->operations) {
    if (item) operations.push_back(*std::move(item));
  }
  CallOptions options;
  options.deadline = services.deadline(exchange);
  options.strategy = batch->strategy;
  options.dry_run = batch->dry_run;
  const auto outcomes = services.ledger.apply_batch(operations, batch->atomicity, options);
  return json_response(200, results_text(exchange, *batch, outcomes));
}

void post(Services& services, const std::shared_ptr<Exchange>& exchange) {
  answer_on(services.batches, services, exchange, run);
}

constexpr std::array routes{
    Route{Method::post, "/v1/batch", plain<post>, Scope::write, Order::alone, body_batch, true}};

}  // namespace

std::span<const Route> batch_routes() {
  return routes;
}

}  // namespace mizan::http
