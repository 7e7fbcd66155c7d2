#include "tests/golden/runner.hpp"

#include "tests/golden/receipt_text.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace mizan::golden {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> facts_of(const Refusal& refusal) {
  std::vector<std::string> facts;
  for (const ConditionFailure& failure : refusal.failures) {
    facts.insert(facts.end(), {failure.field, failure.expected, failure.actual});
  }
  if (!facts.empty()) return facts;
  if (refusal.newest_token) facts.push_back(std::to_string(refusal.newest_token->value()));
  if (refusal.available) facts.push_back(std::to_string(refusal.available->value()));
  if (refusal.needed) facts.push_back(std::to_string(refusal.needed->value()));
  if (facts.empty() && refusal.wallet) facts.push_back(refusal.wallet->str());
  return facts;
}

Answer answer_of(const Refusal& refusal, bool replayed) {
  Answer answer;
  answer.code = to_string(refusal.code);
  answer.facts = facts_of(refusal);
  answer.pointer = refusal.pointer;
  answer.again = replayed;
  return answer;
}

Answer answer_of(const Result<Outcome>& result) {
  Answer answer;
  if (!result) {
    answer.code = to_string(result.error().code);
    answer.pointer = result.error().where;
    return answer;
  }
  if (const auto* refused = std::get_if<Refused>(&*result)) {
    return answer_of(*refused->refusal, refused->replayed);
  }
  answer.code = code_of(*result) == Code::applied ? "applied" : "replayed";
  return answer;
}

/// The answer in the words of a line, with the parts that the line asks for.
std::string text_of(const Answer& answer, const Answer& asked) {
  std::string text = answer.code;
  if (!asked.facts.empty()) text += " " + joined(answer.facts);
  if (asked.pointer) text += " at " + answer.pointer.value_or("nothing");
  if (answer.again) text += " again";
  return text;
}

std::optional<Code> code_named(const std::string& word) {
  return parse_code(word == "replayed" ? "already_applied" : word);
}

/// Wrong answers in a table would be taken for the truth, so their codes must exist, and what
/// stands after `over` must come later in the order of precedence.
void check_spelling(const Line& line, const Answer& answer) {
  const auto code = code_named(answer.code);
  if (!code) throw BadTable(line, "no such answer: " + answer.code);
  if (!answer.over) return;
  const auto over = code_named(*answer.over);
  if (!over) throw BadTable(line, "no such answer: " + *answer.over);
  if (*over <= *code) throw BadTable(line, answer.code + " does not precede " + *answer.over);
}

bool keeps_nothing(const Request& request, const Result<Outcome>& result) {
  if (request.dry_run || !result) return true;
  const auto* refused = std::get_if<Refused>(&*result);
  if (refused == nullptr) return false;
  return !request.final_refusals || !is_business_refusal(refused->refusal->code);
}

}  // namespace

Runner::Runner(const GoldenStore& store, Strategy strategy) : store_(store.open_empty(clock_)) {
  EXPECT_TRUE(store_->migrate());
  LedgerOptions options;
  options.strategy = strategy;
  ledger_ = std::make_unique<Ledger>(*store_, clock_, options);
}

void Runner::run(std::span<const Line> lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.words.back() != "{") {
      run_line(line);
      continue;
    }
    std::size_t end = i + 1;
    while (end < lines.size() && lines[end].words.front() != "}") ++end;
    if (end == lines.size()) throw BadTable(line, "a batch without an end");
    const bool together = line.words.front() == "together";
    run_batch(lines.subspan(i + 1, end - i - 1),
              together ? Atomicity::independent : Atomicity::all_or_none);
    i = end;
  }
  check_everything();
}

void Runner::run_line(const Line& line) {
  const std::string& verb = line.words.front();
  WalletPatch change;
  if (is_operation(line)) return run_operation(line);
  if (verb == "wallet") return create_wallet(line);
  if (verb == "currency") return add_currency(line);
  if (verb == "sum") return check_sum(line);
  if (verb == "state") return check_hold(line);
  if (verb == "trace") return check_trace(line);
  if (verb == "freeze") {
    change.status = WalletStatus::frozen;
    return patch(line, change);
  }
  if (verb == "unfreeze") {
    change.status = WalletStatus::active;
    return patch(line, change);
  }
  if (verb == "close") {
    change.status = WalletStatus::closed;
    return patch(line, change);
  }
  if (verb == "limit") {
    const std::string& word = line.words.at(2);
    change.min_balance =
        word == "none" ? MinBalance() : MinBalance(MinorUnits{read_amount(line, word)});
    return patch(line, change);
  }
  if (verb == "after") {
    clock_.advance(read_duration(line, line.words.at(1)));
    return;
  }
  if (verb == "clock-back") return clock_.jump_wall(-read_duration(line, line.words.at(1)));
  check_wallet(line);
}

