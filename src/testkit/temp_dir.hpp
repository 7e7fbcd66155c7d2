#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace mizan::testkit {

/// A new, empty directory of its own; its destructor removes it with everything inside.
class TempDir {
 public:
  /// Null where none can be made, e.g. because TMPDIR names nothing.
  [[nodiscard]] static std::unique_ptr<TempDir> make(std::string_view prefix);

  /// For tests: aborts when it cannot be made, there is no test without it.
  explicit TempDir(std::string_view prefix = "mizan");
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// From now on the destructor leaves it where it is.
  void keep() noexcept { is_kept_ = true; }

 private:
  TempDir(std::filesystem::path path, bool is_kept) : path_(std::move(path)), is_kept_(is_kept) {}

  std::filesystem::path path_;
  bool is_kept_;
};

}  // namespace mizan::testkit
