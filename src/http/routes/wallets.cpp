#include "base/match.hpp"
#include "base/no_history.hpp"
#include "base/text.hpp"
#include "http/answers.hpp"
#include "http/query.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/cursor.hpp"
#include "json/requests.hpp"
#include "json/shapes.hpp"

#include <array>
#include <optional>
#include <utility>
#include <variant>

namespace mizan::http {
namespace {

Response no_such_wallet(const Exchange& exchange, const WalletId& id) {
  Refusal refusal;
  refusal.code = Code::wallet_not_found;
  refusal.detail = "there is no wallet " + id.str();
  refusal.pointer = "/id";
  refusal.wallet = id;
  return refusal_response(refusal, problem_context(exchange));
}

/// The wallet that the path names.
Result<WalletId> wallet_in_path(const Exchange& exchange) {
  auto id = parse_wallet_id(exchange.parameter(0));
  if (!id) return invalid_request("/id", id.error().detail);
  return id;
}

Response create(Services& services, Exchange& exchange) {
  auto wallet = json::parse_new_wallet(exchange.request.body);
  if (!wallet) return wrong(exchange, wallet.error());
  CallOptions options;
  options.deadline = services.deadline(exchange);
  options.dry_run = wallet->dry_run;
  auto created = services.ledger.create_wallet(*wallet, options);
  if (!created) return wrong(exchange, created.error());
  return json_response(created->existed ? 200 : 201, json::to_object(created->wallet).text());
}

Response patch(Services& services, Exchange& exchange) {
  auto id = wallet_in_path(exchange);
  if (!id) return wrong(exchange, id.error());
  auto change = json::parse_wallet_patch(exchange.request.body);
  if (!change) return wrong(exchange, change.error());
  CallOptions options;
  options.deadline = services.deadline(exchange);
  auto patched = services.ledger.patch_wallet(*id, *change, options);
  if (!patched) return wrong(exchange, patched.error());
  return std::visit(
      Match{[](const Wallet& wallet) { return json_response(200, json::to_object(wallet).text()); },
            [&](const Refusal& refusal) {
              return refusal_response(refusal, problem_context(exchange));
            }},
      *patched);
}

/// A wallet, or what is answered instead.
template <class T>
using Found = Result<T, Response>;

Found<WorldWallet> find_world(Snapshot& snapshot,
                              const Exchange& exchange,
                              const CurrencyCode& currency) {
  auto world = snapshot.find_world(currency);
  if (!world) return wrong(exchange, world.error());
  if (!*world) return no_such_wallet(exchange, world_wallet(currency));
  return **std::move(world);
}

Response show(Services& services, Exchange& exchange) {
  auto id = wallet_in_path(exchange);
  if (!id) return wrong(exchange, id.error());
  auto snapshot = snapshot_for(services, exchange);
  if (!snapshot) return wrong(exchange, snapshot.error());
  if (const auto currency = world_currency(*id)) {
    const auto world = find_world(**snapshot, exchange, *currency);
    return world ? json_response(200, json::to_object(*world).text()) : world.error();
  }
  auto wallet = (*snapshot)->find_wallet(*id);
  if (!wallet) return wrong(exchange, wallet.error());
  if (!*wallet) return no_such_wallet(exchange, *id);
  return json_response(200, json::to_object(**wallet).text());
}

/// The wallets behind the cursor; absent: from the beginning.
Result<std::optional<WalletId>> wallets_after(const Query& query) {
  const std::string* cursor = query.find("cursor");
  if (cursor == nullptr) return std::optional<WalletId>();
  auto after = json::parse_wallets_cursor(*cursor);
  if (!after) return std::move(after).error();
  return std::optional(*after);
}

Response list(Services& services, Exchange& exchange) {
  const auto query = Query::read(exchange.request.target, {"limit", "cursor"});
  if (!query) return wrong(exchange, query.error());
  const auto limit = query->limit();
  if (!limit) return wrong(exchange, limit.error());
  auto after = wallets_after(*query);
  if (!after) return wrong(exchange, after.error());
  auto snapshot = snapshot_for(services, exchange);
  if (!snapshot) return wrong(exchange, snapshot.error());
  auto page = (*snapshot)->list_wallets(*after, *limit);
  if (!page) return wrong(exchange, page.error());
  json::Array items;
  for (const Wallet& wallet : page->items) items.add(json::to_object(wallet));
  std::optional<std::string> next;
  if (page->next) next = json::wallets_cursor(*page->next);
  return json_response(200, json::list_object(items, next).text());
}

/// Reads a time of the query; absent stays absent.
json::Parsed<std::optional<Timestamp>> time_of(const Query& query, std::string_view name) {
  const std::string* text = query.find(name);
  if (text == nullptr) return std::optional<Timestamp>();
  const auto time = parse_rfc3339(*text);
  if (time) return time;
  return bad_parameter(name, "a time is RFC 3339, such as 2026-03-01T12:00:00Z");
}

json::Parsed<EntryQuery> entry_query(const Exchange& exchange, const WalletId& wallet) {
  const auto query = Query::read(exchange.request.target, {"limit", "cursor", "from", "to"});
  if (!query) return query.error();
  const auto limit = query->limit();
  if (!limit) return limit.error();
  const auto from = time_of(*query, "from");
  if (!from) return from.error();
  const auto to = time_of(*query, "to");
  if (!to) return to.error();
  EntryQuery entries;
  entries.wallet = wallet;
  entries.limit = *limit;
  entries.from = *from;
  entries.to = *to;
  const std::string* cursor = query->find("cursor");
  if (cursor == nullptr) return entries;
  const auto before = json::parse_entries_cursor(*cursor, wallet);
  if (!before) return bad_parameter("cursor", before.error().detail);
  entries.before_version = *before;
  return entries;
}

Found<Wallet> find_with_history(Snapshot& snapshot, const Exchange& exchange, const WalletId& id) {
  if (const auto currency = world_currency(id)) {
    const auto world = find_world(snapshot, exchange, *currency);
    return world ? wrong(exchange, has_no_history("/id", id)) : world.error();
  }
  auto wallet = snapshot.find_wallet(id);
  if (!wallet) return wrong(exchange, wallet.error());
  if (!*wallet) return no_such_wallet(exchange, id);
  return **std::move(wallet);
}

Response entries(Services& services, Exchange& exchange) {
  auto id = wallet_in_path(exchange);
  if (!id) return wrong(exchange, id.error());
  const auto query = entry_query(exchange, *id);
  if (!query) return wrong(exchange, query.error());
  auto snapshot = snapshot_for(services, exchange);
  if (!snapshot) return wrong(exchange, snapshot.error());
  const auto wallet = find_with_history(**snapshot, exchange, *id);
  if (!wallet) return wallet.error();
  auto page = (*snapshot)->list_entries(*query);
  if (!page) return wrong(exchange, page.error());
  json::Array items;
  for (const Entry& entry : page->items) items.add(json::to_object(entry));
  std::optional<std::string> next;
  if (page->next) next = json::entries_cursor(*id, *page->next);
  return json_response(200, json::list_object(items, next).text());
}

/// The moment that the query asks for: a time, a version, or neither for now.
struct Moment {
  std::optional<Timestamp> time;
  std::optional<std::uint64_t> version;

