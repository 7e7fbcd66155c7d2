#include "engine/admin.hpp"

#include "base/backoff.hpp"
#include "base/random.hpp"
#include "domain/refusals.hpp"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace mizan::engine {
namespace {

/// Runs `work` in a transaction and repeats it whole while the database asks for that, and after a
/// commit of unknown fate: the work is idempotent. From then on no passing failure may claim that
/// nothing was changed.
template <class T>
Result<T> in_transaction(const Context& context,
                         Deadline deadline,
                         const std::function<Result<T>(Transaction&)>& work) {
  Backoff backoff(system_random());
  std::optional<Error> doubt;
  while (true) {
    auto transaction = context.store.begin(deadline);
    Result<T> result =
        transaction ? work(**transaction) : Result<T>(std::move(transaction).error());
    if (!result) context.counters.note_failure(result.error());
    if (result || result.error().retry == Retry::never) return result;
    const bool in_doubt = result.error().certainty == Certainty::unknown;
    if (in_doubt) doubt = result.error();
    const bool again = in_doubt || result.error().retry == Retry::now;
    const auto next = again ? backoff.next(context.clock.now(), deadline) : std::nullopt;
    if (!next) return doubt ? Result<T>(*std::move(doubt)) : std::move(result);
    if (in_doubt) ++context.counters.unknown_retries;
    context.clock.sleep_until(*next);
  }
}

/// Commits, or leaves the work to be rolled back where everything is decided and nothing kept.
Status keep(Transaction& transaction, const CallOptions& call) {
  return call.dry_run ? Status{} : transaction.commit();
}

Error wallet_exists(const Wallet& wallet) {
  return {Code::wallet_exists,
          Certainty::not_applied,
          Retry::never,
          "/id",
          "wallet " + wallet.id.str() + " exists with currency " + wallet.currency.code.str() +
              " and min_balance " +
              (wallet.min_balance ? std::to_string(wallet.min_balance->value()) : "none")};
}

Result<Currency> known_currency(Transaction& transaction, const CurrencyCode& code) {
  if (const auto iso = find_iso_currency(code)) return *iso;
  auto registered = transaction.find_currency(code);
  if (!registered) return std::move(registered).error();
  if (*registered) return **registered;
  return invalid_request("/currency",
                         "currency " + code.str() +
                             " is not known; register it with its exponent first "
                             "(mizan currency add)");
}

Result<Wallet> load_wallet(Transaction& transaction, const WalletId& id) {
  const WalletId ids[] = {id};
  auto states = transaction.load_wallets(ids, LoadLock::update);
  if (!states) return std::move(states).error();
  if (!states->front()) return internal_error("load wallet", "wallet " + id.str() + " is gone");
  return transaction.load_wallet_details(*states->front());
}

Result<std::size_t> end_due_holds(const Context& context, Transaction& transaction) {
  WalletCache cache;
  Decider decider(transaction, cache, 1, context.clock.wall_now(), LoadLock::update);
  return decider.expire_holds();
}

Result<WalletCreated> create_in(const Context& context,
                                Transaction& transaction,
                                const NewWallet& wallet,
                                const CallOptions& call) {
  auto currency = known_currency(transaction, wallet.currency);
  if (!currency) return std::move(currency).error();
  auto inserted = transaction.insert_wallet(wallet, context.clock.wall_now());
  if (!inserted) return std::move(inserted).error();
  if (!*inserted) {
    // Only to show it: a wallet that exists is not written.
    if (auto ended = end_due_holds(context, transaction); !ended) return std::move(ended).error();
  }
  auto loaded = load_wallet(transaction, wallet.id);
  if (!loaded) return std::move(loaded).error();
  if (!*inserted) {
    const bool same =
        loaded->currency.code == wallet.currency && loaded->min_balance == wallet.min_balance;
    if (!same) return wallet_exists(*loaded);
    return WalletCreated{*std::move(loaded), true};
  }
  if (auto status = keep(transaction, call); !status) return std::move(status).error();
  return WalletCreated{*std::move(loaded), false};
}

using Patched = std::variant<Wallet, Refusal>;

/// Answers the wallet as it was written, or why it was not.
Result<Patched> write_patch(Transaction& transaction,
                            const WalletId& id,
                            const WalletPatch& patch) {
  const WalletId ids[] = {id};
  auto states = transaction.load_wallets(ids, LoadLock::update);
  if (!states) return std::move(states).error();
  if (!states->front()) {
    Refusal refusal = domain::wallet_not_found(id, 0, "");
    refusal.pointer = "/id";  // There are no legs.
    return Patched(std::move(refusal));
  }
  auto decided = domain::decide_patch(*states->front(), patch);
  if (auto* refusal = std::get_if<Refusal>(&decided)) return Patched(std::move(*refusal));
  Plan plan;
  WalletChange change;
  change.revision_before = states->front()->revision;
  change.after = std::get<WalletState>(std::move(decided));
  change.after.revision = change.revision_before + 1;
  change.balance_changed = false;
  plan.wallets.push_back(change);
  auto written = transaction.write(plan);
  if (!written) return std::move(written).error();
  if (!std::holds_alternative<WritesDone>(*written)) {
    return Error{Code::contended,
                 Certainty::not_applied,
                 Retry::now,
                 "patch wallet",
                 "the wallet changed meanwhile"};
  }
  if (patch.metadata) {
    auto status = transaction.update_metadata(plan.wallets.front().after.number, *patch.metadata);
    if (!status) return std::move(status).error();
  }
  auto wallet = transaction.load_wallet_details(plan.wallets.front().after);
  if (!wallet) return std::move(wallet).error();
  return Patched(*std::move(wallet));
}

Result<bool> add_currency_in(Transaction& transaction,
                             const Currency& currency,
                             const CallOptions& call) {
  auto inserted = transaction.insert_currency(currency);
  if (!inserted) return std::move(inserted).error();
  if (!*inserted) {
    auto known = transaction.find_currency(currency.code);
    if (!known) return std::move(known).error();
    if (*known && (*known)->exponent == currency.exponent) return false;
    return invalid_request("/exponent",
                           "currency " + currency.code.str() +
                               " is registered with another exponent, which cannot "
                               "be changed: amounts are stored in minor units");
  }
  if (auto status = keep(transaction, call); !status) return std::move(status).error();
  return true;
}

Result<std::size_t> expire_in(const Context& context, Transaction& transaction) {
  auto expired = end_due_holds(context, transaction);
  if (!expired || *expired == 0) return expired;
  if (auto status = transaction.commit(); !status) return std::move(status).error();
  context.counters.holds_expired += *expired;
  return expired;
}

}  // namespace

