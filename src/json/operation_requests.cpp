#include "base/duration.hpp"
#include "base/text.hpp"
#include "json/fields.hpp"
#include "json/requests.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace mizan::json {

namespace {

using Problems = std::vector<FieldProblem>;

constexpr std::string_view batch_pointer = "/operations";

/// Far more than the largest operation has.
constexpr std::size_t item_nodes_max = 100'000;

CurrencyCode read_currency(Fields& fields) {
  return fields.text("currency", Presence::optional, parse_currency_code).value_or(CurrencyCode{});
}

WalletId read_wallet(Fields& fields, std::string_view key, Presence presence) {
  return fields.text(key, presence, parse_wallet_id).value_or(WalletId{});
}

MinorUnits read_amount(Fields& fields) {
  return fields.amount("amount", Presence::required).value_or(MinorUnits{0});
}

Leg read_leg(Fields& fields) {
  Leg leg;
  leg.from = read_wallet(fields, "from", Presence::required);
  leg.to = read_wallet(fields, "to", Presence::required);
  leg.amount = read_amount(fields);
  leg.currency = read_currency(fields);
  return leg;
}

Transfer read_legs(Fields& fields) {
  Transfer transfer;
  const std::vector<Node>* legs = fields.array("legs", Presence::required, 1, legs_max);
  for (const std::string_view key : {"from", "to", "amount", "currency"}) {
    const bool is_given = fields.find(key, Presence::optional) != nullptr;
    if (is_given) {
      fields.report(key, field_code::conflict, "a transfer has either legs or from, to and amount");
    }
  }
  if (legs == nullptr) return transfer;
  for (std::size_t i = 0; i < legs->size(); ++i) {
    Fields leg((*legs)[i], pointer_to(fields.pointer("legs"), i), fields.problems());
    transfer.legs.push_back(read_leg(leg));
    leg.finish();
  }
  return transfer;
}

Transfer read_transfer(Fields& fields, Spelling& spelling) {
  spelling.single_leg = !fields.has("legs");
  if (spelling.single_leg) return Transfer{{read_leg(fields)}};
  return read_legs(fields);
}

/// A string such as "15m", or an integer of seconds.
std::optional<std::chrono::microseconds> read_expiry(Fields& fields) {
  constexpr std::uint64_t seconds_max = 3'660ULL * 86'400;
  const Node* node = fields.find("expires_in", Presence::optional);
  if (node == nullptr) return std::nullopt;
  if (node->kind() == Node::Kind::integer) {
    const auto seconds = fields.counter("expires_in", Presence::optional, 1, seconds_max);
    if (!seconds) return std::nullopt;
    return std::chrono::seconds{static_cast<std::int64_t>(*seconds)};
  }
  const bool is_string = node->kind() == Node::Kind::string;
  const auto duration = is_string ? parse_duration(node->text()) : std::nullopt;
  if (duration) return *duration;
  fields.report("expires_in",
                is_string ? field_code::invalid_value : field_code::wrong_type,
                "a duration is a string of numbers with ms, s, m, h or d, such as \"15m\", or an "
                "integer of seconds");
  return std::nullopt;
}

CreateHold read_hold(Fields& fields) {
  CreateHold hold;
  hold.wallet = read_wallet(fields, "wallet", Presence::required);
  hold.amount = read_amount(fields);
  hold.to = read_wallet(fields, "to", Presence::optional);
  hold.expires_in = read_expiry(fields);
  hold.currency = read_currency(fields);
  return hold;
}

/// The hold or operation that is acted upon: from the path, else from the body.
OperationId read_subject(Fields& fields, std::string_view key, const OperationContext& context) {
  if (context.subject) return *context.subject;
  return fields.text(key, Presence::required, parse_operation_id).value_or(OperationId{});
}

OperationBody read_body(Fields& fields, const OperationContext& context, Spelling& spelling) {
  switch (context.type) {
    case OperationType::transfer:
      return read_transfer(fields, spelling);
    case OperationType::deposit: {
      const WalletId wallet = read_wallet(fields, "wallet", Presence::required);
      return Deposit{wallet, read_amount(fields), read_currency(fields)};
    }
    case OperationType::withdraw: {
      const WalletId wallet = read_wallet(fields, "wallet", Presence::required);
      return Withdraw{wallet, read_amount(fields), read_currency(fields)};
    }
    case OperationType::hold:
      return read_hold(fields);
    case OperationType::capture: {
      const OperationId hold = read_subject(fields, "hold", context);
      return CaptureHold{hold, fields.amount("amount", Presence::optional)};
    }
    case OperationType::void_hold:
      return VoidHold{read_subject(fields, "hold", context)};
    case OperationType::reverse:
      return Reverse{read_subject(fields, "operation", context)};
  }
  return Transfer{};  // Not reached by a type of the enumeration; refused as a transfer without
                      // legs.
}

OperationId read_id(Fields& fields, const std::optional<OperationId>& key) {
  const bool is_given = fields.has("id");
  const Presence presence = key ? Presence::optional : Presence::required;
  const auto id = fields.text("id", presence, parse_operation_id);
  if (key && id && *id != *key) {
    fields.report("id", field_code::conflict, "the id differs from the header Idempotency-Key");
  }
  if (id) return *id;
  return key && !is_given ? *key : OperationId{};
}

Condition read_condition(Fields& fields) {
  constexpr std::uint64_t version_max = std::numeric_limits<std::uint64_t>::max();
  Condition condition;
  condition.wallet = read_wallet(fields, "wallet", Presence::required);
  condition.version = fields.counter("version", Presence::optional, 0, version_max);
  condition.min_balance = fields.amount("min_balance", Presence::optional);
  condition.max_balance = fields.amount("max_balance", Presence::optional);
  condition.min_available = fields.amount("min_available", Presence::optional);
  return condition;
}

std::vector<Condition> read_conditions(Fields& fields) {
  std::vector<Condition> conditions;
  const std::vector<Node>* items =
      fields.array("conditions", Presence::optional, 0, conditions_max);
  if (items == nullptr) return conditions;
  for (std::size_t i = 0; i < items->size(); ++i) {
    Fields item((*items)[i], pointer_to(fields.pointer("conditions"), i), fields.problems());
    conditions.push_back(read_condition(item));
    item.finish();
  }
  return conditions;
}

Fence read_fence(const Node& node, std::string pointer, Problems& problems) {
  Fields fields(node, std::move(pointer), problems);
  Fence fence;
  fence.resource = fields.text("resource", Presence::required, parse_resource).value_or(Resource{});
  fence.token = fields.token("token").value_or(FenceToken{});
  fence.owner = fields.text("owner", Presence::optional, parse_lock_owner).value_or(LockOwner{});
  fields.finish();
  return fence;
}

/// One object, or an array of them for an operation that holds several locks.
std::vector<Fence> read_fences(Fields& fields, Spelling& spelling) {
  std::vector<Fence> fences;
  const Node* node = fields.find("fence", Presence::optional);
  if (node == nullptr) return fences;
  const std::string pointer = fields.pointer("fence");
  if (node->kind() != Node::Kind::array) {
    fences.push_back(read_fence(*node, pointer, fields.problems()));
    return fences;
  }
  spelling.fence_array = true;
  const std::vector<Node>* items = fields.array("fence", Presence::optional, 1, fences_max);
  if (items == nullptr) return fences;
  for (std::size_t i = 0; i < items->size(); ++i) {
    fences.push_back(read_fence((*items)[i], pointer_to(pointer, i), fields.problems()));
  }
  return fences;
}

Operation read_operation(Fields& fields,
                         const OperationContext& context,
                         std::string_view pointer,
                         Spelling& spelling) {
  Operation operation;
  operation.id = read_id(fields, context.key);
  operation.body = read_body(fields, context, spelling);
  operation.metadata = fields.metadata("metadata").value_or(Metadata{});
  operation.conditions = read_conditions(fields);
  operation.fences = read_fences(fields, spelling);
  if (!fields.problems().empty()) return operation;
  const Status form = check_form(operation);
  if (!form) {
    const std::string place = std::string(pointer) + spelt_pointer(form.error().where, spelling);
    fields.problems().push_back({place, field_code::invalid_value, form.error().detail});
  }
  return operation;
}

std::optional<Strategy> read_strategy(Fields& fields) {
  const auto parse = [](std::string_view name) -> Result<Strategy> {
    if (const auto strategy = parse_strategy(name)) return *strategy;
    return invalid_request("strategy",
                           "the strategy is one of batched, atomic, optimistic and pessimistic");
  };
  return fields.text<Strategy>("strategy", Presence::optional, parse);
}

bool may_be_empty(OperationType type) noexcept {
  return type == OperationType::capture || type == OperationType::void_hold ||
         type == OperationType::reverse;
}

/// With the id, where it could be read.
InvalidRequest invalid(Problems problems, const OperationId& id) {
  InvalidRequest all{std::move(problems)};
  if (!id.empty()) all.operation = id;
  return all;
}

/// The id of an item of which nothing else can be read.
OperationId id_of(const Node& node) {
  const Node* id = node.find("id");
  if (id == nullptr || id->kind() != Node::Kind::string) return {};
  const auto parsed = parse_operation_id(id->text());
  return parsed ? *parsed : OperationId{};
}

Parsed<Operation> read_item(const Node& node, const std::string& pointer, Spelling& spelling) {
  Problems problems;
  Fields fields(node, pointer, problems);
  const auto parse_type = [](std::string_view name) -> Result<OperationType> {
    const std::optional<OperationType> type = parse_operation_type(name);
    if (type) return *type;
    return invalid_request(
        "type", "the type is one of transfer, deposit, withdraw, hold, capture, void and reverse");
  };
  const auto type = fields.text<OperationType>("type", Presence::required, parse_type);
  // Without a type nobody can say which other fields belong here.
  if (!type) return invalid(std::move(problems), id_of(node));
  const OperationContext context{.type = *type, .key = {}, .subject = {}};
  Operation operation = read_operation(fields, context, pointer, spelling);
  fields.finish();
  if (!problems.empty()) return invalid(std::move(problems), operation.id);
  return operation;
}

/// The items of a batch as they come. A batch of nothing but mistakes is not answered with ten
/// times its size: beyond so many problems an item tells its first one only.
class BatchItems {
 public:
  explicit BatchItems(BatchRequest& request) noexcept : request_(request) {}

