#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include <string>

namespace mizan {

/// To whoever asks for the past of the world's wallet, which is there as it is now (decision 0008).
/// `pointer`: the field that names it.
[[nodiscard]] Error has_no_history(std::string pointer, const WalletId& world);

}  // namespace mizan