Result<std::optional<Currency>> find_currency(Store& store, const CurrencyCode& code) {
  if (const auto iso = find_iso_currency(code)) return std::optional<Currency>(*iso);
  auto snapshot = store.snapshot();
  if (!snapshot) return std::move(snapshot).error();
  auto registered = (*snapshot)->list_currencies();
  if (!registered) return std::move(registered).error();
  for (const Currency& currency : *registered) {
    if (currency.code == code) return std::optional<Currency>(currency);
  }
  return std::optional<Currency>();
}

Result<WalletCreated> create_wallet(const Context& context,
                                    const NewWallet& wallet,
                                    const CallOptions& call) {
  if (auto id = parse_wallet_id(wallet.id.view()); !id) return std::move(id).error();
  if (is_system_wallet(wallet.id)) {
    return invalid_request("/id", "wallet ids that begin with @ belong to the ledger");
  }
  if (wallet.min_balance && wallet.min_balance->value() > 0) {
    return invalid_request("/min_balance",
                           "a new wallet is empty: min_balance is 0, negative or none");
  }
  return in_transaction<WalletCreated>(context, call.deadline, [&](Transaction& transaction) {
    return create_in(context, transaction, wallet, call);
  });
}

Result<std::variant<Wallet, Refusal>> patch_wallet(const Context& context,
                                                   const WalletId& id,
                                                   const WalletPatch& patch,
                                                   const CallOptions& call) {
  if (is_system_wallet(id)) {
    return invalid_request("/id", "wallets that begin with @ belong to the ledger");
  }
  const auto work = [&](Transaction& transaction) -> Result<Patched> {
    // A hold whose deadline has passed must not stand in the way.
    auto expired = end_due_holds(context, transaction);
    if (!expired) return std::move(expired).error();
    auto patched = write_patch(transaction, id, patch);
    if (!patched || std::holds_alternative<Refusal>(*patched)) return patched;
    if (auto status = keep(transaction, call); !status) return std::move(status).error();
    if (!call.dry_run) context.counters.holds_expired += *expired;
    return patched;
  };
  return in_transaction<Patched>(context, call.deadline, work);
}

Result<bool> add_currency(const Context& context,
                          const Currency& currency,
                          const CallOptions& call) {
  if (auto code = parse_currency_code(currency.code.view()); !code) return std::move(code).error();
  if (currency.exponent > exponent_max) {
    return invalid_request("/exponent", "an exponent is 0–18");
  }
  if (const auto iso = find_iso_currency(currency.code)) {
    if (iso->exponent == currency.exponent) return false;
    return invalid_request("/code",
                           "currency " + currency.code.str() +
                               " is built in (ISO 4217) with exponent " +
                               std::to_string(iso->exponent));
  }
  return in_transaction<bool>(context, call.deadline, [&](Transaction& transaction) {
    return add_currency_in(transaction, currency, call);
  });
}

Result<std::size_t> expire_holds(const Context& context, Deadline deadline) {
  return in_transaction<std::size_t>(
      context, deadline, [&](Transaction& transaction) { return expire_in(context, transaction); });
}

}  // namespace mizan::engine
