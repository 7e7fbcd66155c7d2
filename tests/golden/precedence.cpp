#include "tests/golden/precedence.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace mizan::golden {
namespace {

using Pair = std::pair<Code, Code>;

struct Kind {
  OperationType type = OperationType::transfer;
  std::vector<Code> refusals;
  std::vector<Pair> excluded;  ///< Pairs that cannot stand in one operation's way; see the table.
};

// In the order of the rows of the decision (id, fence, wallets and amounts, funds), then of Code.
// What is excluded: one wallet cannot be frozen and closed, a closed one is empty and not full;
// an amount that is no amount neither exceeds anything nor needs funds; one that leaves 64 bits
// needs an overdraft without limit; of a hold or an operation that does not exist there is no
// wallet to judge, of one that is not open nothing is left to exceed, and what cannot be reversed
// has nothing to post.
using enum Code;

Kind transfer_kind() {
  return {OperationType::transfer,
          {operation_mismatch,
           stale_fence,
           wallet_not_found,
           wallet_frozen,
           wallet_closed,
           currency_mismatch,
           same_wallet,
           invalid_amount,
           limit_exceeded,
           condition_failed,
           insufficient_funds},
          {}};
}

Kind deposit_kind() {
  return {OperationType::deposit,
          {operation_mismatch,
           stale_fence,
           wallet_not_found,
           wallet_frozen,
           wallet_closed,
           currency_mismatch,
           invalid_amount,
           limit_exceeded,
           condition_failed},
          {{wallet_frozen, wallet_closed},
           {wallet_closed, limit_exceeded},
           {invalid_amount, limit_exceeded}}};
}

Kind withdraw_kind() {
  return {OperationType::withdraw,
          {operation_mismatch,
           stale_fence,
           wallet_not_found,
           wallet_frozen,
           wallet_closed,
           currency_mismatch,
           invalid_amount,
           limit_exceeded,
           condition_failed,
           insufficient_funds},
          {{wallet_frozen, wallet_closed},
           {wallet_closed, limit_exceeded},
           {invalid_amount, limit_exceeded},
           {invalid_amount, insufficient_funds},
           {limit_exceeded, insufficient_funds}}};
}

Kind hold_kind() {
  return {OperationType::hold,
          {operation_mismatch,
           stale_fence,
           wallet_not_found,
           wallet_frozen,
           wallet_closed,
           currency_mismatch,
           same_wallet,
           invalid_amount,
           limit_exceeded,
           condition_failed,
           insufficient_funds},
          {{wallet_closed, same_wallet},
           {invalid_amount, limit_exceeded},
           {invalid_amount, insufficient_funds},
           {limit_exceeded, insufficient_funds}}};
}

Kind capture_kind() {
  return {OperationType::capture,
          {operation_mismatch,
           stale_fence,
           wallet_not_found,
           wallet_frozen,
           wallet_closed,
           invalid_amount,
           limit_exceeded,
           hold_not_open,
           hold_not_found,
           condition_failed},
          {{wallet_frozen, hold_not_found},
           {wallet_closed, hold_not_found},
           {invalid_amount, limit_exceeded},
           {limit_exceeded, hold_not_open},
           {limit_exceeded, hold_not_found},
           {hold_not_open, hold_not_found}}};
}

Kind void_hold_kind() {
  return {OperationType::void_hold,
          {operation_mismatch,
           stale_fence,
           wallet_not_found,
           hold_not_open,
           hold_not_found,
           condition_failed},
          {{hold_not_open, hold_not_found}}};
}

Kind reverse_kind() {
  return {OperationType::reverse,
          {operation_mismatch,
           stale_fence,
           wallet_not_found,
           wallet_frozen,
           wallet_closed,
           limit_exceeded,
           already_reversed,
           not_reversible,
           operation_not_found,
           condition_failed,
           insufficient_funds},
          {{wallet_closed, limit_exceeded},
           {wallet_frozen, not_reversible},
           {wallet_closed, not_reversible},
           {limit_exceeded, not_reversible},
           {already_reversed, not_reversible},
           {not_reversible, operation_not_found},
           {not_reversible, insufficient_funds},
           {wallet_frozen, operation_not_found},
           {wallet_closed, operation_not_found},
           {limit_exceeded, operation_not_found},
           {already_reversed, operation_not_found},
           {operation_not_found, insufficient_funds}}};
}

const std::vector<Kind>& table() {
  static const std::vector<Kind> all{transfer_kind(),
                                     deposit_kind(),
                                     withdraw_kind(),
                                     hold_kind(),
                                     capture_kind(),
                                     void_hold_kind(),
                                     reverse_kind()};
  return all;
}

const Kind& kind_of(OperationType type) {
  return *std::find_if(
      table().begin(), table().end(), [type](const Kind& kind) { return kind.type == type; });
}

/// Writes one scenario. `%` in a line stands for its number.
class Story {
 public:
  Story(const std::set<Code>& flaws, int number) : flaws_(flaws), number_(number) {
    if (has(Code::operation_mismatch) || has(Code::stale_fence) || has(Code::condition_failed)) {
      line("wallet z% EUR");
    }
    if (has(Code::operation_mismatch)) line("deposit op% z% 7 -> applied");
    if (has(Code::stale_fence)) line("deposit mark% z% 1 fence f%=9:me -> applied");
  }

