#include "cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

namespace mizan::cli {
namespace {

constexpr std::size_t buffer_size = 65'536;

}  // namespace

Output::Output(WriteAll write_all, bool line_buffered)
    : write_all_(std::move(write_all)), line_buffered_(line_buffered) {}

Output::~Output() {
  flush();
}

void Output::write(std::string_view text) {
  if (!open()) return;
  buffer_ += text;
  const bool line_ended = line_buffered_ && text.ends_with('\n');
  if (line_ended || buffer_.size() >= buffer_size) flush();
}

void Output::flush() {
  if (buffer_.empty()) return;
  if (open()) error_ = write_all_(buffer_);
  buffer_.clear();
}

int Output::failure() const noexcept {
  return error_ == EPIPE ? 0 : error_;
}

WriteAll to_descriptor(int descriptor) {
  return [descriptor](std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  };
}

WriteAll to_text(std::string& text) {
  return [&text](std::string_view more) {
    text += more;
    return 0;
  };
}

}  // namespace mizan::cli
