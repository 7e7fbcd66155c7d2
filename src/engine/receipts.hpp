#pragma once

#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"

#include "domain/decide.hpp"
#include "engine/wallet_cache.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace mizan::engine {

/// The receipt of an operation that was decided just now. The same, to the letter, as the one that
/// a store reads back. `wallets` knows the wallets of a hold by number.
[[nodiscard]] Receipt make_receipt(const Operation& operation,
                                   const PlannedOperation& planned,
                                   const domain::Decided& decided,
                                   WalletCache& wallets);

/// The answer to an operation whose id is known already: the first answer again, or a mismatch.
[[nodiscard]] Result<Outcome> repeat_answer(const RecordedOperation& recorded,
                                            const Operation& operation,
                                            const Fingerprint& fingerprint);
[[nodiscard]] Result<Outcome> repeat_answer(const Fingerprint& first_fingerprint,
                                            const Outcome& first,
                                            const Operation& operation,
                                            const Fingerprint& fingerprint);

[[nodiscard]] Result<Outcome> refused(Refusal refusal);

/// A field of an item, by its place in the batch: what blames no field stays as it is.
[[nodiscard]] std::string pointer_in_batch(std::size_t index, std::string_view pointer);

}  // namespace mizan::engine