  [[nodiscard]] bool has(Code code) const { return flaws_.contains(code); }

  /// The first text where the flaw is there, else the second.
  [[nodiscard]] std::string pick(Code code, const char* flawed, const char* fine) const {
    return has(code) ? flawed : fine;
  }

  void line(const std::string& text) { text_ += numbered(text) + "\n"; }

  /// The operation itself, with what every kind can carry.
  std::string finish(std::string operation) {
    if (has(Code::stale_fence)) operation += " fence f%=8:me";
    if (has(Code::wallet_not_found) && !operation.starts_with("transfer")) {
      operation += " if ghost balance>=0";
    }
    if (has(Code::condition_failed)) operation += " if z% version=99";
    return text_ + numbered(operation);
  }

 private:
  [[nodiscard]] std::string numbered(const std::string& text) const {
    std::string result;
    for (const char c : text) result += c == '%' ? std::to_string(number_) : std::string(1, c);
    return result;
  }

  const std::set<Code>& flaws_;
  int number_;
  std::string text_;
};

std::string transfer_story(Story story) {
  story.line("wallet a% EUR 100");
  story.line("wallet b% EUR");
  story.line("wallet c% EUR 10");
  std::string legs = "transfer op% a% b% " + story.pick(Code::insufficient_funds, "1000", "10");
  if (story.has(Code::wallet_frozen)) story.line("freeze a%");
  if (story.has(Code::wallet_closed)) story.line("close b%");
  if (story.has(Code::wallet_not_found)) legs += ", c% ghost 1";
  if (story.has(Code::same_wallet)) legs += ", c% c% 1";
  if (story.has(Code::invalid_amount)) {
    story.line("wallet d% EUR");
    legs += ", c% d% 0";
  }
  if (story.has(Code::limit_exceeded)) {
    story.line("wallet full% EUR max");
    legs += ", c% full% 1";
  }
  return story.finish(legs + story.pick(Code::currency_mismatch, " in USD", ""));
}

std::string deposit_story(Story story) {
  story.line("wallet a% EUR" + story.pick(Code::limit_exceeded, " max", ""));
  if (story.has(Code::wallet_frozen)) story.line("freeze a%");
  if (story.has(Code::wallet_closed)) story.line("close a%");
  return story.finish("deposit op% a% " + story.pick(Code::invalid_amount, "0", "1") +
                      story.pick(Code::currency_mismatch, " in USD", ""));
}

std::string withdraw_story(Story story) {
  if (story.has(Code::limit_exceeded)) {
    story.line("wallet a% EUR 0 limit none");
    story.line("withdraw before% a% max -> applied");
  } else {
    story.line("wallet a% EUR" + story.pick(Code::wallet_closed, "", " 100"));
  }
  if (story.has(Code::wallet_frozen)) story.line("freeze a%");
  if (story.has(Code::wallet_closed)) story.line("close a%");
  std::string amount = story.pick(Code::insufficient_funds, "1000", "10");
  if (story.has(Code::invalid_amount)) amount = "0";
  return story.finish("withdraw op% a% " + amount +
                      story.pick(Code::currency_mismatch, " in USD", ""));
}

std::string hold_story(Story story) {
  std::string amount = story.pick(Code::insufficient_funds, "1000", "10");
  if (story.has(Code::limit_exceeded)) {
    story.line("wallet a% EUR 0 limit none");
    story.line("hold before% a% 10 -> applied");
    amount = "max";
  } else {
    story.line("wallet a% EUR 100");
  }
  story.line("wallet b% EUR");
  if (story.has(Code::wallet_frozen)) story.line("freeze a%");
  if (story.has(Code::wallet_closed)) story.line("close b%");
  if (story.has(Code::invalid_amount)) amount = "0";
  return story.finish("hold op% a% " + amount + " to " + story.pick(Code::same_wallet, "a%", "b%") +
                      story.pick(Code::currency_mismatch, " in USD", ""));
}

std::string capture_story(Story story) {
  story.line("wallet a% EUR 100");
  story.line("wallet b% EUR");
  story.line("hold h% a% 10 to b% -> applied");
  if (story.has(Code::hold_not_open)) story.line("void v% h% -> applied");
  if (story.has(Code::wallet_frozen)) story.line("freeze a%");
  if (story.has(Code::wallet_closed)) story.line("close b%");
  std::string amount;
  if (story.has(Code::invalid_amount)) amount = " 0";
  if (story.has(Code::limit_exceeded)) amount = " 11";
  return story.finish("capture op% " + story.pick(Code::hold_not_found, "none%", "h%") + amount);
}

std::string void_story(Story story) {
  story.line("wallet a% EUR 100");
  story.line("hold h% a% 10 -> applied");
  if (story.has(Code::hold_not_open)) story.line("capture c% h% -> applied");
  return story.finish("void op% " + story.pick(Code::hold_not_found, "none%", "h%"));
}

std::string reverse_story(Story story) {
  story.line("wallet a% EUR 10");
  story.line("wallet b% EUR");
  story.line("transfer t% a% b% 10 -> applied");
  const bool reversed = story.has(Code::already_reversed) || story.has(Code::not_reversible);
  if (reversed) {
    story.line("reverse r% t% -> applied");
    story.line("withdraw out% a% 10 -> applied");
    // Whoever would have to give the money back has it, so that funds are a matter of their own.
    if (story.has(Code::already_reversed)) story.line("deposit in% b% 10 -> applied");
  }
  if (story.has(Code::insufficient_funds)) story.line("withdraw spent% b% 10 -> applied");
  if (story.has(Code::limit_exceeded)) story.line("deposit fill% a% max -> applied");
  if (story.has(Code::wallet_frozen)) story.line("freeze b%");
  if (story.has(Code::wallet_closed)) story.line("close a%");
  std::string target = "t%";
  if (story.has(Code::not_reversible)) target = "r%";
  if (story.has(Code::operation_not_found)) target = "none%";
  return story.finish("reverse op% " + target);
}

}  // namespace

