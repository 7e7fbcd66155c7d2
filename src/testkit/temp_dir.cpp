#include "testkit/temp_dir.hpp"

#include "base/assert.hpp"

#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace mizan::testkit {
namespace {

/// Empty where there is no place for it.
std::filesystem::path make_directory(std::string_view prefix) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) return {};
  std::string name = (parent / (std::string(prefix) + "-XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return {};
  return name;
}

}  // namespace

std::unique_ptr<TempDir> TempDir::make(std::string_view prefix) {
  std::filesystem::path path = make_directory(prefix);
  if (path.empty()) return nullptr;
  return std::unique_ptr<TempDir>(new TempDir(std::move(path), false));
}

TempDir::TempDir(std::string_view prefix) : path_(make_directory(prefix)), is_kept_(false) {
  MIZAN_ASSERT(!path_.empty());
}

TempDir::~TempDir() {
  if (is_kept_) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace mizan::testkit
