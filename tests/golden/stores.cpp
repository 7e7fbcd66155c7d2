#include "tests/golden/stores.hpp"

#include "mizan/memory.hpp"
#include "mizan/sqlite.hpp"

#include "testkit/temp_dir.hpp"

#include <stdexcept>
#include <utility>

namespace mizan::golden {
namespace {

std::shared_ptr<Store> open_memory(const Clock& clock) {
  return make_memory_store(clock);
}

/// The store and the folder of its file.
struct SqliteStore {
  testkit::TempDir folder;
  std::unique_ptr<Store> store;  // Last: closed before its folder goes.
};

std::shared_ptr<Store> open_sqlite(const Clock& clock) {
  auto all = std::make_shared<SqliteStore>();
  SqliteOptions options;
  options.file = all->folder.path() / "golden.mizan";
  auto opened = open_sqlite_store(options, clock);
  if (!opened) throw std::runtime_error(opened.error().detail);
  all->store = *std::move(opened);
  Store* const store = all->store.get();
  return {std::move(all), store};
}

}  // namespace

const std::vector<GoldenStore>& golden_stores() {
  static const std::vector<GoldenStore> stores{{"memory", open_memory}, {"sqlite", open_sqlite}};
  return stores;
}

}  // namespace mizan::golden
