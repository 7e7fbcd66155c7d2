#pragma once

#include "mizan/result.hpp"

#include <filesystem>

namespace mizan::bench {

/// A new directory below one that the user chose (the disk that is measured), removed with
/// everything in it at the end. Movable.
class Scratch {
 public:
  [[nodiscard]] static Result<Scratch> make(const std::filesystem::path& parent);

  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&&) = delete;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  explicit Scratch(std::filesystem::path path) noexcept;

  std::filesystem::path path_;  // Empty after a move.
};

}  // namespace mizan::bench
