#pragma once

#include "mizan/ledger.hpp"

#include "engine/attempt.hpp"

#include <variant>

namespace mizan::engine {

// What is done to wallets and currencies without moving money. Each in a transaction of its own,
// retried whole where the database asks for it. A call states its deadline.

[[nodiscard]] Result<std::optional<Currency>> find_currency(Store& store, const CurrencyCode& code);
[[nodiscard]] Result<WalletCreated> create_wallet(const Context& context,
                                                  const NewWallet& wallet,
                                                  const CallOptions& call);
[[nodiscard]] Result<std::variant<Wallet, Refusal>> patch_wallet(const Context& context,
                                                                 const WalletId& id,
                                                                 const WalletPatch& patch,
                                                                 const CallOptions& call);
[[nodiscard]] Result<bool> add_currency(const Context& context,
                                        const Currency& currency,
                                        const CallOptions& call);
[[nodiscard]] Result<std::size_t> expire_holds(const Context& context, Deadline deadline);

}  // namespace mizan::engine
