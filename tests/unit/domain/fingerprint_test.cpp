#include "domain/fingerprint.hpp"

#include "base/hash.hpp"
#include "testkit/builders.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mizan::domain {
namespace {

using testkit::capture;
using testkit::deposit;
using testkit::hold;
using testkit::OperationBuilder;
using testkit::reverse;
using testkit::transfer;
using testkit::void_hold;
using testkit::withdraw;

/// The same request with its currency stated.
Operation in_euros(Operation operation) {
  const CurrencyCode euro{"EUR"};
  if (auto* deposit = std::get_if<Deposit>(&operation.body)) deposit->currency = euro;
  if (auto* withdraw = std::get_if<Withdraw>(&operation.body)) withdraw->currency = euro;
  if (auto* hold = std::get_if<CreateHold>(&operation.body)) hold->currency = euro;
  return operation;
}

/// Requests of which no two have the same content.
std::vector<Operation> different_requests() {
  std::vector<Operation> all{
      transfer("x", "a", "b", 1),
      transfer("x", "a", "b", 2),
      transfer("x", "a", "bc", 1),
      transfer("x", "ab", "c", 1),
      transfer("x", "b", "a", 1),
      transfer("x", {{"a", "b", 1}, {"a", "b", 1}}),
      transfer("x", {{"a", "b", 1}, {"b", "a", 1}}),
      transfer("x", {{"b", "a", 1}, {"a", "b", 1}}),
      transfer("x", "a", "b", 1).with("k", "v"),
      transfer("x", "a", "b", 1).with("k", "w"),
      transfer("x", "a", "b", 1).with("l", "v"),
      transfer("x", "a", "b", 1).with("kv", ""),
      transfer("x", "a", "b", 1).with("k", "").with("v", ""),
      transfer("x", "a", "b", 1).with("k", "v").with("l", "v"),
      deposit("x", "a", 1),
      deposit("x", "a", -1),
      deposit("x", "b", 1),
      withdraw("x", "a", 1),
      hold("x", "a", 1),
      hold("x", "a", 1).to("b"),
      hold("x", "a", 1).expires_in(std::chrono::microseconds(1)),
      hold("x", "a", 1).expires_in(std::chrono::seconds(1)),
      capture("x", "a"),
      capture("x", "a", 0),
      capture("x", "a", 1),
      capture("x", "b"),
      void_hold("x", "a"),
      void_hold("x", "b"),
      reverse("x", "a"),
      reverse("x", "b"),
  };
  return all;
}

TEST(Fingerprint, tells_every_content_from_every_other) {
  const std::vector<Operation> requests = different_requests();
  std::map<Fingerprint, std::size_t> seen;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto [place, is_new] = seen.emplace(fingerprint_of(requests[i]), i);
    EXPECT_TRUE(is_new) << "requests " << place->second << " and " << i << " look the same";
  }
}

TEST(Fingerprint, does_not_depend_on_id_conditions_fences_or_the_order_of_notes) {
  const Fingerprint plain =
      fingerprint_of(transfer("x", "a", "b", 1).with("k", "v").with("l", "w"));
  EXPECT_EQ(fingerprint_of(transfer("y", "a", "b", 1).with("l", "w").with("k", "v")), plain);
  EXPECT_EQ(fingerprint_of(transfer("x", "a", "b", 1)
                               .with("k", "v")
                               .with("l", "w")
                               .fence("door", 7, "me")
                               .if_version("a", 3)),
            plain);
}

TEST(Fingerprint, does_not_depend_on_whether_the_currency_is_stated) {
  EXPECT_EQ(fingerprint_of(transfer("x", {{"a", "b", 1, "EUR"}})),
            fingerprint_of(transfer("x", "a", "b", 1)));
  EXPECT_EQ(fingerprint_of(in_euros(deposit("x", "a", 1))), fingerprint_of(deposit("x", "a", 1)));
  EXPECT_EQ(fingerprint_of(in_euros(withdraw("x", "a", 1))), fingerprint_of(withdraw("x", "a", 1)));
  EXPECT_EQ(fingerprint_of(in_euros(hold("x", "a", 1))), fingerprint_of(hold("x", "a", 1)));
}

TEST(StatesOtherCurrency, is_found_in_any_leg_and_on_a_hold) {
  Receipt receipt;
  LegReceipt leg;
  leg.currency = CurrencyCode{"EUR"};
  receipt.legs = {leg, leg};
  EXPECT_FALSE(states_other_currency(
      Operation(transfer("x", {{"a", "b", 1, "EUR"}, {"a", "b", 1}})).body, receipt));
  EXPECT_TRUE(states_other_currency(
      Operation(transfer("x", {{"a", "b", 1}, {"a", "b", 1, "USD"}})).body, receipt));
  EXPECT_FALSE(states_other_currency(in_euros(deposit("x", "a", 1)).body, receipt));
  EXPECT_FALSE(states_other_currency(in_euros(withdraw("x", "a", 1)).body, receipt));
  receipt.legs.front().currency = CurrencyCode{"JPY"};
  EXPECT_TRUE(states_other_currency(in_euros(deposit("x", "a", 1)).body, receipt));
  EXPECT_TRUE(states_other_currency(in_euros(withdraw("x", "a", 1)).body, receipt));
  Hold held;
  held.currency = CurrencyCode{"JPY"};
  receipt.hold = std::make_shared<const Hold>(held);
  EXPECT_TRUE(states_other_currency(in_euros(hold("x", "a", 1)).body, receipt));
  EXPECT_FALSE(states_other_currency(Operation(hold("x", "a", 1)).body, receipt));
}

TEST(Fingerprint, is_the_hash_of_an_encoding_that_is_written_down) {
  // Version 1, type 1 (transfer), one leg: texts with a length of two bytes, numbers of eight
  // bytes, the least significant first; the place of a currency is empty. Stored fingerprints must
  // stay what they are for ever.
  const std::string encoded =
      std::string("\x01\x01", 2) + std::string("\x01\0\0\0\0\0\0\0", 8) + std::string("\x05\0", 2) +
      "alice" + std::string("\x03\0", 2) + "bob" + std::string("\x3c\0\0\0\0\0\0\0", 8) +
      std::string("\0\0", 2) + std::string("\x03\0", 2) + "why" + std::string("\x04\0", 2) + "rent";
  const Operation operation = transfer("op-1", {{"alice", "bob", 60, "EUR"}}).with("why", "rent");
  EXPECT_EQ(fingerprint_of(operation), blake2b_128(std::as_bytes(std::span(encoded))));
}

}  // namespace
}  // namespace mizan::domain
