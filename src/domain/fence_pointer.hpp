#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mizan::domain {

/// Where the field of the fence at `index` stands in a request that states `count` of them: one is
/// an object, several are an array.
[[nodiscard]] inline std::string fence_pointer(std::size_t index,
                                               std::size_t count,
                                               std::string_view field) {
  std::string pointer = "/fence";
  if (count > 1) pointer.append("/").append(std::to_string(index));
  return pointer.append(field);
}

}  // namespace mizan::domain
