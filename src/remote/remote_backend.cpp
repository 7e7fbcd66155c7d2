#include "cli/backend.hpp"
#include "json/request_objects.hpp"
#include "json/requests.hpp"
#include "json/shapes.hpp"
#include "remote/judgement.hpp"
#include "remote/percent.hpp"
#include "remote/remote.hpp"
#include "remote/remote_events.hpp"
#include "remote/remote_reader.hpp"
#include "remote/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mizan::remote {
namespace {

/// Of one request of a batch: far below what a server takes, and soon answered.
constexpr std::size_t piece_items_max = 2'000;
constexpr std::size_t piece_size_max = std::size_t{4} * 1024 * 1024;

/// A dry run sees what is in its own request only, so it takes the largest that there is.
constexpr std::size_t dry_items_max = 10'000;
constexpr std::size_t dry_size_max = std::size_t{24} * 1024 * 1024;

std::string path_of(const OperationBody& body) {
  switch (type_of(body)) {
    case OperationType::transfer:
      return "/v1/transfers";
    case OperationType::deposit:
      return "/v1/deposits";
    case OperationType::withdraw:
      return "/v1/withdrawals";
    case OperationType::hold:
      return "/v1/holds";
    case OperationType::capture:
      return fmt::format("/v1/holds/{}/capture",
                         percent_encoded(std::get<CaptureHold>(body).hold.view()));
    case OperationType::void_hold:
      return fmt::format("/v1/holds/{}/void",
                         percent_encoded(std::get<VoidHold>(body).hold.view()));
    case OperationType::reverse:
      return fmt::format("/v1/operations/{}/reverse",
                         percent_encoded(std::get<Reverse>(body).operation.view()));
  }
  return {};
}

class RemoteBackend final : public cli::Backend {
 public:
  explicit RemoteBackend(std::unique_ptr<Server> server) noexcept : server_(std::move(server)) {}

  Result<std::unique_ptr<cli::Reader>> read() override { return make_reader(*server_); }

  Result<Outcome> apply(const Operation& operation, const CallOptions& options) override {
    json::Object body = json::request_object(operation);
    set_options(body, options);
    auto reply = server_->ask({.method = "POST",
                               .path = path_of(operation.body),
                               .body = body.text(),
                               .id = operation.id,
                               .deadline = deadline(options),
                               .effect = options.dry_run ? Effect::none : Effect::writes});
    if (!reply) return std::move(reply).error();
    if (reply->problem) return judge_problem(*reply, *reply->problem);
    auto outcome = judge_receipt(*server_, reply->document, operation);
    if (outcome) complete(*outcome);
    return outcome;
  }

  std::vector<Result<Outcome>> apply_batch(std::span<const Operation> operations,
                                           const CallOptions& options) override {
    std::vector<Result<Outcome>> results;
    results.reserve(operations.size());
    while (results.size() < operations.size()) {
      apply_piece(operations.subspan(results.size()), options, results);
    }
    return results;
  }

  Result<WalletCreated> create_wallet(const NewWallet& wallet,
                                      const CallOptions& options) override {
    json::Object body = json::request_object(wallet);
    if (options.dry_run) body.set("dry_run", true);
    auto reply = server_->ask({.method = "POST",
                               .path = "/v1/wallets",
                               .body = body.text(),
                               .deadline = deadline(options),
                               .effect = options.dry_run ? Effect::none : Effect::writes});
    if (!reply) return std::move(reply).error();
    if (reply->problem) return failure_of(*reply);
    auto created = accept(*server_, json::read_wallet(reply->document), Effect::writes);
    if (!created) return std::move(created).error();
    if (created->id != wallet.id) {
      return not_mizan(*server_, "the answer is about another wallet", Effect::writes);
    }
    return WalletCreated{std::move(*created), reply->status == 200};
  }

  Result<std::variant<Wallet, Refusal>> patch_wallet(const WalletId& id,
                                                     const WalletPatch& patch,
                                                     const CallOptions& options) override {
    auto reply = server_->ask({.method = "PATCH",
                               .path = "/v1/wallets/" + percent_encoded(id.view()),
                               .body = json::request_object(patch).text(),
                               .deadline = deadline(options),
                               .effect = Effect::writes});
    if (!reply) return std::move(reply).error();
    if (reply->problem && !reply->was_lost && is_refusal(reply->problem->refusal.code)) {
      return std::variant<Wallet, Refusal>{reply->problem->refusal};
    }
    if (reply->problem) return failure_of(*reply);
    auto wallet = accept(*server_, json::read_wallet(reply->document), Effect::writes);
    if (!wallet) return std::move(wallet).error();
    if (wallet->id != id) {
      return not_mizan(*server_, "the answer is about another wallet", Effect::writes);
    }
    return std::variant<Wallet, Refusal>{std::move(*wallet)};
  }

