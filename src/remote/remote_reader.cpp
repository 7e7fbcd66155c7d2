#include "remote/remote_reader.hpp"

#include "remote/judgement.hpp"
#include "remote/percent.hpp"
#include "remote/remote_journal.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

namespace mizan::remote {
namespace {

using cli::Cursor;
using cli::Journal;
using cli::Reader;

std::string wallet_path(const WalletId& id) {
  return "/v1/wallets/" + percent_encoded(id.view());
}

bool is_problem(const Reply& reply, Code code) {
  return reply.problem && reply.problem->refusal.code == code;
}

class RemoteReader final : public Reader {
 public:
  explicit RemoteReader(Server& server) noexcept : server_(server) {}

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    return find(wallet_path(id), Code::wallet_not_found, json::read_wallet);
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& code) override {
    const std::string path = wallet_path(world_wallet(code));
    return find(path, Code::wallet_not_found, json::read_world_wallet);
  }

  /// The world's wallet of a currency tells its decimals, whoever holds some of it.
  Result<std::optional<Currency>> find_currency(const CurrencyCode& code) override {
    if (auto iso = find_iso_currency(code)) return iso;
    const auto known = currencies_.find(code.str());
    if (known != currencies_.end()) return known->second;
    auto world = find_world(code);
    if (!world) return std::move(world).error();
    std::optional<Currency> currency;
    if (*world) currency = (*world)->currency;
    currencies_.emplace(code.str(), currency);
    return currency;
  }

  Result<std::vector<Currency>> list_registered_currencies() override {
    auto page = list("/v1/currencies", std::nullopt, json::read_currency);
    if (!page) return std::move(page).error();
    return std::move(page->items);
  }

  Result<Page<Wallet, std::string>> list_wallets(const Cursor& cursor, std::size_t limit) override {
    return list(fmt::format("/v1/wallets?limit={}", limit), cursor, json::read_wallet);
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    auto reply = get("/v1/operations/" + percent_encoded(id.view()));
    if (!reply) return std::move(reply).error();
    std::optional<RecordedOperation> found;
    if (reply->problem) {
      const Refusal& refusal = reply->problem->refusal;
      // A refusal that is recorded names the operation; one of the question does not.
      if (reply->problem->operation == id && is_refusal(refusal.code)) {
        found.emplace().refusal = std::make_shared<const Refusal>(refusal);
        return found;
      }
      if (refusal.code == Code::operation_not_found) return found;
      return failure_of(*reply);
    }
    auto answer = accept(server_, json::read_receipt(reply->document), Effect::none);
    if (!answer) return std::move(answer).error();
    if (answer->receipt.id != id) {
      return not_mizan(server_, "the receipt is of another operation", Effect::none);
    }
    found.emplace().receipt = std::move(answer->receipt);
    complete(found->receipt);
    return found;
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    const std::string path = "/v1/holds/" + percent_encoded(id.view());
    auto hold = find(path, Code::hold_not_found, json::read_hold);
    if (hold && *hold) find_currency_of(**hold, *this);
    return hold;
  }

  Result<Page<Entry, std::string>> list_entries(EntryQuery query, const Cursor& cursor) override {
    std::string path = fmt::format("{}/entries?limit={}", wallet_path(query.wallet), query.limit);
    if (query.from) path += "&from=" + percent_encoded(to_rfc3339(*query.from));
    if (query.to) path += "&to=" + percent_encoded(to_rfc3339(*query.to));
    return list(path, cursor, json::read_entry);
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    return balance(wallet_path(id) + "/balance?at=" + percent_encoded(to_rfc3339(time)));
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    return balance(fmt::format("{}/balance?version={}", wallet_path(id), version));
  }

  Result<std::unique_ptr<Journal>> journal() override { return read_journal(server_, *this); }

 private:
  Result<Reply> get(std::string path) {
    return server_.ask({.path = std::move(path), .deadline = server_.deadline()});
  }

  template <class T>
  Result<std::optional<T>> find(std::string path,
                                Code absent,
                                json::Parsed<T> (*read)(const json::Node&)) {
    auto reply = get(std::move(path));
    if (!reply) return std::move(reply).error();
    if (is_problem(*reply, absent)) return std::optional<T>{};
    if (reply->problem) return failure_of(*reply);
    auto value = accept(server_, read(reply->document), Effect::none);
    if (!value) return std::move(value).error();
    return std::optional<T>{std::move(*value)};
  }

  Result<std::optional<BalanceAt>> balance(std::string path) {
    auto reply = get(std::move(path));
    if (!reply) return std::move(reply).error();
    const bool is_to_come =
        is_problem(*reply, Code::invalid_request) && reply->problem->refusal.pointer == "/version";
    if (is_to_come) return std::optional<BalanceAt>{};
    if (reply->problem) return failure_of(*reply);
    auto value = accept(server_, json::read_balance_at(reply->document), Effect::none);
    if (!value) return std::move(value).error();
    return std::optional<BalanceAt>{*value};
  }

  template <class T>
  Result<Page<T, std::string>> list(std::string path,
                                    const Cursor& cursor,
                                    json::Parsed<T> (*read)(const json::Node&)) {
    if (cursor) path += "&cursor=" + percent_encoded(*cursor);
    auto reply = get(std::move(path));
    if (!reply) return std::move(reply).error();
    if (reply->problem) return failure_of(*reply);
    auto answer = accept(server_, json::read_list(reply->document), Effect::none);
    if (!answer) return std::move(answer).error();
    // A server that never comes to an end would be asked for ever.
    if (answer->next_cursor && (answer->items->empty() || answer->next_cursor == cursor)) {
      return not_mizan(server_, "a page leads to itself", Effect::none);
    }
    Page<T, std::string> page{{}, std::move(answer->next_cursor)};
    for (const json::Node& item : *answer->items) {
      auto value = accept(server_, read(item), Effect::none);
      if (!value) return std::move(value).error();
      page.items.push_back(std::move(*value));
    }
    return page;
  }

  void complete(Receipt& receipt) {
    if (!receipt.hold) return;
    Hold hold = *receipt.hold;
    find_currency_of(hold, *this);
    receipt.hold = std::make_shared<const Hold>(std::move(hold));
  }

  Server& server_;
  std::map<std::string, std::optional<Currency>> currencies_;
};

}  // namespace

std::unique_ptr<cli::Reader> make_reader(Server& server) {
  return std::make_unique<RemoteReader>(server);
}

void find_currency_of(Hold& hold, cli::Reader& reader) {
  if (!hold.currency.empty()) return;
  const auto wallet = reader.find_wallet(hold.wallet);
  if (wallet && *wallet) hold.currency = (*wallet)->currency.code;
}

}  // namespace mizan::remote
