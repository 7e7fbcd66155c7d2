#pragma once

#include "mizan/redis.hpp"
#include "mizan/result.hpp"

#include "prover/workers/child.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::prover {

/// Which lock the scenarios work with.
enum class LockKind : std::uint8_t {
  by_default,  ///< Each store's own leases; where Redis is the point, a private one.
  store,       ///< `store:`: each store's own leases, and nothing else.
  memory,      ///< `memory:`: a lock within one process.
  none,        ///< `none:`: everybody is granted it at once.
  redis,       ///< The user's Redis.
};

/// The lock as the scenarios see it. The URL itself is in the environment; see redis_lock_options.
struct LockTarget {
  LockKind kind = LockKind::by_default;
  std::string prefix;              ///< Of the prover's own keys in the user's Redis.
  bool allow_destructive = false;  ///< It may be emptied and held up.
};

/// By the scheme of the URL; empty means by_default. `invalid_request` for what is none.
[[nodiscard]] Result<LockKind> lock_kind_of(std::string_view url);

/// How the lock is called in a report: its scheme, without anything secret.
[[nodiscard]] std::string describe_lock(const LockTarget& lock);

/// The user's Redis, with this prefix for the keys.
[[nodiscard]] Result<RedisOptions> redis_lock_options(const std::string& prefix);

/// The prover's own keys in the user's Redis, below a random prefix that nobody else has. A
/// process of its own removes them when this one ends, however it ends.
class LockGround {
 public:
  /// Connects, and looks that nothing has the prefix.
  [[nodiscard]] static Result<std::unique_ptr<LockGround>> open(const std::string& url, bool keep);
  LockGround(const LockGround&) = delete;
  LockGround& operator=(const LockGround&) = delete;
  ~LockGround();

  [[nodiscard]] const std::string& prefix() const noexcept { return prefix_; }

 private:
  explicit LockGround(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string prefix_;
  std::optional<Child> janitor_;  // Nothing: everything is kept.
};

}  // namespace mizan::prover
