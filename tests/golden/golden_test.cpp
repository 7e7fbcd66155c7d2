#include "tests/golden/runner.hpp"
#include "tests/golden/stores.hpp"
#include "tests/golden/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace mizan::golden {
namespace {

const std::filesystem::path folder = std::filesystem::path(MIZAN_SOURCE_DIR) / "tests" / "golden";

struct Case {
  std::filesystem::path file;
  GoldenStore store;
  Strategy strategy = Strategy::batched;

  [[nodiscard]] std::string name() const {
    return file.stem().string() + "_" + std::string(to_string(strategy)) + "_" + store.name;
  }
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name();
}

std::vector<Case> all_cases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".golden") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Case> cases;
  for (const auto& file : files) {
    for (const GoldenStore& store : golden_stores()) {
      for (const Strategy strategy :
           {Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic}) {
        cases.push_back({file, store, strategy});
      }
    }
  }
  return cases;
}

class GoldenTable : public ::testing::TestWithParam<Case> {};

TEST_P(GoldenTable, is_answered_line_by_line) {
  std::ifstream stream(GetParam().file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_FALSE(text.empty());
  Runner runner(GetParam().store, GetParam().strategy);
  runner.run(cut(text, GetParam().file.filename().string()));
}

INSTANTIATE_TEST_SUITE_P(golden,
                         GoldenTable,
                         ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name(); });

}  // namespace
}  // namespace mizan::golden
