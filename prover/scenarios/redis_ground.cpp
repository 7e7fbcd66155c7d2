#include "prover/scenarios/redis_ground.hpp"

#include "mizan/redis.hpp"

#include "prover/mutants/redis_mutants.hpp"
#include "prover/scenarios/common.hpp"

#include <array>
#include <utility>
#include <variant>

namespace mizan::prover {

namespace {

RedisOptions options_for(const testkit::RedisServer& server) {
  RedisOptions options;
  options.addresses = {{"127.0.0.1", server.port()}};
  return options;
}

}  // namespace

std::unique_ptr<testkit::RedisServer> start_redis(Run& run, testkit::RedisServerOptions options) {
  if (const auto missing = testkit::RedisServer::why_missing()) {
    run.skip(*missing);
    return nullptr;
  }
  auto server = testkit::RedisServer::start(std::move(options));
  if (server) return std::move(*server);
  run.could_not_run(server.error());
  return nullptr;
}

std::unique_ptr<Bench> open_shop(Run& run, Strategy strategy) {
  auto bench = open_bench(run, strategy);
  if (bench == nullptr || !set_up(run, *bench, {"shop", "supplier", "landlord"}, 100)) {
    return nullptr;
  }
  return bench;
}

RedisHolder::RedisHolder(Run& run, const Place& place)
    : run_(run), bench_(place.bench), client_(place.client) {
  if (run.mutant() == "epochs-forgotten") epochs_ = make_forgotten_epochs();
  EpochTable* epochs = epochs_ ? epochs_.get() : bench_.store().epochs();
  auto table = make_redis_lease_table(options_for(place.server), epochs);
  if (!table) {
    run.could_not_run(table.error());
    return;
  }
  base_ = std::move(*table);
  mutated_ = make_redis_mutant(run.mutant(), *base_, place.server);
  service_ = make_lock_service("redis", this->table(), system_clock());
}

RedisHolder::~RedisHolder() = default;

LeaseTable& RedisHolder::table() {
  return mutated_ ? *mutated_ : *base_;
}

void RedisHolder::use(LeaseTable& table) {
  service_ = make_lock_service("redis", table, system_clock());
}

bool RedisHolder::acquire(std::chrono::milliseconds ttl, bool renews) {
  if (!service_) return false;
  AcquireRequest request;
  request.resource = redis_resource;
  request.ttl = ttl;
  request.wait_until = system_clock().now() + std::chrono::seconds{20};
  request.auto_renew = renews;
  auto outcome = service_->acquire(std::move(request));
  if (!outcome || !std::holds_alternative<Lease>(*outcome)) {
    run_.expect(false,
                "client " + std::to_string(client_) + " never got the lock" +
                    (outcome ? std::string() : ": " + outcome.error().detail));
    return false;
  }
  lease_.emplace(std::get<Lease>(std::move(*outcome)));
  bench_.history().grant({client_, redis_resource, lease_->token(), lease_->owner()});
  return true;
}

bool RedisHolder::finds_it_free() {
  AcquireRequest request;
  request.resource = redis_resource;
  request.ttl = std::chrono::seconds{10};
  const auto outcome = service_->acquire(std::move(request));
  return outcome && std::holds_alternative<Lease>(*outcome);
}

Code RedisHolder::pay(std::string_view id, std::string_view to, std::int64_t amount) {
  Operation operation = testkit::transfer(id, "shop", to, amount);
  operation.fences.push_back(lease_->fence());
  History::Request request = ask(client_, std::move(operation));
  request.held = lease_->fence();
  return code_of_answer(bench_.apply(request));
}

void command_redis(Run& run,
                   const testkit::RedisServer& server,
                   const std::vector<std::string>& words) {
  const auto answer = server.ask(words);
  if (!answer) run.could_not_run(answer.error());
}

}  // namespace mizan::prover
