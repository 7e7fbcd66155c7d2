// I9 and I13: reserved money, and what readers see while others write.

#include "prover/checkers/checkers.hpp"
#include "prover/checkers/result.hpp"

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <variant>

namespace mizan::prover {

namespace {

/// How long an open hold may outlive its deadline before somebody ends it.
constexpr std::chrono::seconds expiry_grace{5};

/// What the clients captured of each hold, by their receipts; each capture counts once.
std::map<OperationId, WideUnits> captured_by_receipts(const Evidence& evidence) {
  std::map<OperationId, WideUnits> captured;
  std::set<OperationId> seen;
  for (const Call& call : evidence.calls) {
    const auto* capture = std::get_if<CaptureHold>(&call.operation.body);
    if (capture == nullptr || !call.receipt || !seen.insert(call.operation.id).second) continue;
    for (const LegReceipt& leg : call.receipt->legs) captured[capture->hold] += leg.amount.value();
  }
  return captured;
}

void check_hold(const HoldRecord& hold, Timestamp now, WideUnits captured, CheckResult& result) {
  const std::string name = "hold " + hold.id.str();
  expect(result,
         hold.captured.value() >= 0 && hold.captured <= hold.amount,
         name + ": " + digits(hold.captured) + " captured of " + digits(hold.amount));
  expect(result,
         captured == hold.captured.value(),
         name + ": receipts say " + to_string(captured) + " captured, the hold says " +
             digits(hold.captured));
  if (hold.status != HoldStatus::open) return;
  expect(result,
         !hold.expires_at || *hold.expires_at + expiry_grace >= now,
         name + " is still open long after its deadline");
}

}  // namespace

CheckResult check_holds(const Evidence& evidence) {
  CheckResult result = result_for("I9");
  const auto captured = captured_by_receipts(evidence);
  std::map<WalletNumber, WideUnits> open;
  for (const HoldRecord& hold : evidence.image.holds) {
    const auto found = captured.find(hold.id);
    check_hold(hold, evidence.image.taken_at, found == captured.end() ? 0 : found->second, result);
    if (hold.status == HoldStatus::open) {
      open[hold.wallet] += hold.amount.value() - hold.captured.value();
    }
  }
  for (const WalletImage& wallet : evidence.image.wallets) {
    if (wallet.held.value() == 0 && !open.contains(wallet.number)) continue;
    expect(result,
           open[wallet.number] == wallet.held.value(),
           "wallet " + wallet.id.str() + " says that " + digits(wallet.held) +
               " is held, its open holds add up to " + to_string(open[wallet.number]));
  }
  return result;
}

CheckResult check_readings(const Evidence& evidence) {
  CheckResult result = result_for("I13");
  for (const Reading& reading : evidence.readings) {
    for (const Reading::Line& line : reading.lines) {
      expect(result,
             line.balance == line.entry_balance,
             "a reader saw wallet " + line.wallet.str() + " with " + digits(line.balance) +
                 " beside an entry that left " + digits(line.entry_balance));
    }
    if (!reading.expected_sum) continue;
    expect(result,
           reading.sum == *reading.expected_sum,
           "a reader saw " + to_string(reading.sum) + " in all, it is always " +
               to_string(*reading.expected_sum));
  }
  return result;
}

}  // namespace mizan::prover
