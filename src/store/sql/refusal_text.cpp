#include "store/sql/refusal_text.hpp"

#include "base/text.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mizan::sql {
namespace {

void append_field(std::string& out, std::string_view name, std::string_view value) {
  if (out.back() != '{') out += ',';
  append_json_string(out, name);
  out += ':';
  append_json_string(out, value);
}

void append_number(std::string& out, std::string_view name, std::int64_t value) {
  append_field(out, name, std::to_string(value));
}

/// Reads the one form that `encode_refusal` writes.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool take(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<std::string> take_string() {
    if (!take('"')) return std::nullopt;
    std::string value;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() != '\\') {
        value += rest_.front();
        rest_.remove_prefix(1);
      } else if (!take_escape(value)) {
        return std::nullopt;
      }
    }
    if (!take('"')) return std::nullopt;
    return value;
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  [[nodiscard]] bool next_is(char expected) const {
    return !rest_.empty() && rest_.front() == expected;
  }

 private:
  bool take_escape(std::string& value) {
    if (rest_.size() < 2) return false;
    const char kind = rest_[1];
    rest_.remove_prefix(2);
    constexpr std::string_view kinds = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t at = kinds.find(kind); at != std::string_view::npos) {
      value += meanings[at];
      return true;
    }
    if (kind != 'u') return false;
    const auto unit = take_unit();
    if (!unit) return false;
    append_utf8(value, *unit);
    return true;
  }

  /// Four hexadecimal digits. Our writer escapes only control characters so, never surrogates.
  std::optional<char32_t> take_unit() {
    if (rest_.size() < 4) return std::nullopt;
    std::uint16_t unit = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + 4, unit, 16);
    if (failure != std::errc() || end != rest_.data() + 4) return std::nullopt;
    if (unit >= 0xd800 && unit < 0xe000) return std::nullopt;
    rest_.remove_prefix(4);
    return unit;
  }

  std::string_view rest_;
};

using Fields = std::vector<std::pair<std::string, std::string>>;

/// `{"name":"value",…}`; a member whose value is a list is left to `on_list`.
template <class OnList>
bool read_object(Reader& reader, Fields& fields, const OnList& on_list) {
  if (!reader.take('{')) return false;
  while (!reader.next_is('}')) {
    auto name = reader.take_string();
    if (!name || !reader.take(':')) return false;
    if (reader.next_is('[')) {
      if (!on_list(*name)) return false;
    } else {
      auto value = reader.take_string();
      if (!value) return false;
      fields.emplace_back(std::move(*name), std::move(*value));
    }
    if (!reader.take(',')) break;
  }
  return reader.take('}');
}

bool to_number(const std::string& text, std::optional<std::int64_t>& number) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stop != end) return false;
  number = value;
  return true;
}

bool set_number(Refusal& refusal, const std::string& name, const std::string& text) {
  std::optional<std::int64_t> number;
  if (!to_number(text, number)) return false;
  if (name == "available") {
    refusal.available = MinorUnits{*number};
  } else if (name == "needed") {
    refusal.needed = MinorUnits{*number};
  } else if (name == "newest_token") {
    refusal.newest_token = FenceToken{*number};
  } else {
    return false;
  }
  return true;
}

bool set_field(Refusal& refusal, const std::string& name, std::string text) {
  if (name == "code") {
    const auto code = parse_code(text);
    if (code) refusal.code = *code;
    return code.has_value();
  }
  if (name == "detail") {
    refusal.detail = std::move(text);
  } else if (name == "pointer") {
    refusal.pointer = std::move(text);
  } else if (name == "wallet") {
    refusal.wallet = WalletId(text);
  } else {
    return set_number(refusal, name, text);
  }
  return true;
}

bool set_failure_field(ConditionFailure& failure, const std::string& name, std::string text) {
  if (name == "wallet") {
    failure.wallet = WalletId(text);
  } else if (name == "field") {
    failure.field = std::move(text);
  } else if (name == "expected") {
    failure.expected = std::move(text);
  } else if (name == "actual") {
    failure.actual = std::move(text);
  } else if (name == "condition") {
    const auto index = parse_unsigned(text);
    failure.condition = static_cast<std::size_t>(index.value_or(0));
    return index.has_value();
  } else {
    return false;
  }
  return true;
}

bool read_failures(Reader& reader, std::vector<ConditionFailure>& failures) {
  if (!reader.take('[')) return false;
  while (!reader.next_is(']')) {
    Fields fields;
    if (!read_object(reader, fields, [](const std::string&) { return false; })) return false;
    ConditionFailure failure;
    for (auto& [name, value] : fields) {
      if (!set_failure_field(failure, name, std::move(value))) return false;
    }
    failures.push_back(std::move(failure));
    if (!reader.take(',')) break;
  }
  return reader.take(']');
}

bool read_refusal(std::string_view text, Refusal& refusal) {
  Reader reader(text);
  Fields fields;
  const auto on_list = [&](const std::string& name) {
    return name == "failures" && read_failures(reader, refusal.failures);
  };
  if (!read_object(reader, fields, on_list) || !reader.at_end()) return false;
  for (auto& [name, value] : fields) {
    if (!set_field(refusal, name, std::move(value))) return false;
  }
  return true;
}

}  // namespace

std::string encode_refusal(const Refusal& refusal) {
  std::string out = "{";
  append_field(out, "code", to_string(refusal.code));
  append_field(out, "detail", refusal.detail);
  if (!refusal.pointer.empty()) append_field(out, "pointer", refusal.pointer);
  if (refusal.wallet) append_field(out, "wallet", refusal.wallet->view());
  if (refusal.available) append_number(out, "available", refusal.available->value());
  if (refusal.needed) append_number(out, "needed", refusal.needed->value());
  if (refusal.newest_token) append_number(out, "newest_token", refusal.newest_token->value());
  if (refusal.failures.empty()) return out + "}";
  out += ",\"failures\":[";
  for (const ConditionFailure& failure : refusal.failures) {
    if (out.back() != '[') out += ',';
    out += '{';
    append_field(out, "wallet", failure.wallet.view());
    append_field(out, "field", failure.field);
    append_field(out, "expected", failure.expected);
    append_field(out, "actual", failure.actual);
    append_number(out, "condition", static_cast<std::int64_t>(failure.condition));
    out += '}';
  }
  return out + "]}";
}

Result<std::shared_ptr<const Refusal>> decode_refusal(std::string_view text) {
  auto refusal = std::make_shared<Refusal>();
  if (!read_refusal(text, *refusal)) {
    return internal_error("store: read a refusal", "not a stored refusal: " + escape_for_log(text));
  }
  return std::shared_ptr<const Refusal>(std::move(refusal));
}

}  // namespace mizan::sql
