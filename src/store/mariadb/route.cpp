#include "store/mariadb/route.hpp"

namespace mizan::mariadb {

void Route::leave(std::size_t node) noexcept {
  std::size_t expected = node;
  current_.compare_exchange_strong(expected, (node + 1) % nodes_.size());
}

bool Route::belongs(std::string_view cluster) {
  const MutexLock lock(mutex_);
  if (cluster_.empty()) cluster_ = cluster;
  return cluster_ == cluster;
}

}  // namespace mizan::mariadb
