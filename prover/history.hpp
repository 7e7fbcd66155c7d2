#pragma once

#include "mizan/clock.hpp"
#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include "base/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mizan::prover {

/// How a call ended, in Jepsen's words: `info` means that nobody knows.
enum class CallEnd : std::uint8_t { ok, fail, info };

/// One request as its client saw it. The ordinals come from one counter: of two calls, the one
/// whose `ended` is below the other's `invoked` was over before the other began.
struct Call {
  std::size_t client = 0;
  std::uint64_t invoked = 0;
  std::uint64_t ended = 0;
  Operation operation;
  std::string intent;         ///< The logical request behind it; empty: the operation id itself.
  std::optional<Fence> held;  ///< The lease under which the client believed to act.
  CallEnd end = CallEnd::info;
  Code code = Code::unknown;
  std::optional<Receipt> receipt;
  std::optional<MinorUnits> available;
  std::optional<MinorUnits> needed;
  std::string detail;
};

/// One acquisition of a lease, in the order in which the clients heard of it.
struct Grant {
  std::size_t client = 0;
  Resource resource;
  FenceToken token;
  LockOwner owner;
};

/// The client side of the truth: what was asked and what was answered. Any thread may call it.
class History {
 public:
  struct Request {
    std::size_t client = 0;
    Operation operation;
    std::string intent;
    std::optional<Fence> held;
  };

  /// Notes a request before it is sent; answers the number by which its end is noted.
  std::size_t invoke(Request request);
  void end(std::size_t call, const Result<Outcome>& answer);
  void grant(Grant grant);

  [[nodiscard]] std::vector<Call> calls() const;
  [[nodiscard]] std::vector<Grant> grants() const;

 private:
  mutable Mutex mutex_;
  std::uint64_t ordinal_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::vector<Call> calls_ MIZAN_GUARDED_BY(mutex_);
  std::vector<Grant> grants_ MIZAN_GUARDED_BY(mutex_);
};

/// The intent of a call, or its operation id where none was stated.
[[nodiscard]] std::string intent_of(const Call& call);

/// The history as JSON lines, two per call (`invoke`, then `ok`, `fail` or `info`), in order.
[[nodiscard]] std::string to_json_lines(const std::vector<Call>& calls);

}  // namespace mizan::prover
