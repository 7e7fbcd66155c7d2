#include "tests/conformance/store_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>

namespace mizan::conformance {
namespace {

std::map<std::string, StoreCandidate, std::less<>>& candidates() {
  static std::map<std::string, StoreCandidate, std::less<>> all;
  return all;
}

std::string or_dash(const std::optional<MinorUnits>& units) {
  return units ? std::to_string(units->value()) : "-";
}

std::string or_dash(const std::optional<std::uint64_t>& number) {
  return number ? std::to_string(*number) : "-";
}

std::string or_dash(const std::optional<Timestamp>& time) {
  return time ? to_rfc3339(*time) : "-";
}

std::unique_ptr<Store> open_migrated(const StoreCandidate& candidate, const StorePlace& place) {
  std::unique_ptr<Store> store = must(candidate.open(place));
  static_cast<void>(must(store->migrate()));
  return store;
}

void list_wallets(Snapshot& snapshot, std::ostream& out) {
  std::optional<WalletId> after;
  do {
    auto page = must(snapshot.list_wallets(after, 1'000));
    for (const Wallet& wallet : page.items) out << text_of(wallet) << '\n';
    after = page.next;
  } while (after);
}

void list_states(Snapshot& snapshot, std::ostream& out) {
  std::optional<WalletNumber> after = WalletNumber{0};
  do {
    auto page = must(snapshot.read_states(*after, 10'000));
    for (const WalletState& state : page.items) {
      out << "state " << state.number.value() << ' ' << state.id.view() << ' '
          << state.balance.value() << ' ' << state.held.value() << ' ' << state.version << ' '
          << state.revision << ' ' << to_rfc3339(state.last_entry_at) << '\n';
    }
    after = page.next;
  } while (after);
}

/// The legs and, by them, the operations that moved money.
void list_journal(Snapshot& snapshot, std::ostream& out) {
  std::optional<Sequence> after = Sequence{0};
  std::optional<OperationId> last;
  do {
    auto page = must(snapshot.read_journal(*after, 10'000));
    for (const JournalLeg& leg : page.items) {
      out << text_of(leg) << '\n';
      if (last == leg.operation) continue;
      last = leg.operation;
      out << text_of(must_have(snapshot.find_operation(leg.operation))) << '\n';
    }
    after = page.next;
  } while (after);
}

void list_holds(Snapshot& snapshot, std::ostream& out) {
  std::optional<OperationId> after;
  do {
    auto page = must(snapshot.read_holds(after, 10'000));
    for (const HoldRecord& hold : page.items) {
      out << text_of(must_have(snapshot.find_hold(hold.id))) << '\n';
    }
    after = page.next;
  } while (after);
}

}  // namespace

std::string describe(const Error& error) {
  return std::string(to_string(error.code)) + " at " + error.where + ": " + error.detail;
}

void stop_test(const std::string& why, const std::source_location& where) {
  throw TestStopped(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " +
                    why);
}

Deadline soon(std::int64_t seconds) {
  return system_clock().now() + std::chrono::seconds(seconds);
}

std::string text_of(const Wallet& wallet) {
  std::ostringstream out;
  out << "wallet " << wallet.id.view() << ' ' << wallet.currency.code.view() << '/'
      << static_cast<int>(wallet.currency.exponent) << " balance " << wallet.balance.value()
      << " held " << wallet.held.value() << " min " << or_dash(wallet.min_balance) << ' '
      << to_string(wallet.status) << " version " << wallet.version << ' '
      << encode_metadata(wallet.metadata) << ' ' << to_rfc3339(wallet.created_at);
  return out.str();
}

std::string text_of(const Hold& hold) {
  std::ostringstream out;
  out << "hold " << hold.id.view() << ' ' << hold.wallet.view() << " -> " << hold.to.view() << ' '
      << hold.amount.value() << ' ' << hold.currency.view() << " captured " << hold.captured.value()
      << ' ' << to_string(hold.status) << " until " << or_dash(hold.expires_at) << " from "
      << to_rfc3339(hold.created_at);
  return out.str();
}

std::string text_of(const Entry& entry) {
  std::ostringstream out;
  out << "entry " << entry.wallet.view() << ' ' << entry.version << ' ' << entry.operation.view()
      << ' ' << to_string(entry.type) << ' ' << entry.change.value() << " balance "
      << entry.balance.value() << " with " << entry.counterparty.view() << ' '
      << to_rfc3339(entry.at) << ' ' << encode_metadata(entry.metadata);
  return out.str();
}

std::string text_of(const JournalLeg& leg) {
  std::ostringstream out;
  out << "leg " << leg.sequence.value() << ' ' << leg.operation.view() << ' ' << to_string(leg.type)
      << ' ' << to_rfc3339(leg.at) << ' ' << leg.from.value() << " -> " << leg.to.value() << ' '
      << leg.amount.value() << " from " << leg.from_balance.value() << '/' << leg.from_version
      << " to " << leg.to_balance.value() << '/' << leg.to_version << ' '
      << encode_metadata(leg.metadata);
  return out.str();
}

std::string text_of(const RecordedOperation& operation) {
  std::ostringstream out;
  out << "operation ";
  for (const std::byte byte : operation.fingerprint) out << std::to_integer<int>(byte) << '.';
  if (operation.refusal) {
    out << " refused " << to_string(operation.refusal->code) << ' ' << operation.refusal->detail
        << ' ' << operation.refusal->pointer << ' '
        << (operation.refusal->wallet ? operation.refusal->wallet->view() : "-") << ' '
        << or_dash(operation.refusal->available) << ' ' << or_dash(operation.refusal->needed);
    return out.str();
  }
  const Receipt& receipt = operation.receipt;
  out << ' ' << receipt.id.view() << ' ' << to_string(receipt.type) << ' '
      << to_rfc3339(receipt.applied_at) << ' ' << encode_metadata(receipt.metadata);
  for (const LegReceipt& leg : receipt.legs) {
    out << " [" << leg.from.view() << " -> " << leg.to.view() << ' ' << leg.amount.value() << ' '
        << leg.currency.view() << " from " << or_dash(leg.from_balance) << '/'
        << or_dash(leg.from_version) << " to " << or_dash(leg.to_balance) << '/'
        << or_dash(leg.to_version) << ']';
  }
  if (receipt.hold) out << ' ' << text_of(*receipt.hold);
  if (receipt.reverses) out << " reverses " << receipt.reverses->view();
  if (receipt.reversed_by) out << " reversed by " << receipt.reversed_by->view();
  return out.str();
}

std::string everything_in(Store& store) {
  const std::unique_ptr<Snapshot> snapshot = must(store.snapshot());
  std::ostringstream out;
  for (const Currency& currency : must(snapshot->list_currencies())) {
    out << "currency " << currency.code.view() << ' ' << static_cast<int>(currency.exponent)
        << '\n';
  }
  list_wallets(*snapshot, out);
  list_states(*snapshot, out);
  list_journal(*snapshot, out);
  list_holds(*snapshot, out);
  return out.str();
}

void StoreConformance::SetUp() {
  if (is_there(GetParam().needs)) open_empty();
}

StorePlace StoreConformance::place() const {
  return {directory_.path() / std::to_string(stores_opened_), &system_clock(), {}};
}

void StoreConformance::reopen() {
  close();
  store_ = open_migrated(GetParam(), place());
}

void StoreConformance::open_empty() {
  close();
  ++stores_opened_;
  std::filesystem::create_directory(place().directory);
  store_ = open_migrated(GetParam(), place());
}

void StoreConformance::create(std::initializer_list<NewWallet> wallets) {
  auto transaction = begin();
  for (const NewWallet& wallet : wallets) {
    if (!must(transaction->insert_wallet(wallet, test_epoch()))) {
      stop_test("the wallet exists", std::source_location::current());
    }
  }
  must(transaction->commit());
}

void StoreConformance::create_with(std::string_view id, std::int64_t amount) {
  create({wallet(id)});
  if (amount > 0) deposit("fund-" + std::string(id), id, amount);
}

void StoreConformance::deposit(std::string_view id, std::string_view wallet, std::int64_t amount) {
  apply({wallet}, [&](PlanBuilder& plan) { plan.deposit(id, wallet, amount); });
}

void StoreConformance::transfer(std::string_view id,
                                std::string_view from,
                                std::string_view to,
                                std::int64_t amount) {
  apply({from, to}, [&](PlanBuilder& plan) { plan.transfer(id, from, to, amount); });
}

Wallet StoreConformance::wallet_now(std::string_view id) {
  return must_have(snapshot()->find_wallet(WalletId(id)));
}

std::vector<WalletState> StoreConformance::load(Transaction& transaction,
                                                std::initializer_list<std::string_view> ids,
                                                LoadLock lock) {
  std::vector<WalletId> wallets;
  for (const std::string_view id : ids) wallets.emplace_back(id);
  std::vector<WalletState> states;
  for (auto& state : must(transaction.load_wallets(wallets, lock))) {
    if (!state) stop_test("a wallet is not there", std::source_location::current());
    states.push_back(*state);
  }
  return states;
}

RecordedOperation StoreConformance::recorded(Snapshot& snapshot, std::string_view id) {
  return must_have(snapshot.find_operation(OperationId(id)));
}

std::optional<RecordedOperation> StoreConformance::claim(Transaction& transaction,
                                                         std::string_view id) {
  const OperationId operation(id);
  const OperationId* ids[] = {&operation};
  auto answers = must(transaction.claim(ids));
  if (answers.empty()) return std::nullopt;
  if (answers.size() != 1 || answers.front().index != 0) {
    stop_test("one answer per recorded id", std::source_location::current());
  }
  return std::move(answers.front().recorded);
}

void StoreConformance::NoTrace::check(const std::source_location& where) const {
  EXPECT_EQ(before_, everything_in(store_)) << where.file_name() << ':' << where.line();
}

std::string name_of(const ::testing::TestParamInfo<StoreCandidate>& info) {
  return info.param.name;
}

void register_candidate(const StoreCandidate& candidate) {
  candidates().insert_or_assign(candidate.name, candidate);
}

const StoreCandidate* find_candidate(std::string_view name) {
  const auto found = candidates().find(name);
  return found == candidates().end() ? nullptr : &found->second;
}

}  // namespace mizan::conformance