  void add(const Node& item, std::size_t index) {
    constexpr std::size_t problems_max = 10'000;
    Spelling& spelling = request_.spellings.emplace_back();
    Parsed<Operation> read = read_item(item, item_pointer(index), spelling);
    if (!read) {
      InvalidRequest all = std::move(read).error();
      if (problem_count_ > problems_max) all.problems.resize(1);
      problem_count_ += all.problems.size();
      read = std::move(all);
    }
    request_.operations.push_back(std::move(read));
  }

 private:
  BatchRequest& request_;
  std::size_t problem_count_ = 0;
};

}  // namespace

Parsed<OperationRequest> parse_operation(std::string_view body, const OperationContext& context) {
  if (body.empty() && may_be_empty(context.type)) body = "{}";
  Parsed<Node> document = parse_document(body);
  if (!document) return std::move(document).error();
  Problems problems;
  Fields fields(document.value(), "", problems);
  OperationRequest request;
  request.operation = read_operation(fields, context, "", request.spelling);
  request.strategy = read_strategy(fields);
  request.dry_run = fields.boolean("dry_run").value_or(false);
  fields.finish();
  if (!problems.empty()) return invalid(std::move(problems), request.operation.id);
  return request;
}

std::string item_pointer(std::size_t index) {
  return pointer_to(batch_pointer, index);
}

