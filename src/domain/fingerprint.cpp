#include "domain/fingerprint.hpp"

#include "base/hash.hpp"
#include "base/match.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan::domain {
namespace {

constexpr char encoding_version = 1;

/// A currency that is stated is what the caller expects, as a condition is: the same money may be
/// asked for with it and without, and `states_other_currency` finds one that contradicts. Its place
/// in the encoding stays empty.
constexpr std::string_view no_currency;

/// Writes fields so that no two different sequences of fields give the same bytes: texts carry
/// their length, numbers are eight bytes, what is absent is marked.
class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}

  void byte(char value) { out_.push_back(value); }

  void number(std::uint64_t value) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<char>((value >> (8 * i)) & 0xff);
    }
    out_.append(bytes.data(), bytes.size());
  }

  void amount(MinorUnits value) { number(static_cast<std::uint64_t>(value.value())); }

  void text(std::string_view value) {
    out_.push_back(static_cast<char>(value.size() & 0xff));
    out_.push_back(static_cast<char>((value.size() >> 8) & 0xff));
    out_.append(value);
  }

 private:
  std::string& out_;
};

void encode_leg(Encoder& to, const Leg& leg) {
  to.text(leg.from.view());
  to.text(leg.to.view());
  to.amount(leg.amount);
  to.text(no_currency);
}

void encode_body(Encoder& to, const OperationBody& body) {
  std::visit(Match{[&](const Transfer& transfer) {
                     to.number(transfer.legs.size());
                     for (const Leg& leg : transfer.legs) encode_leg(to, leg);
                   },
                   [&](const Deposit& deposit) {
                     to.text(deposit.wallet.view());
                     to.amount(deposit.amount);
                     to.text(no_currency);
                   },
                   [&](const Withdraw& withdraw) {
                     to.text(withdraw.wallet.view());
                     to.amount(withdraw.amount);
                     to.text(no_currency);
                   },
                   [&](const CreateHold& hold) {
                     to.text(hold.wallet.view());
                     to.amount(hold.amount);
                     to.text(hold.to.view());
                     to.byte(hold.expires_in ? 1 : 0);
                     if (hold.expires_in) {
                       to.number(static_cast<std::uint64_t>(hold.expires_in->count()));
                     }
                     to.text(no_currency);
                   },
                   [&](const CaptureHold& capture) {
                     to.text(capture.hold.view());
                     to.byte(capture.amount ? 1 : 0);
                     if (capture.amount) to.amount(*capture.amount);
                   },
                   [&](const VoidHold& voided) { to.text(voided.hold.view()); },
                   [&](const Reverse& reverse) { to.text(reverse.operation.view()); }},
             body);
}

bool differ(const CurrencyCode& stated, const CurrencyCode& applied) {
  return !stated.empty() && stated != applied;
}

bool legs_differ(const std::vector<Leg>& stated, const std::vector<LegReceipt>& applied) {
  return !std::equal(
      stated.begin(),
      stated.end(),
      applied.begin(),
      applied.end(),
      [](const Leg& a, const LegReceipt& b) { return !differ(a.currency, b.currency); });
}

bool leg_differs(const CurrencyCode& stated, const std::vector<LegReceipt>& applied) {
  return !applied.empty() && differ(stated, applied.front().currency);
}

}  // namespace

bool states_other_currency(const OperationBody& body, const Receipt& receipt) {
  if (const auto* transfer = std::get_if<Transfer>(&body)) {
    return !receipt.legs.empty() && legs_differ(transfer->legs, receipt.legs);
  }
  if (const auto* deposit = std::get_if<Deposit>(&body)) {
    return leg_differs(deposit->currency, receipt.legs);
  }
  if (const auto* withdraw = std::get_if<Withdraw>(&body)) {
    return leg_differs(withdraw->currency, receipt.legs);
  }
  const auto* hold = std::get_if<CreateHold>(&body);
  return hold != nullptr && receipt.hold != nullptr &&
         differ(hold->currency, receipt.hold->currency);
}

Fingerprint fingerprint_of(const Operation& operation) {
  thread_local std::string buffer;
  buffer.clear();
  Encoder encoder(buffer);
  encoder.byte(encoding_version);
  encoder.byte(static_cast<char>(type_of(operation.body)));
  encode_body(encoder, operation.body);
  for (const auto& [key, value] : operation.metadata.items()) {
    encoder.text(key);
    encoder.text(value);
  }
  return blake2b_128(std::as_bytes(std::span(buffer)));
}

}  // namespace mizan::domain
