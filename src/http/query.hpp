#pragma once

#include "http/target.hpp"
#include "json/problem.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::http {

/// The query of a request. Immutable.
class Query {
 public:
  /// Refuses names that are not among the allowed ones, and what stands twice.
  [[nodiscard]] static json::Parsed<Query> read(std::string_view target,
                                                std::initializer_list<std::string_view> allowed);

  [[nodiscard]] const std::string* find(std::string_view name) const;

  /// `limit`: 1–1,000, 50 where it is not stated.
  [[nodiscard]] json::Parsed<std::size_t> limit() const;

 private:
  std::vector<QueryItem> items_;
};

/// An `invalid_request` about one parameter.
[[nodiscard]] json::InvalidRequest bad_parameter(std::string_view name, std::string detail);

}  // namespace mizan::http