const std::vector<OperationType>& kinds() {
  static const std::vector<OperationType> all = [] {
    std::vector<OperationType> types;
    for (const Kind& kind : table()) types.push_back(kind.type);
    return types;
  }();
  return all;
}

const std::vector<Code>& refusals_of(OperationType kind) {
  return kind_of(kind).refusals;
}

bool can_meet(OperationType kind, Code a, Code b) {
  const Pair pair = std::minmax(a, b);
  const std::vector<Pair>& excluded = kind_of(kind).excluded;
  return std::find(excluded.begin(), excluded.end(), pair) == excluded.end();
}

std::string scenario(OperationType kind, const std::set<Code>& flaws, int number) {
  Story story(flaws, number);
  switch (kind) {
    case OperationType::transfer:
      return transfer_story(std::move(story));
    case OperationType::deposit:
      return deposit_story(std::move(story));
    case OperationType::withdraw:
      return withdraw_story(std::move(story));
    case OperationType::hold:
      return hold_story(std::move(story));
    case OperationType::capture:
      return capture_story(std::move(story));
    case OperationType::void_hold:
      return void_story(std::move(story));
    case OperationType::reverse:
      return reverse_story(std::move(story));
  }
  return {};
}

std::string precedence_table(OperationType kind) {
  const std::string name(to_string(kind));
  const std::vector<Code>& refusals = refusals_of(kind);
  std::string text = "# Generated (see README.md): when two things stand in the way of a " + name +
                     ", the earlier one is named.\n\n# Each alone.\n";
  int number = 0;
  for (const Code code : refusals) {
    text += scenario(kind, {code}, ++number) + " -> " + std::string(to_string(code)) + "\n";
  }
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    for (std::size_t j = i + 1; j < refusals.size(); ++j) {
      const std::string first(to_string(refusals[i]));
      const std::string second(to_string(refusals[j]));
      if (!can_meet(kind, refusals[i], refusals[j])) {
        text += "\n# " + first + " and " + second + " never meet.\n";
        continue;
      }
      text += "\n" + scenario(kind, {refusals[i], refusals[j]}, ++number) + " -> " + first +
              " over " + second + "\n";
    }
  }
  return text;
}

}  // namespace mizan::golden
