#include "base/no_history.hpp"

#include <utility>

namespace mizan {

Error has_no_history(std::string pointer, const WalletId& world) {
  return invalid_request(std::move(pointer),
                         world.str() +
                             " has no entries of its own: its balance is derived from the other "
                             "wallets as they are now");
}

}  // namespace mizan