  Result<bool> add_currency(const Currency& currency, const CallOptions& options) override {
    auto reply = server_->ask({.method = "POST",
                               .path = "/v1/currencies",
                               .body = json::to_object(currency).text(),
                               .deadline = deadline(options),
                               .effect = Effect::writes});
    if (!reply) return std::move(reply).error();
    if (reply->problem) return failure_of(*reply);
    auto added = accept(*server_, json::read_currency(reply->document), Effect::writes);
    if (!added) return std::move(added).error();
    if (*added != currency) {
      return not_mizan(*server_, "the answer is about another currency", Effect::writes);
    }
    return reply->status == 201;
  }

  Result<EventPage> read_events(const EventQuery& query) override {
    return remote::read_events(*server_, query);
  }

  Result<EventPage> wait_for_events(const EventQuery& query, Deadline deadline) override {
    const auto left = deadline - server_->clock().now();
    return remote::read_events(
        *server_, query, std::chrono::duration_cast<std::chrono::milliseconds>(left));
  }

 private:
  [[nodiscard]] Deadline deadline(const CallOptions& options) const {
    return options.deadline == Deadline::max() ? server_->deadline() : options.deadline;
  }

  void set_options(json::Object& body, const CallOptions& options) const {
    const auto strategy = options.strategy ? options.strategy : server_->strategy();
    if (strategy) body.set("strategy", to_string(*strategy));
    if (options.dry_run) body.set("dry_run", true);
  }

  /// What a person is shown of a hold needs its currency, which its shape does not tell.
  void complete(Outcome& outcome) {
    const Receipt* receipt = receipt_of(outcome);
    if (receipt == nullptr || !receipt->hold || !receipt->hold->currency.empty()) return;
    Hold hold = *receipt->hold;
    find_currency_of(hold, *make_reader(*server_));
    Receipt with_currency = *receipt;
    with_currency.hold = std::make_shared<const Hold>(hold);
    if (std::holds_alternative<Applied>(outcome)) {
      outcome = Applied{std::move(with_currency)};
    } else {
      outcome = AlreadyApplied{std::move(with_currency)};
    }
  }

  /// As many from the front as one request takes; adds their results.
  void apply_piece(std::span<const Operation> operations,
                   const CallOptions& options,
                   std::vector<Result<Outcome>>& results) {
    const std::size_t items_max = options.dry_run ? dry_items_max : piece_items_max;
    const std::size_t size_max = options.dry_run ? dry_size_max : piece_size_max;
    std::string body = "{\"operations\":[";
    std::size_t count = 0;
    while (count < std::min(operations.size(), items_max)) {
      const std::string item = json::item_object(operations[count]).text();
      if (count > 0 && body.size() + item.size() > size_max) break;
      if (count > 0) body += ',';
      body += item;
      ++count;
    }
    body += "]";
    json::Object rest;
    set_options(rest, options);
    const std::string members = rest.text().substr(1);
    if (members.size() > 1) body += ',';
    body += members;
    add_results(ask_batch(std::move(body), options), operations.first(count), results);
  }

  Result<Reply> ask_batch(std::string body, const CallOptions& options) {
    auto reply = server_->ask({.method = "POST",
                               .path = "/v1/batch",
                               .body = std::move(body),
                               .deadline = deadline(options),
                               .effect = options.dry_run ? Effect::none : Effect::writes});
    if (reply && reply->problem) return failure_of(*reply);
    return reply;
  }

  void add_results(const Result<Reply>& reply,
                   std::span<const Operation> operations,
                   std::vector<Result<Outcome>>& results) {
    const json::Node* nodes = reply ? reply->document.find("results") : nullptr;
    const bool is_whole = nodes != nullptr && nodes->items().size() == operations.size();
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!reply) {
        results.emplace_back(reply.error());
      } else if (!is_whole) {
        results.emplace_back(
            not_mizan(*server_, "a batch has one result for each item", Effect::writes));
      } else {
        results.push_back(judge_item(*reply, nodes->items()[i], operations, i));
      }
    }
  }

  Result<Outcome> judge_item(const Reply& reply,
                             const json::Node& node,
                             std::span<const Operation> operations,
                             std::size_t index) {
    const Operation& operation = operations[index];
    if (node.find("outcome") != nullptr) return judge_receipt(*server_, node, operation);
    auto problem = accept(*server_, json::read_problem(node), Effect::writes);
    if (!problem) return std::move(problem).error();
    // A field is named by its place in the batch, which the caller does not see.
    if (json::item_of(problem->refusal.pointer) == index) {
      problem->refusal.pointer.erase(0, json::item_pointer(index).size());
    }
    const Code code = problem->refusal.code;
    const bool is_problem = problem->code && code != Code::applied && code != Code::already_applied;
    if (is_problem) return judge_problem(reply, *problem);
    return not_mizan(*server_, "an item of a batch has no result", Effect::writes);
  }

  std::unique_ptr<Server> server_;
};

}  // namespace

Result<std::unique_ptr<cli::Backend>> open_backend(const cli::RemotePlace& place,
                                                   const Surroundings& around) {
  auto client = http_client::make_client(around.clock, {.ca_file = place.ca_file});
  auto server = std::make_unique<Server>(place, std::move(client), around);
  return std::unique_ptr<cli::Backend>(std::make_unique<RemoteBackend>(std::move(server)));
}

}  // namespace mizan::remote
