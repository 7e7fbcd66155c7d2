#pragma once

#include "mizan/code.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace mizan {

/// May money have moved? Decides whether a caller has to ask before it goes on.
enum class Certainty : std::uint8_t {
  not_applied,  ///< Nothing was written.
  unknown,      ///< The fate of the COMMIT could not be learnt. Repeat with the same operation id.
};

/// What the caller should do next.
enum class Retry : std::uint8_t { now, after_backoff, never };

/// A failure that is not an answer of the money rules: the database, the lock service or the
/// request itself. `code` is one of the codes of `code.hpp` that are not refusals of a rule.
struct Error {
  Code code = Code::internal;
  Certainty certainty = Certainty::not_applied;
  Retry retry = Retry::never;
  std::string where;   ///< The step that failed, e.g. "sqlite: COMMIT".
  std::string detail;  ///< For people; says what to do next where something can be done.
};

[[nodiscard]] inline Error invalid_request(std::string where, std::string detail) {
  return {Code::invalid_request,
          Certainty::not_applied,
          Retry::never,
          std::move(where),
          std::move(detail)};
}

[[nodiscard]] inline Error unavailable(std::string where, std::string detail) {
  return {Code::unavailable,
          Certainty::not_applied,
          Retry::after_backoff,
          std::move(where),
          std::move(detail)};
}

[[nodiscard]] inline Error internal_error(std::string where, std::string detail) {
  return {
      Code::internal, Certainty::not_applied, Retry::never, std::move(where), std::move(detail)};
}

/// A value or an error: a strict subset of std::expected (decision 0003 says why our own).
/// Asking for the side that is not there aborts.
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = E;

  Result(T value)  // NOLINT(google-explicit-constructor): `return value;` is the point of it.
      : state_(std::in_place_index<0>, std::move(value)) {}

  Result(E error)  // NOLINT(google-explicit-constructor): `return error;` is the point of it.
      : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }

  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] const T& value() const& {
    require(has_value());
    return *std::get_if<0>(&state_);
  }

  [[nodiscard]] T& value() & {
    require(has_value());
    return *std::get_if<0>(&state_);
  }

  [[nodiscard]] T&& value() && {
    require(has_value());
    return std::move(*std::get_if<0>(&state_));
  }

  [[nodiscard]] const E& error() const& {
    require(!has_value());
    return *std::get_if<1>(&state_);
  }

  [[nodiscard]] E&& error() && {
    require(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

  const T& operator*() const& { return value(); }

  T& operator*() & { return value(); }

  T&& operator*() && { return std::move(*this).value(); }

  const T* operator->() const { return &value(); }

  T* operator->() { return &value(); }

 private:
  static void require(bool condition) {
    if (!condition) std::abort();
  }

  std::variant<T, E> state_;
};

/// Success without a value, or an error.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  Result() = default;

  Result(E error)  // NOLINT(google-explicit-constructor): `return error;` is the point of it.
      : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }

  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] const E& error() const& {
    if (!error_) std::abort();
    return *error_;
  }

  [[nodiscard]] E&& error() && {
    if (!error_) std::abort();
    return std::move(*error_);
  }

 private:
  std::optional<E> error_;
};

using Status = Result<void>;

}  // namespace mizan
