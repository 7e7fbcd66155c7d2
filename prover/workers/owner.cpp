// The process that owns the store. Standard input: `arm STEP` (the next transaction to come to the
// step says `at STEP` and stands still until it is killed), `quit`. Socket, per connection:
// `apply …`, `wallet ID`, `acquire`, `renew` and `release` as in protocol.hpp.

#include "mizan/ledger.hpp"

#include "base/mutex.hpp"
#include "prover/bench.hpp"
#include "prover/mutants/leases.hpp"
#include "prover/mutants/mutants.hpp"
#include "prover/workers/line_socket.hpp"
#include "prover/workers/protocol.hpp"
#include "prover/workers/roles.hpp"
#include "prover/workers/standard_lines.hpp"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::prover {

namespace {

std::int64_t to_number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Stops whoever comes to the armed step, for good.
class StepTrap {
 public:
  void arm(std::string_view step) {
    const MutexLock lock(mutex_);
    armed_ = std::string(step);
  }

  void arrive(std::string_view step) {
    {
      const MutexLock lock(mutex_);
      if (armed_ != step) return;
      armed_.clear();
    }
    write_line("at " + std::string(step));
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

 private:
  Mutex mutex_;
  std::string armed_ MIZAN_GUARDED_BY(mutex_);
};

struct Owner {
  OpenedStore opened;
  std::unique_ptr<LeaseTable> replaced_leases;  // Null: the store's own.
  std::vector<std::unique_ptr<Ledger>> ledgers;

  LeaseTable& leases() { return replaced_leases ? *replaced_leases : opened.store().leases(); }
};

std::string error_line(const Error& error) {
  return "error " + std::string(to_string(error.code)) + ' ' + error.detail;
}

std::string answer_wallet(Owner& owner, const std::vector<std::string_view>& fields) {
  auto snapshot = owner.opened.store().snapshot();
  if (!snapshot) return error_line(snapshot.error());
  const auto wallet = (*snapshot)->find_wallet(WalletId{fields.at(1)});
  if (!wallet) return error_line(wallet.error());
  if (!*wallet) return "none";
  return "wallet " + std::to_string((*wallet)->balance.value()) + ' ' +
         std::to_string((*wallet)->version);
}

std::string answer_create(Owner& owner, const std::vector<std::string_view>& fields) {
  NewWallet wallet;
  wallet.id = WalletId{fields.at(1)};
  wallet.currency = CurrencyCode{fields.at(2)};
  const auto created = owner.ledgers.front()->create_wallet(wallet);
  return created ? std::string("created") : error_line(created.error());
}

std::string answer_lease(Owner& owner, const std::vector<std::string_view>& fields) {
  const Resource resource{fields.at(1)};
  const LockOwner holder{fields.at(2)};
  if (fields.front() == "release") {
    const auto released = owner.leases().release(resource, holder);
    if (!released) return error_line(released.error());
    return *released ? "yes" : "no";
  }
  const std::chrono::milliseconds ttl{to_number(fields.at(3))};
  if (fields.front() == "renew") {
    const auto renewed = owner.leases().renew(resource, holder, ttl);
    if (!renewed) return error_line(renewed.error());
    return *renewed ? "yes" : "no";
  }
  const auto attempt = owner.leases().acquire(resource, holder, ttl);
  if (!attempt) return error_line(attempt.error());
  if (const auto* granted = std::get_if<LeaseGranted>(&*attempt)) {
    return "granted " + std::to_string(granted->token.value()) + ' ' +
           std::to_string(granted->remaining.count());
  }
  return "held " + std::to_string(std::get<LeaseHeld>(*attempt).remaining.count());
}

std::string answer(Owner& owner, std::string_view line) {
  const auto fields = split_fields(line);
  if (fields.size() >= 2 && fields.front() == "wallet") return answer_wallet(owner, fields);
  if (fields.size() >= 3 && fields.front() == "create") return answer_create(owner, fields);
  if (fields.size() >= 2 && fields.front() == "apply") {
    const auto request = decode_request(line.substr(line.find(' ') + 1));
    if (!request) return error_line(request.error());
    Ledger& ledger = *owner.ledgers.at(request->ledger % owner.ledgers.size());
    return encode_answer(ledger.apply(request->operation));
  }
  const bool is_lease = fields.front() == "acquire" || fields.front() == "renew";
  if (fields.size() >= 4 && is_lease) return answer_lease(owner, fields);
  if (fields.size() >= 3 && fields.front() == "release") return answer_lease(owner, fields);
  return "error invalid_request unknown command";
}

void serve(Owner& owner, LineSocket socket) {
  for (;;) {
    const auto line = socket.receive(std::chrono::hours(1));
    if (!line) return;
    if (!socket.send(answer(owner, *line))) return;
  }
}

Status open_owner(std::span<const std::string_view> words, StepTrap& trap, Owner& owner) {
  const auto on_step = [&trap](std::string_view step) { trap.arrive(step); };
  auto opened = open_store(std::filesystem::path(words[0]), words[4], on_step);
  if (!opened) return std::move(opened).error();
  owner.opened = std::move(*opened);
  owner.replaced_leases = words[5] == "off"
                              ? make_open_leases()
                              : make_mutant_leases(words[4], owner.opened.store().leases());
  LedgerOptions options;
  options.strategy = parse_strategy(words[2]).value_or(Strategy::batched);
  for (std::int64_t index = 0; index < to_number(words[3]); ++index) {
    owner.ledgers.push_back(
        std::make_unique<Ledger>(owner.opened.store(), system_clock(), options));
  }
  return {};
}

}  // namespace

int run_owner(std::span<const std::string_view> words) {
  if (words.size() != 6) return 1;
  // Never freed: threads that stand at a step still use them when the process ends.
  auto* trap = new StepTrap;
  auto* owner = new Owner;
  const Status opened = open_owner(words, *trap, *owner);
  auto listener = listen_on(std::filesystem::path(words[1]));
  if (!opened || !listener) {
    write_line(error_line(opened ? listener.error() : opened.error()));
    return 3;
  }
  std::thread([owner, &listener = *listener] {
    for (;;) {
      auto socket = accept_on(listener);
      if (!socket) return;
      std::thread(serve, std::ref(*owner), std::move(*socket)).detach();
    }
  }).detach();
  write_line("ready");
  while (const auto line = read_command()) {
    const auto fields = split_fields(*line);
    if (fields.size() == 2 && fields.front() == "arm") {
      trap->arm(fields[1]);
      write_line("armed");
    }
    if (*line == "quit") break;
  }
  std::_Exit(0);
}

}  // namespace mizan::prover
