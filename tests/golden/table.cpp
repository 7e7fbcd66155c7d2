#include "tests/golden/table.hpp"

#include "testkit/builders.hpp"

#include <charconv>
#include <limits>
#include <sstream>
#include <utility>

namespace mizan::golden {
namespace {

std::optional<std::int64_t> read_number(std::string_view word) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

/// Walks over the words of a line.
class Words {
 public:
  explicit Words(const Line& line) : line_(line), words_(line.words) {}

  [[nodiscard]] bool at_end() const { return next_ >= words_.size(); }

  [[nodiscard]] std::string_view peek() const {
    return at_end() ? std::string_view() : words_[next_];
  }

  std::string take(const char* what) {
    if (at_end()) throw BadTable(line_, std::string("missing: ") + what);
    return words_[next_++];
  }

  bool take_if(std::string_view word) {
    if (peek() != word) return false;
    ++next_;
    return true;
  }

  MinorUnits take_amount() { return MinorUnits{read_amount(line_, take("an amount"))}; }

 private:
  const Line& line_;
  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
};

struct Part {
  std::string key;
  std::string value;
};

Part split(const Line& line, const std::string& word, std::string_view separator) {
  const auto at = word.find(separator);
  if (at == std::string::npos) {
    throw BadTable(line, "expected " + std::string(separator) + " in " + word);
  }
  return {word.substr(0, at), word.substr(at + separator.size())};
}

OperationBody read_transfer(Words& words, const Line& line) {
  Transfer transfer;
  while (true) {
    Leg leg;
    leg.from = WalletId{words.take("from")};
    leg.to = WalletId{words.take("to")};
    leg.amount = words.take_amount();
    transfer.legs.push_back(leg);
    if (!words.take_if(",")) break;
  }
  if (words.peek().starts_with("x")) {
    const auto times = read_number(words.take("times").substr(1));
    if (!times) throw BadTable(line, "x takes a number");
    const std::vector<Leg> once = transfer.legs;
    for (std::int64_t i = 1; i < *times; ++i) {
      transfer.legs.insert(transfer.legs.end(), once.begin(), once.end());
    }
  }
  return transfer;
}

OperationBody read_hold(Words& words, const Line& line) {
  CreateHold hold;
  hold.wallet = WalletId{words.take("a wallet")};
  hold.amount = words.take_amount();
  if (words.take_if("to")) hold.to = WalletId{words.take("a wallet")};
  if (words.take_if("for")) hold.expires_in = read_duration(line, words.take("a duration"));
  return hold;
}

OperationBody read_capture(Words& words) {
  CaptureHold capture;
  capture.hold = OperationId{words.take("a hold")};
  const std::string_view next = words.peek();
  const bool states_amount = !next.empty() && (next.front() == '-' || next.starts_with("m") ||
                                               (next.front() >= '0' && next.front() <= '9'));
  if (states_amount) capture.amount = words.take_amount();
  return capture;
}

OperationBody read_body(const std::string& verb, Words& words, const Line& line) {
  if (verb == "transfer") return read_transfer(words, line);
  if (verb == "hold") return read_hold(words, line);
  if (verb == "capture") return read_capture(words);
  if (verb == "void") return VoidHold{OperationId{words.take("a hold")}};
  if (verb == "reverse") return Reverse{OperationId{words.take("an operation")}};
  const WalletId wallet{words.take("a wallet")};
  const MinorUnits amount = words.take_amount();
  if (verb == "deposit") return Deposit{wallet, amount, {}};
  return Withdraw{wallet, amount, {}};
}

void state_currency(OperationBody& body, const CurrencyCode& code) {
  if (auto* transfer = std::get_if<Transfer>(&body)) {
    for (Leg& leg : transfer->legs) leg.currency = code;
  }
  if (auto* deposit = std::get_if<Deposit>(&body)) deposit->currency = code;
  if (auto* withdraw = std::get_if<Withdraw>(&body)) withdraw->currency = code;
  if (auto* hold = std::get_if<CreateHold>(&body)) hold->currency = code;
}

Condition read_condition(Words& words, const Line& line) {
  Condition condition;
  condition.wallet = WalletId{words.take("a wallet")};
  while (!words.at_end()) {
    const std::string word(words.peek());
    if (word.starts_with("version=")) {
      condition.version =
          static_cast<std::uint64_t>(read_amount(line, split(line, word, "=").value));
    } else if (word.starts_with("balance>=")) {
      condition.min_balance = MinorUnits{read_amount(line, split(line, word, "=").value)};
    } else if (word.starts_with("balance<=")) {
      condition.max_balance = MinorUnits{read_amount(line, split(line, word, "=").value)};
    } else if (word.starts_with("available>=")) {
      condition.min_available = MinorUnits{read_amount(line, split(line, word, "=").value)};
    } else {
      break;
    }
    words.take("a condition");
  }
  return condition;
}

Fence read_fence(const Line& line, const std::string& word) {
  const Part part = split(line, word, "=");
  const auto colon = part.value.find(':');
  Fence fence;
  fence.resource = Resource{part.key};
  fence.token = FenceToken{read_amount(line, part.value.substr(0, colon))};
  if (colon != std::string::npos) fence.owner = LockOwner{part.value.substr(colon + 1)};
  return fence;
}

}  // namespace

std::vector<Line> cut(std::string_view text, const std::string& file) {
  std::vector<Line> lines;
  std::istringstream stream{std::string(text)};
  std::string row;
  for (int number = 1; std::getline(stream, row); ++number) {
    Line line{file + ":" + std::to_string(number), row, {}, {}};
    std::istringstream words(row.substr(0, row.find('#')));
    bool answered = false;
    for (std::string word; words >> word;) {
      if (word == "->") {
        answered = true;
        continue;
      }
      std::vector<std::string>& side = answered ? line.answer : line.words;
      const bool comma = !answered && word.size() > 1 && word.back() == ',';
      side.push_back(comma ? word.substr(0, word.size() - 1) : word);
      if (comma) side.emplace_back(",");
    }
    if (!line.words.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

bool is_operation(const Line& line) {
  const std::string& verb = line.words.front();
  return verb == "transfer" || verb == "deposit" || verb == "withdraw" || verb == "hold" ||
         verb == "capture" || verb == "void" || verb == "reverse";
}

Request read_request(const Line& line) {
  Words words(line);
  const std::string verb = words.take("a verb");
  Request request;
  request.operation.id = OperationId{words.take("an operation id")};
  request.operation.body = read_body(verb, words, line);
  std::vector<Metadata::Item> notes;
  while (!words.at_end()) {
    const std::string option = words.take("an option");
    if (option == "dry") {
      request.dry_run = true;
    } else if (option == "final") {
      request.final_refusals = true;
    } else if (option == "late") {
      request.late = true;
    } else if (option == "in") {
      state_currency(request.operation.body, CurrencyCode{words.take("a currency")});
    } else if (option == "note") {
      const Part part = split(line, words.take("key=value"), "=");
      notes.emplace_back(part.key, part.value);
    } else if (option == "if") {
      request.operation.conditions.push_back(read_condition(words, line));
    } else if (option == "fence") {
      request.operation.fences.push_back(read_fence(line, words.take("resource=token")));
    } else {
      throw BadTable(line, "what is " + option + "?");
    }
  }
  auto metadata = Metadata::make(std::move(notes));
  if (!metadata) throw BadTable(line, metadata.error().detail);
  request.operation.metadata = *std::move(metadata);
  return request;
}

std::int64_t read_amount(const Line& line, std::string_view word) {
  std::int64_t base = 0;
  std::string_view rest = word;
  if (word.starts_with("max")) {
    base = std::numeric_limits<std::int64_t>::max();
    rest.remove_prefix(3);
  } else if (word.starts_with("min")) {
    base = std::numeric_limits<std::int64_t>::min();
    rest.remove_prefix(3);
    if (rest.starts_with('+')) rest.remove_prefix(1);
  }
  if (rest.empty()) return base;
  const auto number = read_number(rest);
  if (!number) throw BadTable(line, "not an amount: " + std::string(word));
  return base + *number;
}

std::chrono::microseconds read_duration(const Line& line, std::string_view word) {
  const auto unit = word.find_first_not_of("-0123456789");
  const auto number = read_number(word.substr(0, unit));
  const std::string_view name =
      unit == std::string_view::npos ? std::string_view() : word.substr(unit);
  if (number && name == "us") return std::chrono::microseconds{*number};
  if (number && name == "s") return std::chrono::seconds{*number};
  if (number && name == "min") return std::chrono::minutes{*number};
  if (number && name == "h") return std::chrono::hours{*number};
  throw BadTable(line, "not a duration: " + std::string(word));
}

Answer read_answer(const Line& line) {
  if (line.answer.empty()) throw BadTable(line, "no answer is expected");
  Answer answer;
  answer.code = line.answer.front();
  for (std::size_t i = 1; i < line.answer.size(); ++i) {
    const std::string& word = line.answer[i];
    const bool takes_one = word == "at" || word == "over";
    if (takes_one && i + 1 >= line.answer.size()) throw BadTable(line, word + " takes a word");
    if (word == "again") {
      answer.again = true;
    } else if (word == "at") {
      answer.pointer = line.answer[++i];
    } else if (word == "over") {
      answer.over = line.answer[++i];
    } else {
      answer.facts.push_back(word);
    }
  }
  return answer;
}

}  // namespace mizan::golden
