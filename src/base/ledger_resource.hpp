#pragma once

#include "mizan/ids.hpp"

#include <string_view>

namespace mizan {

// The locks that the ledger takes for itself have names that nobody else can state (decision 0025):
// a fence or a lock of a user's can be neither in their way nor above their tokens.

/// Does the name belong to the ledger? Whatever a user states is refused then.
[[nodiscard]] bool is_ledger_resource(const Resource& resource) noexcept;

/// What to answer to a user who states such a name, as a rule.
inline constexpr std::string_view ledger_resource_rule =
    "a resource that begins with mizan: belongs to the ledger; a lock of your own has another name";

/// The name of a lock of the ledger's own: `mizan:KIND/ID`, such as `mizan:wallet/alice`.
[[nodiscard]] Resource ledger_resource(std::string_view kind, std::string_view id);

}  // namespace mizan
