#include "json/request_objects.hpp"

#include "base/match.hpp"

#include <chrono>
#include <string>

namespace mizan::json {
namespace {

void set_currency(Object& object, const CurrencyCode& currency) {
  if (!currency.empty()) object.set("currency", currency);
}

Object leg_object(const Leg& leg) {
  Object object;
  object.set("from", leg.from).set("to", leg.to).set("amount", leg.amount);
  set_currency(object, leg.currency);
  return object;
}

/// In whole seconds where it is, else as a text of milliseconds, which is what there is below.
Value expiry(std::chrono::microseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  if (seconds == duration) return seconds.count();
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(duration);
  return std::to_string(milliseconds.count()) + "ms";
}

/// Deposit and withdrawal are the same form.
template <class Body>
void set_one_wallet(Object& object, const Body& body) {
  object.set("wallet", body.wallet).set("amount", body.amount);
  set_currency(object, body.currency);
}

void set_body(Object& object, const OperationBody& body) {
  std::visit(
      Match{[&object](const Transfer& transfer) {
              Array legs;
              for (const Leg& leg : transfer.legs) legs.add(leg_object(leg));
              object.set("legs", legs);
            },
            [&object](const Deposit& deposit) { set_one_wallet(object, deposit); },
            [&object](const Withdraw& withdraw) { set_one_wallet(object, withdraw); },
            [&object](const CreateHold& hold) {
              set_one_wallet(object, hold);
              if (!hold.to.empty()) object.set("to", hold.to);
              if (hold.expires_in) object.set("expires_in", expiry(*hold.expires_in));
            },
            [&object](const CaptureHold& capture) { object.set_present("amount", capture.amount); },
            [](const VoidHold&) {},
            [](const Reverse&) {}},
      body);
}

/// What the path of a route names.
void set_subject(Object& object, const OperationBody& body) {
  if (const auto* capture = std::get_if<CaptureHold>(&body)) object.set("hold", capture->hold);
  if (const auto* end = std::get_if<VoidHold>(&body)) object.set("hold", end->hold);
  if (const auto* reverse = std::get_if<Reverse>(&body)) {
    object.set("operation", reverse->operation);
  }
}

Object condition_object(const Condition& condition) {
  Object object;
  object.set("wallet", condition.wallet);
  object.set_present("version", condition.version);
  object.set_present("min_balance", condition.min_balance);
  object.set_present("max_balance", condition.max_balance);
  object.set_present("min_available", condition.min_available);
  return object;
}

Object fence_object(const Fence& fence) {
  Object object;
  object.set("resource", fence.resource).set("token", fence.token.value());
  if (!fence.owner.empty()) object.set("owner", fence.owner);
  return object;
}

void set_rest(Object& object, const Operation& operation) {
  if (!operation.metadata.empty()) object.set("metadata", operation.metadata);
  if (!operation.conditions.empty()) {
    Array conditions;
    for (const Condition& condition : operation.conditions) {
      conditions.add(condition_object(condition));
    }
    object.set("conditions", conditions);
  }
  if (operation.fences.size() == 1) {
    object.set("fence", fence_object(operation.fences.front()));
  } else if (!operation.fences.empty()) {
    Array fences;
    for (const Fence& fence : operation.fences) fences.add(fence_object(fence));
    object.set("fence", fences);
  }
}

}  // namespace

Object request_object(const Operation& operation) {
  Object object;
  set_body(object, operation.body);
  set_rest(object, operation);
  return object;
}

Object item_object(const Operation& operation) {
  Object object;
  object.set("id", operation.id).set("type", to_string(type_of(operation.body)));
  set_subject(object, operation.body);
  set_body(object, operation.body);
  set_rest(object, operation);
  return object;
}

Object request_object(const NewWallet& wallet) {
  Object object;
  object.set("id", wallet.id).set("currency", wallet.currency);
  object.set("min_balance", wallet.min_balance);
  if (!wallet.metadata.empty()) object.set("metadata", wallet.metadata);
  return object;
}

Object request_object(const WalletPatch& patch) {
  Object object;
  if (patch.status) object.set("status", to_string(*patch.status));
  if (patch.min_balance) object.set("min_balance", *patch.min_balance);
  if (patch.metadata) object.set("metadata", *patch.metadata);
  return object;
}

}  // namespace mizan::json
