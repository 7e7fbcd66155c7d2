#include "tests/golden/stores.hpp"

#include "mizan/memory.hpp"

namespace mizan::golden {
namespace {

std::shared_ptr<Store> open_memory(const Clock& clock) {
  return make_memory_store(clock);
}

}  // namespace

const std::vector<GoldenStore>& golden_stores() {
  static const std::vector<GoldenStore> stores{{"memory", open_memory}};
  return stores;
}

}  // namespace mizan::golden
