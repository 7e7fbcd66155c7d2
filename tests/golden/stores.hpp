#pragma once

#include "mizan/clock.hpp"
#include "mizan/store.hpp"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace mizan::golden {

/// A store that the tables run on. Whatever it keeps beside the store lives as long.
struct GoldenStore {
  std::string name;
  std::function<std::shared_ptr<Store>(const Clock& clock)> open_empty;
};

[[nodiscard]] const std::vector<GoldenStore>& golden_stores();

inline void PrintTo(const GoldenStore& store, std::ostream* out) {
  *out << store.name;
}

}  // namespace mizan::golden
