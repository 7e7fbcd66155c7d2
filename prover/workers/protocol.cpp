#include "prover/workers/protocol.hpp"

#include "mizan/code.hpp"

#include "base/match.hpp"

#include <charconv>
#include <memory>
#include <optional>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::string_view absent = "-";

/// Reads field after field; the first that is missing or malformed spoils the whole line.
class FieldReader {
 public:
  explicit FieldReader(std::string_view line) : fields_(split_fields(line)) {}

  std::string_view text() {
    if (next_ >= fields_.size()) {
      ok_ = false;
      return {};
    }
    return fields_[next_++];
  }

  std::int64_t number() {
    const std::string_view field = text();
    std::int64_t value = 0;
    const auto end = field.data() + field.size();
    const auto [stop, problem] = std::from_chars(field.data(), end, value);
    if (problem != std::errc{} || stop != end) ok_ = false;
    return value;
  }

  std::optional<std::int64_t> optional_number() {
    if (next_ < fields_.size() && fields_[next_] == absent) {
      ++next_;
      return std::nullopt;
    }
    return number();
  }

  std::string rest() {
    std::string joined;
    while (next_ < fields_.size()) {
      if (!joined.empty()) joined += ' ';
      joined += fields_[next_++];
    }
    return joined;
  }

  [[nodiscard]] bool at_end() const { return next_ >= fields_.size(); }

  [[nodiscard]] bool ok() const { return ok_; }

 private:
  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
  bool ok_ = true;
};

std::string text_or_absent(std::string_view text) {
  return std::string(text.empty() ? absent : text);
}

std::string_view absent_as_empty(std::string_view text) {
  return text == absent ? std::string_view{} : text;
}

template <class Number>
std::string number_or_absent(const std::optional<Number>& number) {
  if (!number) return std::string(absent);
  if constexpr (requires { number->value(); }) {
    return std::to_string(number->value());
  } else {
    return std::to_string(*number);
  }
}

std::optional<MinorUnits> read_units(FieldReader& reader) {
  const auto number = reader.optional_number();
  return number ? std::optional(MinorUnits{*number}) : std::nullopt;
}

std::optional<std::uint64_t> read_version(FieldReader& reader) {
  const auto number = reader.optional_number();
  return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

Error malformed(std::string_view line) {
  return internal_error("prover: line protocol", "malformed line: " + std::string(line));
}

std::string encode_receipt(const Receipt& receipt) {
  std::string line = receipt.id.str() + ' ' + std::string(to_string(receipt.type)) + ' ' +
                     std::to_string(receipt.applied_at.time_since_epoch().count());
  for (const LegReceipt& leg : receipt.legs) {
    line += ' ' + leg.from.str() + ' ' + leg.to.str() + ' ' + std::to_string(leg.amount.value()) +
            ' ' + leg.currency.str() + ' ' + number_or_absent(leg.from_balance) + ' ' +
            number_or_absent(leg.from_version) + ' ' + number_or_absent(leg.to_balance) + ' ' +
            number_or_absent(leg.to_version);
  }
  return line;
}

Receipt read_receipt(FieldReader& reader) {
  Receipt receipt;
  receipt.id = OperationId{reader.text()};
  receipt.type = parse_operation_type(reader.text()).value_or(OperationType::transfer);
  receipt.applied_at = Timestamp{std::chrono::microseconds{reader.number()}};
  while (reader.ok() && !reader.at_end()) {
    LegReceipt leg;
    leg.from = WalletId{reader.text()};
    leg.to = WalletId{reader.text()};
    leg.amount = MinorUnits{reader.number()};
    leg.currency = CurrencyCode{reader.text()};
    leg.from_balance = read_units(reader);
    leg.from_version = read_version(reader);
    leg.to_balance = read_units(reader);
    leg.to_version = read_version(reader);
    receipt.legs.push_back(leg);
  }
  return receipt;
}

std::string encode_refusal(const Refused& refused) {
  const Refusal& refusal = *refused.refusal;
  std::string line = "refused " + std::string(to_string(refusal.code)) + ' ' +
                     (refused.replayed ? '1' : '0') + ' ' + number_or_absent(refusal.available) +
                     ' ' + number_or_absent(refusal.needed) + ' ' +
                     number_or_absent(refusal.newest_token);
  return line + ' ' + text_or_absent(refusal.detail);
}

Result<Outcome> read_refusal(FieldReader& reader, std::string_view line) {
  Refusal refusal;
  const auto code = parse_code(reader.text());
  const bool replayed = reader.number() != 0;
  refusal.available = read_units(reader);
  refusal.needed = read_units(reader);
  const auto newest = reader.optional_number();
  if (newest) refusal.newest_token = FenceToken{*newest};
  refusal.detail = std::string(absent_as_empty(reader.rest()));
  if (!code || !reader.ok()) return malformed(line);
  refusal.code = *code;
  return Outcome{Refused{std::make_shared<const Refusal>(std::move(refusal)), replayed}};
}

Result<Outcome> read_error(FieldReader& reader, std::string_view line) {
  const auto code = parse_code(reader.text());
  const auto certainty = reader.number() == 0 ? Certainty::not_applied : Certainty::unknown;
  if (!code || !reader.ok()) return malformed(line);
  return Error{*code, certainty, Retry::after_backoff, "owner", reader.rest()};
}

}  // namespace

