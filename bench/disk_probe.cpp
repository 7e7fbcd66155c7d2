#include "bench/disk_probe.hpp"

#include "bench/histogram.hpp"
#include "bench/stopwatch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace mizan::bench {

namespace {

constexpr std::size_t piece_bytes = 8'192;
// A log that is kept is overwritten, which is cheaper than growing: that is the limit to show.
constexpr off_t file_bytes = off_t{2} * 1024 * 1024;

/// An open file without a name: nothing is left behind however the process ends.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::filesystem::path& directory) {
    std::string name = (directory / "mizan-probe-XXXXXX").string();
    descriptor_ = ::mkstemp(name.data());
    if (descriptor_ >= 0) ::unlink(name.c_str());
  }

  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  ~UnnamedFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

bool write_piece(int descriptor, off_t at) {
  std::array<char, piece_bytes> piece{};
  piece.fill('x');
  return ::pwrite(descriptor, piece.data(), piece.size(), at) == static_cast<ssize_t>(piece.size());
}

bool write_whole_file(int descriptor) {
  for (off_t at = 0; at < file_bytes; at += static_cast<off_t>(piece_bytes)) {
    if (!write_piece(descriptor, at)) return false;
  }
  return ::fsync(descriptor) == 0;
}

Error probe_failed(const std::filesystem::path& directory) {
  return unavailable("bench", "cannot write to a file in " + directory.string());
}

}  // namespace

Result<DiskWeather> probe_disk(const std::filesystem::path& directory, double seconds) {
  const UnnamedFile file(directory);
  if (file.descriptor() < 0 || !write_whole_file(file.descriptor())) {
    return probe_failed(directory);
  }
  Histogram latency;
  const auto start = Ticks::now();
  const auto end = later(start, seconds);
  auto before = start;
  off_t at = 0;
  do {
    const bool is_durable =
        write_piece(file.descriptor(), at) && ::fdatasync(file.descriptor()) == 0;
    if (!is_durable) return probe_failed(directory);
    const auto now = Ticks::now();
    latency.record(nanoseconds_between(before, now));
    before = now;
    at = (at + static_cast<off_t>(piece_bytes)) % file_bytes;
  } while (before < end);
  DiskWeather weather;
  weather.fdatasync_per_second =
      static_cast<double>(latency.count()) / seconds_between(start, before);
  weather.p50_us = static_cast<double>(latency.at_share(0.5)) / 1'000.0;
  return weather;
}

}  // namespace mizan::bench
