#pragma once

#include "mizan/code.hpp"
#include "mizan/money.hpp"
#include "mizan/operation.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mizan::property {

/// What the rules say, written down a second time and as simply as can be: every refusal that
/// applies is collected, and the first in order of precedence is the answer. Shares nothing with
/// src/domain but the types.
class Model {
 public:
  struct Wallet {
    std::string currency;
    std::int64_t balance = 0;
    std::int64_t held = 0;
    std::optional<std::int64_t> min_balance = 0;
    char status = 'a';  ///< a(ctive), f(rozen), c(losed).
    std::uint64_t version = 0;
  };

  struct Hold {
    std::string wallet;
    std::string to;  ///< Empty: the world.
    std::int64_t amount = 0;
    std::int64_t captured = 0;
    char status = 'o';                       ///< o(pen), c(aptured), v(oided), e(xpired).
    std::optional<std::int64_t> expires_at;  ///< Microseconds on the model's own clock.
  };

  void create(const std::string& id,
              const std::string& currency,
              std::optional<std::int64_t> limit);

  /// Time passes; holds whose deadline has come end.
  void advance(std::int64_t microseconds);

  [[nodiscard]] Code apply(const Operation& operation);

  /// The same, and everything stays as it was where one of them is refused.
  [[nodiscard]] std::vector<Code> apply_all_or_none(const std::vector<Operation>& operations);

  /// Each answers whether it is allowed.
  bool set_status(const std::string& wallet, char status);
  bool set_limit(const std::string& wallet, std::optional<std::int64_t> limit);

  [[nodiscard]] const std::map<std::string, Wallet>& wallets() const { return wallets_; }

  [[nodiscard]] const std::map<std::string, Hold>& holds() const { return holds_; }

  /// What came in from the world, less what went out.
  [[nodiscard]] WideUnits brought_in(const std::string& currency) const;

 private:
  struct Posting {
    std::string from;  ///< Empty: the world.
    std::string to;
    std::int64_t amount = 0;
    std::string stated_currency;
  };

  struct Record {
    std::string content;
    std::string kind;
    std::vector<Posting> postings;
    bool reversed = false;
  };

  /// An operation with all that it refers to.
  struct Case {
    std::string kind;
    std::vector<Posting> postings;
    Hold* hold = nullptr;
    Record* reversed = nullptr;
  };

  [[nodiscard]] Case understand(const Operation& operation, std::set<Code>& refusals);
  void understand_hold(const std::string& id,
                       const std::optional<std::int64_t>& amount,
                       Case& one,
                       std::set<Code>& refusals);
  void understand_reversal(const std::string& id, Case& one, std::set<Code>& refusals);
  void judge_wallets(const Operation& operation, const Case& one, std::set<Code>& refusals) const;
  void judge_conditions(const Operation& operation, std::set<Code>& refusals) const;
  void judge_money(const Case& one, std::set<Code>& refusals) const;
  void carry_out(const Operation& operation, const Case& one);
  [[nodiscard]] std::vector<Code> refused_together(const std::vector<Operation>& operations,
                                                   Code refusal) const;
  [[nodiscard]] bool fences_pass(const Operation& operation) const;

  std::map<std::string, Wallet> wallets_;
  std::map<std::string, Hold> holds_;
  std::map<std::string, Record> records_;
  std::map<std::string, Fence> marks_;
  std::map<std::string, WideUnits> brought_in_;
  std::int64_t now_ = 0;
};

/// Everything by which two requests with one id are told apart, as text.
[[nodiscard]] std::string content_of(const Operation& operation);

}  // namespace mizan::property