  [[nodiscard]] bool is_now() const noexcept { return !time && !version; }
};

json::Parsed<Moment> moment_of(const Exchange& exchange) {
  const auto query = Query::read(exchange.request.target, {"at", "version"});
  if (!query) return query.error();
  const auto time = time_of(*query, "at");
  if (!time) return time.error();
  Moment moment;
  moment.time = *time;
  const std::string* version = query->find("version");
  if (version == nullptr) return moment;
  if (moment.time) return bad_parameter("version", "a balance is asked for at a time or a version");
  moment.version = parse_unsigned(*version);
  if (!moment.version) return bad_parameter("version", "a version is a whole number, 0 or more");
  return moment;
}

json::Object balance_object(const WalletId& wallet, const Currency& currency) {
  json::Object object;
  object.set("wallet", wallet).set("currency", currency.code).set("exponent", currency.exponent);
  return object;
}

Response balance_of_world(Snapshot& snapshot,
                          const Exchange& exchange,
                          const CurrencyCode& currency) {
  const auto world = find_world(snapshot, exchange, currency);
  if (!world) return world.error();
  return json_response(200,
                       balance_object(world->id, world->currency)
                           .set("balance", world->balance)
                           .set("version", nullptr)
                           .set("at", nullptr)
                           .text());
}

Result<std::optional<BalanceAt>> find_balance(Snapshot& snapshot,
                                              const Wallet& wallet,
                                              const Moment& moment) {
  if (moment.time) return snapshot.balance_at_time(wallet.id, *moment.time);
  return snapshot.balance_at_version(wallet.id, moment.version.value_or(wallet.version));
}

Response balance(Services& services, Exchange& exchange) {
  auto id = wallet_in_path(exchange);
  if (!id) return wrong(exchange, id.error());
  const auto moment = moment_of(exchange);
  if (!moment) return wrong(exchange, moment.error());
  auto snapshot = snapshot_for(services, exchange);
  if (!snapshot) return wrong(exchange, snapshot.error());
  const auto currency = world_currency(*id);
  if (currency && moment->is_now()) return balance_of_world(**snapshot, exchange, *currency);
  const auto wallet = find_with_history(**snapshot, exchange, *id);
  if (!wallet) return wallet.error();
  auto found = find_balance(**snapshot, *wallet, *moment);
  if (!found) return wrong(exchange, found.error());
  if (!*found) {
    return wrong(exchange, bad_parameter("version", "the wallet has no such version yet"));
  }
  return json_response(200,
                       balance_object(wallet->id, wallet->currency)
                           .set("balance", (*found)->balance)
                           .set("version", (*found)->version)
                           .set("at", (*found)->at)
                           .text());
}

constexpr std::array routes{
    list_route("/v1/wallets", on_reader<list>),
    Route{Method::post,
          "/v1/wallets",
          plain<on_writer<create>>,
          Scope::write,
          Order::alone,
          body_small},
    Route{Method::get, "/v1/wallets/{id}", plain<on_reader<show>>},
    Route{Method::patch,
          "/v1/wallets/{id}",
          plain<on_writer<patch>>,
          Scope::write,
          Order::alone,
          body_small},
    list_route("/v1/wallets/{id}/entries", on_reader<entries>),
    Route{Method::get, "/v1/wallets/{id}/balance", on_reader<balance>},
};

}  // namespace

std::span<const Route> wallet_routes() {
  return routes;
}

}  // namespace mizan::http
