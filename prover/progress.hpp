#pragma once

#include "base/mutex.hpp"
#include "prover/console.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace mizan::prover {

/// What several stores do at once, told to one reader: whole pieces of text, and below them on a
/// terminal one line of what is being done. Any thread may call it.
class Progress {
 public:
  /// `quiet`: the pieces are for nobody, since one document comes at the end.
  Progress(const Console& console, std::size_t steps, bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void begins(const std::string& store, std::string_view step);

  /// The step is over; `text` says how, in whole lines.
  void ended(const std::string& store, std::string_view text);

 private:
  void draw() MIZAN_REQUIRES(mutex_);
  void wipe() MIZAN_REQUIRES(mutex_);

  const Console& console_;
  const std::size_t steps_;
  const bool quiet_;
  Mutex mutex_;
  std::size_t done_ MIZAN_GUARDED_BY(mutex_) = 0;
  bool drawn_ MIZAN_GUARDED_BY(mutex_) = false;
  std::map<std::string, std::string> doing_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::prover
