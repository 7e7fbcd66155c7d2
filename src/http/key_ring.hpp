#pragma once

#include "mizan/clock.hpp"
#include "mizan/key_table.hpp"

#include "base/mutex.hpp"
#include "http/exchange.hpp"
#include "http/route.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace mizan::http {

/// Who may do what: the keys of the store, read anew every two seconds, so that nobody waits for
/// the database to be let in, and a key that was revoked ends within that time.
/// Threads: any.
class KeyRing {
 public:
  /// Reads the keys once before it returns. Both must outlive it.
  KeyRing(KeyTable& table, const Clock& clock);
  KeyRing(const KeyRing&) = delete;
  KeyRing& operator=(const KeyRing&) = delete;
  ~KeyRing();

  /// May whoever shows this header `Authorization` do what needs that scope? It counts against the
  /// key's rate.
  [[nodiscard]] Access check(std::string_view authorization, Scope needed);

 private:
  /// A key with what is left of its rate.
  struct Known {
    KeyRecord record;
    double left = 0;
    Instant counted_at{};
  };

  [[nodiscard]] bool take_one(Known& key) const;
  void read_again();
  void run();

  KeyTable& table_;
  const Clock& clock_;
  Mutex mutex_;
  std::condition_variable_any wake_;
  std::map<std::string, Known, std::less<>> keys_ MIZAN_GUARDED_BY(mutex_);
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace mizan::http
