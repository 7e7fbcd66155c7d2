#include "testkit/temp_dir.hpp"

#include "base/assert.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

namespace mizan::testkit {

TempDir::TempDir(std::string_view prefix) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  MIZAN_ASSERT(!error);
  std::string name = (parent / (std::string(prefix) + "-XXXXXX")).string();
  MIZAN_ASSERT(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace mizan::testkit