CallOptions Runner::options_for(const Request& request) const {
  CallOptions options;
  options.dry_run = request.dry_run;
  if (request.final_refusals) options.refusals = RefusalMode::final;
  if (request.late) options.deadline = clock_.now();
  return options;
}

void Runner::run_operation(const Line& line) {
  const Request request = read_request(line);
  const Trace before = trace({&request, 1});
  const Result<Outcome> result = ledger_->apply(request.operation, options_for(request));
  check_answer(line, request, result);
  if (keeps_nothing(request, result)) expect_same(line, before, {&request, 1});
}

void Runner::run_batch(std::span<const Line> lines, Atomicity atomicity) {
  std::vector<Request> requests;
  std::vector<Operation> operations;
  for (const Line& line : lines) {
    requests.push_back(read_request(line));
    operations.push_back(requests.back().operation);
  }
  if (requests.empty()) return;
  const Trace before = trace(requests);
  const auto results = ledger_->apply_batch(operations, atomicity, options_for(requests.front()));
  if (results.size() != lines.size()) throw BadTable(lines.front(), "not one answer per line");
  bool nothing_kept = true;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    check_answer(lines[i], requests[i], results[i]);
    nothing_kept = nothing_kept && keeps_nothing(requests.front(), results[i]);
  }
  if (nothing_kept) expect_same(lines.front(), before, requests);
}

void Runner::check_answer(const Line& line, const Request& request, const Result<Outcome>& result) {
  const Answer expected = read_answer(line);
  check_spelling(line, expected);
  const Answer actual = answer_of(result);
  // An error of the store says more than its code.
  const std::string detail = result ? "" : ": " + result.error().detail;
  const bool as_expected = actual.code == expected.code;
  expect(
      line, text_of(expected, expected), text_of(actual, expected) + (as_expected ? "" : detail));
  if (result && !request.dry_run) check_receipt(line, request, *result);
}

void Runner::check_receipt(const Line& line, const Request& request, const Outcome& outcome) {
  const Receipt* receipt = receipt_of(outcome);
  if (receipt == nullptr) return;
  const std::string text = golden::text_of(*receipt);
  const auto [first, is_new] = receipts_.emplace(request.operation.id, text);
  if (!is_new) expect(line, first->second, text);
  auto recorded = snapshot()->find_operation(request.operation.id);
  if (!recorded || !*recorded) {
    expect(line, "the operation is recorded", "it is not");
    return;
  }
  expect(line, "recorded: " + text, "recorded: " + golden::text_of((*recorded)->receipt));
}

void Runner::create_wallet(const Line& line) {
  NewWallet wallet;
  wallet.id = WalletId{line.words.at(1)};
  wallet.currency = CurrencyCode{line.words.at(2)};
  std::int64_t balance = 0;
  std::size_t next = 3;
  if (next < line.words.size() && line.words[next] != "limit") {
    balance = read_amount(line, line.words[next++]);
  }
  if (next < line.words.size()) {
    const std::string& word = line.words.at(next + 1);
    wallet.min_balance =
        word == "none" ? MinBalance() : MinBalance(MinorUnits{read_amount(line, word)});
  }
  auto created = ledger_->create_wallet(wallet);
  if (!line.answer.empty()) {
    const std::string code(created ? (created->existed ? "existed" : "created")
                                   : to_string(created.error().code));
    return expect(line, joined(line.answer), code);
  }
  expect(line, "created", created ? "created" : created.error().detail);
  if (balance == 0) return;
  Operation seed;
  seed.id = OperationId{"seed:" + line.words[1].substr(0, 59)};
  seed.body = Deposit{wallet.id, MinorUnits{balance}, {}};
  auto seeded = ledger_->apply(seed);
  expect(
      line, "applied", seeded ? std::string(to_string(code_of(*seeded))) : seeded.error().detail);
}

void Runner::add_currency(const Line& line) {
  const auto exponent = static_cast<std::uint8_t>(read_amount(line, line.words.at(2)));
  auto added = ledger_->add_currency({CurrencyCode{line.words.at(1)}, exponent});
  const std::string expected = line.answer.empty() ? "added" : joined(line.answer);
  const std::string actual(added ? (*added ? "added" : "known") : to_string(added.error().code));
  expect(line, expected, actual);
}

void Runner::patch(const Line& line, const WalletPatch& patch) {
  auto patched = ledger_->patch_wallet(WalletId{line.words.at(1)}, patch);
  Answer actual;
  actual.code = "done";
  if (!patched) {
    actual.code = to_string(patched.error().code);
  } else if (const auto* refusal = std::get_if<Refusal>(&*patched)) {
    actual = answer_of(*refusal, false);
  }
  Answer expected;
  expected.code = "done";
  if (!line.answer.empty()) expected = read_answer(line);
  expect(line, text_of(expected, expected), text_of(actual, expected));
}

