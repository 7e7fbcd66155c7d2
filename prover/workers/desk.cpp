#include "prover/workers/desk.hpp"

#include "mizan/redis.hpp"

#include "prover/lock_ground.hpp"
#include "prover/mutants/leases.hpp"
#include "prover/mutants/mutants.hpp"
#include "prover/workers/protocol.hpp"

#include <charconv>
#include <chrono>
#include <utility>
#include <variant>

namespace mizan::prover {

namespace {

std::int64_t to_number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string answer_wallet(Desk& desk, const std::vector<std::string_view>& fields) {
  auto snapshot = desk.store().snapshot();
  if (!snapshot) return error_line(snapshot.error());
  const auto wallet = (*snapshot)->find_wallet(WalletId{fields.at(1)});
  if (!wallet) return error_line(wallet.error());
  if (!*wallet) return "none";
  return "wallet " + std::to_string((*wallet)->balance.value()) + ' ' +
         std::to_string((*wallet)->version);
}

std::string answer_create(Desk& desk, const std::vector<std::string_view>& fields) {
  NewWallet wallet;
  wallet.id = WalletId{fields.at(1)};
  wallet.currency = CurrencyCode{fields.at(2)};
  const auto created = desk.ledger(0).create_wallet(wallet);
  return created ? std::string("created") : error_line(created.error());
}

std::string answer_lease(Desk& desk, const std::vector<std::string_view>& fields) {
  const Resource resource{fields.at(1)};
  const LockOwner holder{fields.at(2)};
  if (fields.front() == "release") {
    const auto released = desk.leases().release(resource, holder);
    if (!released) return error_line(released.error());
    return *released ? "yes" : "no";
  }
  const std::chrono::milliseconds ttl{to_number(fields.at(3))};
  if (fields.front() == "renew") {
    const auto renewed = desk.leases().renew(resource, holder, ttl);
    if (!renewed) return error_line(renewed.error());
    return *renewed ? "yes" : "no";
  }
  const auto attempt = desk.leases().acquire(resource, holder, ttl);
  if (!attempt) return error_line(attempt.error());
  if (const auto* granted = std::get_if<LeaseGranted>(&*attempt)) {
    return "granted " + std::to_string(granted->token.value()) + ' ' +
           std::to_string(granted->remaining.count());
  }
  return "held " + std::to_string(std::get<LeaseHeld>(*attempt).remaining.count());
}

}  // namespace

std::string error_line(const Error& error) {
  return "error " + std::string(to_string(error.code)) + ' ' + error.detail;
}

Result<std::unique_ptr<Desk>> Desk::open(std::span<const std::string_view> words,
                                         StepHook on_step) {
  if (words.size() != words_count) return invalid_request("prover: desk", "five words are needed");
  std::unique_ptr<Desk> desk(new Desk);
  auto opened = open_store(StorePlace::of_word(words[0]), words[3], std::move(on_step));
  if (!opened) return std::move(opened).error();
  desk->opened_ = std::move(*opened);
  if (const Status ready = desk->open_leases(words[4], words[3]); !ready) return ready.error();
  LedgerOptions options;
  options.strategy = parse_strategy(words[1]).value_or(Strategy::batched);
  for (std::int64_t index = 0; index < to_number(words[2]); ++index) {
    desk->ledgers_.push_back(std::make_unique<Ledger>(desk->store(), system_clock(), options));
  }
  return desk;
}

Status Desk::open_leases(std::string_view lock, std::string_view mutant) {
  constexpr std::string_view redis = "redis:";
  if (lock == "off") replaced_leases_ = make_open_leases();
  if (lock.starts_with(redis)) {
    const auto options = redis_lock_options(std::string(lock.substr(redis.size())));
    if (!options) return options.error();
    auto table = make_redis_lease_table(*options, store().epochs());
    if (!table) return std::move(table).error();
    replaced_leases_ = std::move(*table);
  }
  if (lock != "off") mutated_leases_ = make_mutant_leases(mutant, leases());
  return {};
}

std::string Desk::answer(std::string_view line) {
  const auto fields = split_fields(line);
  if (fields.size() >= 2 && fields.front() == "wallet") return answer_wallet(*this, fields);
  if (fields.size() >= 3 && fields.front() == "create") return answer_create(*this, fields);
  if (fields.size() >= 2 && fields.front() == "apply") {
    const auto request = decode_request(line.substr(line.find(' ') + 1));
    if (!request) return error_line(request.error());
    return encode_answer(ledger(request->ledger).apply(request->operation));
  }
  const bool is_lease = fields.front() == "acquire" || fields.front() == "renew";
  if (fields.size() >= 4 && is_lease) return answer_lease(*this, fields);
  if (fields.size() >= 3 && fields.front() == "release") return answer_lease(*this, fields);
  return "error invalid_request unknown command";
}

}  // namespace mizan::prover