std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    const std::size_t space = line.find(' ');
    fields.push_back(line.substr(0, space));
    if (space == std::string_view::npos) break;
    line.remove_prefix(space + 1);
  }
  return fields;
}

std::string encode_request(std::size_t ledger, const Operation& operation) {
  std::string line = std::to_string(ledger) + ' ' + operation.id.str() + ' ' +
                     std::string(to_string(type_of(operation.body)));
  const auto leg_fields = [](const WalletId& from, const WalletId& to, MinorUnits amount) {
    return ' ' + text_or_absent(from.view()) + ' ' + text_or_absent(to.view()) + ' ' +
           std::to_string(amount.value());
  };
  std::string legs;
  std::size_t count = 1;
  if (const auto* transfer = std::get_if<Transfer>(&operation.body)) {
    count = transfer->legs.size();
    for (const Leg& leg : transfer->legs) legs += leg_fields(leg.from, leg.to, leg.amount);
  } else if (const auto* deposit = std::get_if<Deposit>(&operation.body)) {
    legs = leg_fields({}, deposit->wallet, deposit->amount);
  } else if (const auto* withdraw = std::get_if<Withdraw>(&operation.body)) {
    legs = leg_fields(withdraw->wallet, {}, withdraw->amount);
  }
  line += ' ' + std::to_string(count) + legs;
  for (const Fence& fence : operation.fences) {
    line += ' ' + fence.resource.str() + ' ' + std::to_string(fence.token.value()) + ' ' +
            text_or_absent(fence.owner.view());
  }
  return line;
}

Result<ApplyRequest> decode_request(std::string_view line) {
  FieldReader reader(line);
  ApplyRequest request;
  request.ledger = static_cast<std::size_t>(reader.number());
  request.operation.id = OperationId{reader.text()};
  const auto type = parse_operation_type(reader.text());
  const std::int64_t count = reader.number();
  std::vector<Leg> legs;
  for (std::int64_t index = 0; index < count && reader.ok(); ++index) {
    Leg leg;
    leg.from = WalletId{absent_as_empty(reader.text())};
    leg.to = WalletId{absent_as_empty(reader.text())};
    leg.amount = MinorUnits{reader.number()};
    legs.push_back(leg);
  }
  while (reader.ok() && !reader.at_end()) {
    Fence fence;
    fence.resource = Resource{reader.text()};
    fence.token = FenceToken{reader.number()};
    fence.owner = LockOwner{absent_as_empty(reader.text())};
    request.operation.fences.push_back(fence);
  }
  if (!type || !reader.ok() || legs.empty()) return malformed(line);
  if (*type == OperationType::deposit) {
    request.operation.body = Deposit{legs.front().to, legs.front().amount, {}};
  } else if (*type == OperationType::withdraw) {
    request.operation.body = Withdraw{legs.front().from, legs.front().amount, {}};
  } else if (*type == OperationType::transfer) {
    request.operation.body = Transfer{std::move(legs)};
  } else {
    return malformed(line);
  }
  return request;
}

std::string encode_answer(const Result<Outcome>& answer) {
  if (!answer) {
    const Error& error = answer.error();
    return "error " + std::string(to_string(error.code)) + ' ' +
           (error.certainty == Certainty::unknown ? '1' : '0') + ' ' + error.where + ": " +
           error.detail;
  }
  return std::visit(
      Match{[](const Applied& applied) { return "applied " + encode_receipt(applied.receipt); },
            [](const AlreadyApplied& again) {
              return "already_applied " + encode_receipt(again.receipt);
            },
            [](const Refused& refused) { return encode_refusal(refused); }},
      *answer);
}

Result<Outcome> decode_answer(std::string_view line) {
  FieldReader reader(line);
  const std::string_view kind = reader.text();
  if (kind == "refused") return read_refusal(reader, line);
  if (kind == "error") return read_error(reader, line);
  if (kind != "applied" && kind != "already_applied") return malformed(line);
  Receipt receipt = read_receipt(reader);
  if (!reader.ok()) return malformed(line);
  if (kind == "applied") return Outcome{Applied{std::move(receipt)}};
  return Outcome{AlreadyApplied{std::move(receipt)}};
}

}  // namespace mizan::prover