void Runner::check_wallet(const Line& line) {
  const std::string& verb = line.words.front();
  const Wallet wallet = find_wallet(line, line.words.at(1));
  const std::string& word = line.words.at(2);
  if (verb == "shows") {
    return expect(line, word, format_decimal(wallet.balance, wallet.currency.exponent));
  }
  const std::string expected = std::to_string(read_amount(line, word));
  if (verb == "balance") return expect(line, expected, std::to_string(wallet.balance.value()));
  if (verb == "held") return expect(line, expected, std::to_string(wallet.held.value()));
  if (verb == "version") return expect(line, expected, std::to_string(wallet.version));
  if (verb == "available") {
    const WideUnits available = WideUnits{wallet.balance.value()} - wallet.held.value();
    return expect(line, expected, to_string(available));
  }
  throw BadTable(line, "what is " + verb + "?");
}

void Runner::check_sum(const Line& line) {
  const CurrencyCode currency{line.words.at(1)};
  WideUnits sum = 0;
  const auto view = snapshot();
  std::optional<WalletId> after;
  do {
    auto page = view->list_wallets(after, 1'000);
    if (!page) throw BadTable(line, page.error().detail);
    for (const Wallet& wallet : page->items) {
      if (wallet.currency.code == currency) sum += wallet.balance.value();
    }
    after = page->next;
  } while (after);
  expect(line, std::to_string(read_amount(line, line.words.at(2))), to_string(sum));
  auto world = view->find_world(currency);
  if (!world) throw BadTable(line, world.error().detail);
  const WideUnits outside = *world ? (*world)->balance : WideUnits{0};
  expect(line,
         "all wallets and the world: 0",
         "all wallets and the world: " + to_string(sum + outside));
}

void Runner::check_hold(const Line& line) {
  auto found = snapshot()->find_hold(OperationId{line.words.at(1)});
  if (!found || !*found) return expect(line, "a hold", "nothing");
  const Hold& hold = **found;
  std::string actual(to_string(hold.status));
  if (line.words.size() > 3) actual += " " + std::to_string(remaining(hold).value());
  std::string expected = line.words.at(2);
  if (line.words.size() > 3) expected += " " + line.words[3];
  expect(line, expected, actual);
}

void Runner::check_trace(const Line& line) {
  expect(line, line.words.at(2), is_recorded(OperationId{line.words.at(1)}) ? "yes" : "no");
}

void Runner::check_everything() {
  auto report = verify(*store_);
  ASSERT_TRUE(report) << report.error().detail;
  for (const Violation& violation : report->violations) {
    ADD_FAILURE() << "in the end " << violation.invariant << " does not hold: wallet "
                  << violation.wallet << ": " << violation.detail;
  }
}

std::unique_ptr<Snapshot> Runner::snapshot() {
  auto view = ledger_->snapshot();
  if (!view) throw std::runtime_error(view.error().detail);
  return *std::move(view);
}

Wallet Runner::find_wallet(const Line& line, const std::string& id) {
  auto wallet = snapshot()->find_wallet(WalletId{id});
  if (!wallet || !*wallet) throw BadTable(line, "there is no wallet " + id);
  return **wallet;
}

std::string Runner::wallets_text() {
  std::string text;
  const auto view = snapshot();
  std::optional<WalletId> after;
  do {
    auto page = view->list_wallets(after, 1'000);
    if (!page) throw std::runtime_error(page.error().detail);
    for (const Wallet& wallet : page->items) {
      text += wallet.id.str() + " " + std::string(to_string(wallet.status)) + " " +
              std::to_string(wallet.balance.value()) + " " + std::to_string(wallet.version);
      text += " " + std::to_string(wallet.held.value());
      text += "\n";
    }
    after = page->next;
  } while (after);
  return text;
}

bool Runner::is_recorded(const OperationId& id) {
  auto recorded = snapshot()->find_operation(id);
  if (!recorded) throw std::runtime_error(recorded.error().detail);
  return recorded->has_value();
}

Runner::Trace Runner::trace(std::span<const Request> requests) {
  Trace trace;
  trace.wallets = wallets_text();
  for (const Request& request : requests) {
    trace.recorded[request.operation.id] = is_recorded(request.operation.id);
  }
  return trace;
}

void Runner::expect_same(const Line& line, const Trace& before, std::span<const Request> requests) {
  const Trace after = trace(requests);
  expect(line,
         "no trace in the wallets:\n" + before.wallets,
         "no trace in the wallets:\n" + after.wallets);
  for (const auto& [id, was_recorded] : before.recorded) {
    const bool is_now = after.recorded.at(id);
    expect(line,
           id.str() + (was_recorded ? " recorded" : " not recorded"),
           id.str() + (is_now ? " recorded" : " not recorded"));
  }
}

void Runner::expect(const Line& line, const std::string& expected, const std::string& actual) {
  if (expected == actual) return;
  ADD_FAILURE() << line.place << "\n  " << line.text << "\n  expected: " << expected
                << "\n  actual:   " << actual;
}

}  // namespace mizan::golden
