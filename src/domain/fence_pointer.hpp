#pragma once

#include "mizan/operation.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::domain {

/// Where the field of a fence stands in a request: a request with one fence has it as an object,
/// one with several as an array. `fence` is one of `fences`.
[[nodiscard]] inline std::string fence_pointer(const std::vector<Fence>& fences,
                                               const Fence& fence,
                                               std::string_view field) {
  std::string pointer = "/fence";
  if (fences.size() > 1) {
    const auto index = static_cast<std::size_t>(&fence - fences.data());
    pointer.append("/").append(std::to_string(index));
  }
  return pointer.append(field);
}

}  // namespace mizan::domain
