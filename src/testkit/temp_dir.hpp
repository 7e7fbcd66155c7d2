#pragma once

#include <filesystem>
#include <string_view>

namespace mizan::testkit {

/// A new, empty directory of its own; its destructor removes it with everything inside. Aborts
/// when it cannot be made: there is no test without it.
class TempDir {
 public:
  explicit TempDir(std::string_view prefix = "mizan");
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace mizan::testkit
