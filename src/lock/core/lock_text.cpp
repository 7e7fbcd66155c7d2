#include "mizan/lock.hpp"

namespace mizan {

std::string_view to_string(LeaseState state) noexcept {
  switch (state) {
    case LeaseState::held:
      return "held";
    case LeaseState::suspect:
      return "suspect";
    case LeaseState::lost:
      return "lost";
    case LeaseState::released:
      return "released";
  }
  return "";
}

std::string_view to_string(LeaseLoss loss) noexcept {
  switch (loss) {
    case LeaseLoss::not_mine:
      return "not_mine";
    case LeaseLoss::taken:
      return "taken";
    case LeaseLoss::expired:
      return "expired";
    case LeaseLoss::deadline:
      return "deadline";
    case LeaseLoss::server_incarnation:
      return "server_incarnation";
    case LeaseLoss::epoch_changed:
      return "epoch_changed";
    case LeaseLoss::fence_rejected:
      return "fence_rejected";
    case LeaseLoss::max_lifetime:
      return "max_lifetime";
    case LeaseLoss::shutdown:
      return "shutdown";
  }
  return "";
}

}  // namespace mizan
