#pragma once

#include "base/text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace mizan::prover {

/// Writes one JSON document piece by piece, commas included.
class JsonText {
 public:
  void open(char bracket) {
    comma();
    text_ += bracket;
    first_ = true;
  }

  void close(char bracket) {
    text_ += bracket;
    first_ = false;
  }

  void key(std::string_view name) {
    comma();
    append_json_string(text_, name);
    text_ += ':';
    first_ = true;
  }

  void value(std::string_view text) {
    comma();
    append_json_string(text_, text);
  }

  void value(std::uint64_t number) {
    comma();
    text_ += std::to_string(number);
  }

  void value(bool truth) {
    comma();
    text_ += truth ? "true" : "false";
  }

  template <class Value>
  void field(std::string_view name, const Value& content) {
    key(name);
    value(content);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void comma() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace mizan::prover