std::optional<std::size_t> item_of(std::string_view pointer) {
  if (!pointer.starts_with(batch_pointer)) return std::nullopt;
  pointer.remove_prefix(batch_pointer.size());
  if (!pointer.starts_with('/')) return std::nullopt;
  pointer.remove_prefix(1);
  const auto index = parse_unsigned(pointer.substr(0, pointer.find('/')));
  if (!index) return std::nullopt;
  return static_cast<std::size_t>(*index);
}

Parsed<BatchRequest> parse_batch(std::string_view body) {
  BatchRequest request;
  BatchItems items(request);
  const auto take = [&items](const Node& item, std::size_t index) { items.add(item, index); };
  const Parsed<Node> document = parse_document(
      body,
      {.key = batch_key, .items_max = batch_max, .item_nodes_max = item_nodes_max, .take = take});
  if (!document) return document.error();
  Problems problems;
  Fields fields(document.value(), "", problems);
  static_cast<void>(fields.array(batch_key, Presence::required, 1, batch_max));
  const bool is_atomic = fields.boolean("atomic").value_or(false);
  request.atomicity = is_atomic ? Atomicity::all_or_none : Atomicity::independent;
  request.strategy = read_strategy(fields);
  request.dry_run = fields.boolean("dry_run").value_or(false);
  fields.finish();
  if (!problems.empty()) return InvalidRequest{std::move(problems)};
  return request;
}

}  // namespace mizan::json
