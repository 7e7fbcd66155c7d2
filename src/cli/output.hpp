#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace mizan::cli {

/// Writes all of a text; answers 0 or an errno.
using WriteAll = std::function<int(std::string_view)>;

/// A buffered stream to a person or a pipe. A reader that went away (EPIPE) is not an error:
/// later text is dropped and `open` tells long listings to stop. One thread at a time.
class Output {
 public:
  /// `line_buffered`: each write that ends a line is seen at once (terminals, stderr).
  Output(WriteAll write_all, bool line_buffered);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();  // Flushes.

  void write(std::string_view text);
  void flush();

  /// False once the reader is gone or writing failed.
  [[nodiscard]] bool open() const noexcept { return error_ == 0; }

  /// The errno of a failure other than a reader that went away, or 0.
  [[nodiscard]] int failure() const noexcept;

 private:
  WriteAll write_all_;
  bool line_buffered_;
  int error_ = 0;
  std::string buffer_;
};

/// Writes to a file descriptor, which must stay open.
[[nodiscard]] WriteAll to_descriptor(int descriptor);

/// Appends to `text`, for tests.
[[nodiscard]] WriteAll to_text(std::string& text);

}  // namespace mizan::cli
