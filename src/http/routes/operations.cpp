#include "http/answers.hpp"
#include "http/query.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/requests.hpp"
#include "json/shapes.hpp"

#include <array>
#include <optional>
#include <utility>

namespace mizan::http {
namespace {

using json::OperationContext;

/// What the request says of the operation outside its body.
Result<OperationContext> context_of(const Exchange& exchange, OperationType type) {
  OperationContext context;
  context.type = type;
  if (const auto& key = exchange.request.idempotency_key) {
    auto id = parse_operation_id(*key);
    if (!id) {
      return invalid_request("/id", "the header Idempotency-Key: " + id.error().detail);
    }
    context.key = *id;
  }
  if (exchange.parameter(0).empty()) return context;
  auto subject = parse_operation_id(exchange.parameter(0));
  if (!subject) {
    const char* const name = type == OperationType::reverse ? "/operation" : "/hold";
    return invalid_request(name, "in the path: " + subject.error().detail);
  }
  context.subject = *subject;
  return context;
}

/// Hands the operation to the ledger, on this thread where that does not block.
void hand_in(Services& services,
             const std::shared_ptr<Exchange>& exchange,
             json::OperationRequest request) {
  CallOptions options;
  options.deadline = services.deadline(*exchange);
  options.strategy = request.strategy;
  options.dry_run = request.dry_run;
  if (services.submits && !request.dry_run && !request.strategy) {
    // A plain pointer fits into a std::function without an allocation.
    Exchange* const kept = exchange->keep_alive();
    services.ledger.submit(std::move(request.operation), options, [kept](Result<Outcome> outcome) {
      kept->answer(std::move(outcome));
    });
    return;
  }
  // Only the group commit keeps the order of what came before on the connection.
  exchange->wait_to_be_alone();
  if (exchange->has_company) return;
  const auto shared = std::make_shared<json::OperationRequest>(std::move(request));
  answer_on(services.writers, services, exchange, [shared, options](Services& all, Exchange& one) {
    return outcome_response(all.ledger.apply(shared->operation, options), problem_context(one));
  });
}

void run_operation(Services& services,
                   const std::shared_ptr<Exchange>& exchange,
                   OperationType type) {
  auto context = context_of(*exchange, type);
  if (!context) return exchange->answer(wrong(*exchange, context.error()));
  exchange->operation = context->key;
  auto request = json::parse_operation(exchange->request.body, *context);
  if (!request) {
    return exchange->answer(invalid_response(request.error(), problem_context(*exchange)));
  }
  exchange->operation = request->operation.id;
  exchange->spelling = request->spelling;
  hand_in(services, exchange, *std::move(request));
}

template <OperationType Type>
void post(Services& services, const std::shared_ptr<Exchange>& exchange) {
  run_operation(services, exchange, Type);
}

Response not_found(const Exchange& exchange, Code code, std::string detail) {
  Refusal refusal;
  refusal.code = code;
  refusal.detail = std::move(detail);
  refusal.pointer = "/id";
  return refusal_response(refusal, problem_context(exchange));
}

Response show_operation(Services& services, Exchange& exchange, const OperationId& id) {
  auto snapshot = snapshot_for(services, exchange);
  if (!snapshot) return wrong(exchange, snapshot.error());
  auto found = (*snapshot)->find_operation(id);
  if (!found) return wrong(exchange, found.error());
  if (!*found) {
    return not_found(exchange, Code::operation_not_found, "there is no operation " + id.str());
  }
  exchange.operation = id;
  if ((*found)->refusal) return refusal_response(*(*found)->refusal, problem_context(exchange));
  std::string body;
  json::append_receipt(body, (*found)->receipt, Code::applied);
  return json_response(200, std::move(body));
}

Response show_hold(Services& services, Exchange& exchange, const OperationId& id) {
  auto snapshot = snapshot_for(services, exchange);
  if (!snapshot) return wrong(exchange, snapshot.error());
  auto found = (*snapshot)->find_hold(id);
  if (!found) return wrong(exchange, found.error());
  if (!*found) return not_found(exchange, Code::hold_not_found, "there is no hold " + id.str());
  return json_response(200, json::to_object(**found).text());
}

template <Response (*Show)(Services&, Exchange&, const OperationId&)>
void get(Services& services, const std::shared_ptr<Exchange>& exchange) {
  auto id = parse_operation_id(exchange->parameter(0));
  if (!id) {
    return exchange->answer(wrong(*exchange, invalid_request("/id", id.error().detail)));
  }
  answer_on(services.readers, services, exchange, [id = *id](Services& all, Exchange& one) {
    return Show(all, one, id);
  });
}

constexpr Route money(std::string_view pattern, decltype(Route::handle) handle) {
  return {Method::post, pattern, handle, Scope::write, Order::queued, body_operation};
}

constexpr std::array routes{
    money("/v1/transfers", plain<post<OperationType::transfer>>),
    money("/v1/deposits", plain<post<OperationType::deposit>>),
    money("/v1/withdrawals", plain<post<OperationType::withdraw>>),
    money("/v1/holds", plain<post<OperationType::hold>>),
    money("/v1/holds/{id}/capture", plain<post<OperationType::capture>>),
    money("/v1/holds/{id}/void", plain<post<OperationType::void_hold>>),
    money("/v1/operations/{id}/reverse", plain<post<OperationType::reverse>>),
    Route{Method::get, "/v1/operations/{id}", plain<get<show_operation>>},
    Route{Method::get, "/v1/holds/{id}", plain<get<show_hold>>},
};

}  // namespace

std::span<const Route> operation_routes() {
  return routes;
}

}  // namespace mizan::http
