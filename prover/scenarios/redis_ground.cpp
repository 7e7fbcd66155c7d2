#include "prover/scenarios/redis_ground.hpp"

#include "prover/mutants/leases.hpp"
#include "prover/mutants/redis_mutants.hpp"
#include "prover/scenarios/common.hpp"
#include "testkit/eventually.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace mizan::prover {

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

RedisOptions options_for(const testkit::RedisServer& server) {
  RedisOptions options;
  options.addresses = {{"127.0.0.1", server.port()}};
  return options;
}

std::unique_ptr<LockPlace> LockPlace::open(Run& run) {
  std::unique_ptr<LockPlace> place(new LockPlace);
  auto theirs = run.lock().kind == LockKind::redis ? run.fresh_redis() : RedisOptions{};
  if (!theirs) {
    run.could_not_run(theirs.error());
    return nullptr;
  }
  switch (run.lock().kind) {
    case LockKind::by_default:
      place->private_redis_ = start_redis(run);
      if (place->private_redis_ == nullptr) return nullptr;
      place->redis_ = options_for(*place->private_redis_);
      return place;
    case LockKind::redis:
      place->redis_ = *std::move(theirs);
      return place;
    case LockKind::memory:
      place->memory_ = make_memory_lease_table(system_clock());
      return place;
    case LockKind::store:
      return place;
    case LockKind::none:
      break;
  }
  run.skip("none: keeps nobody out, so nobody can outlive his lease: pass another --lock");
  return nullptr;
}

Result<std::unique_ptr<LeaseTable>> LockPlace::open_table(Store& store, EpochTable* epochs) {
  if (redis_) return make_redis_lease_table(*redis_, epochs);
  return make_borrowed_leases(memory_ ? *memory_ : store.leases());
}

bool may_use_private_redis(Run& run, std::string_view why) {
  if (run.lock().kind == LockKind::by_default) return true;
  if (run.lock().kind == LockKind::redis) {
    run.skip(std::string(why) + " leave --lock out, or pass --lab, and private servers are used");
  } else {
    run.skip("it is about a lock in Redis: leave --lock out, or pass --lab");
  }
  return false;
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
  start(make_redis_lease_table(place.redis, epochs), place.redis);
}

RedisHolder::RedisHolder(Run& run, LockPlace& lock, Bench& bench, std::size_t client)
    : run_(run), bench_(bench), client_(client) {
  start(lock.open_table(bench.store(), bench.store().epochs()), lock.redis());
}

RedisHolder::~RedisHolder() = default;

void RedisHolder::start(Result<std::unique_ptr<LeaseTable>> table,
                        const std::optional<RedisOptions>& redis) {
  if (!table) {
    run_.could_not_run(table.error());
    return;
  }
  base_ = std::move(*table);
  mutated_ = make_redis_mutant(run_.mutant(), *base_, redis);
  service_ = make_lock_service("prover", this->table(), system_clock());
}

LeaseTable& RedisHolder::table() {
  return mutated_ ? *mutated_ : *base_;
}

void RedisHolder::use(LeaseTable& table) {
  service_ = make_lock_service("prover", table, system_clock());
}

bool RedisHolder::acquire(std::chrono::milliseconds ttl, bool renews) {
  if (!service_) return false;
  constexpr std::chrono::seconds patience{20};
  AcquireRequest request;
  request.resource = redis_resource;
  request.ttl = ttl;
  request.wait_until = system_clock().now() + patience;
  request.auto_renew = renews;
  // On a busy machine an answer may come too late for a short lease: that is asked for again.
  std::optional<Result<AcquireOutcome>> outcome;
  static_cast<void>(testkit::eventually(
      [&] {
        outcome.emplace(service_->acquire(request));
        return outcome->has_value() || outcome->error().retry == Retry::never;
      },
      patience));
  if (!*outcome || !std::holds_alternative<Lease>(**outcome)) {
    run_.expect(false,
                "client " + std::to_string(client_) + " never got the lock" +
                    (*outcome ? std::string() : ": " + outcome->error().detail));
    return false;
  }
  lease_.emplace(std::get<Lease>(**std::move(outcome)));
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
