#pragma once

#include "mizan/result.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace mizan::prover {

/// An owned file descriptor.
class Descriptor {
 public:
  Descriptor() = default;

  explicit Descriptor(int number) noexcept : number_(number) {}

  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  [[nodiscard]] int number() const noexcept { return number_; }

  void close() noexcept;

 private:
  int number_ = -1;
};

/// Lines over a UNIX stream socket. One thread at a time.
class LineSocket {
 public:
  LineSocket() = default;
  explicit LineSocket(Descriptor socket) noexcept;

  /// Connects to a listening socket in the file system.
  [[nodiscard]] static Result<LineSocket> connect(const std::filesystem::path& path);

  /// Sends one line; `unavailable` when the other side is gone.
  Status send(std::string_view line);

  /// Receives one line without its end; `unavailable` at the end or after `wait`.
  Result<std::string> receive(std::chrono::milliseconds wait);

  /// Sends and receives.
  Result<std::string> exchange(std::string_view line, std::chrono::milliseconds wait);

  void close() noexcept { socket_.close(); }

 private:
  Descriptor socket_;
  std::string buffer_;
};

/// Listens on a new socket file, for the owner of the store.
[[nodiscard]] Result<Descriptor> listen_on(const std::filesystem::path& path);
[[nodiscard]] Result<LineSocket> accept_on(const Descriptor& listener);

}  // namespace mizan::prover
