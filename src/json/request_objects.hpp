#pragma once

#include "mizan/operation.hpp"
#include "mizan/wallet.hpp"

#include "json/value.hpp"

namespace mizan::json {

// The reverse of requests.hpp, for a client: bodies that those functions read back as what they
// were made of.

/// The body of an operation on a route of its own: without id, type and what the path names.
[[nodiscard]] Object request_object(const Operation& operation);

/// An item of a batch: everything.
[[nodiscard]] Object item_object(const Operation& operation);

[[nodiscard]] Object request_object(const NewWallet& wallet);
[[nodiscard]] Object request_object(const WalletPatch& patch);

}  // namespace mizan::json
