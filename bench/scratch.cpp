#include "bench/scratch.hpp"

#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace mizan::bench {

Result<Scratch> Scratch::make(const std::filesystem::path& parent) {
  std::string name = (parent / "mizan-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return unavailable(
        "bench",
        "cannot make a directory in " + parent.string() + "; name one that is writable with --dir");
  }
  return Scratch(name);
}

Scratch::Scratch(std::filesystem::path path) noexcept : path_(std::move(path)) {}

Scratch::Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}

Scratch::~Scratch() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace mizan::bench
