#include "prover/scenarios/naive_sessions.hpp"

#include "prover/place.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/servers/rooms.hpp"
#include "testkit/eventually.hpp"

#include <algorithm>

namespace mizan::prover {

std::unique_ptr<NaiveSessions> NaiveSessions::open(Run& run,
                                                   const Wallets& wallets,
                                                   std::size_t second_node) {
  const StorePlace place = run.fresh_place();
  const std::string url = server_url(place.server);
  if (const Status made = make_room(url, place.room); !made) {
    run.could_not_run(made.error());
    return nullptr;
  }
  auto first = naive::ServerBank::open(url, place.room);
  const std::string second_url = server_url(run.options().target.nodes.at(second_node));
  auto second = naive::ServerBank::open(second_url, place.room);
  auto observer = naive::ServerBank::open(url, place.room);
  for (const auto* opened : {&first, &second, &observer}) {
    if (*opened) continue;
    run.could_not_run(opened->error());
    return nullptr;
  }
  std::unique_ptr<NaiveSessions> sessions(
      new NaiveSessions(std::move(*first), std::move(*second), std::move(*observer)));
  Status ready = sessions->observer().create_tables();
  for (const auto& [wallet, balance] : wallets) {
    if (ready) ready = sessions->observer().create_wallet(wallet, balance);
    if (balance == 0) continue;
    sessions->tell(0, testkit::deposit("fund-" + std::string(wallet), wallet, balance), true);
  }
  if (ready) return sessions;
  run.could_not_run(ready.error());
  return nullptr;
}

bool NaiveSessions::await_waiting(const naive::ServerBank& session) {
  return testkit::eventually([&] { return observer_.sees_waiting(session); });
}

void NaiveSessions::await_look(const naive::ServerBank& session) {
  static_cast<void>(await_waiting(session));
  pass_deadlock_check(observer_.link());
}

void NaiveSessions::tell(std::size_t client, const Operation& operation, bool done) {
  const std::size_t call = history_.invoke(ask(client, operation));
  Refusal refusal;
  refusal.code = Code::insufficient_funds;
  history_.end(
      call,
      done ? Result<Outcome>(Outcome{Applied{}})
           : Result<Outcome>(Outcome{Refused{std::make_shared<const Refusal>(refusal), false}}));
}

bool NaiveSessions::is_caught(Run& run) {
  Evidence evidence;
  evidence.calls = history_.calls();
  // Such a program gives no receipts, and does not say what it refused for.
  for (Call& call : evidence.calls) call.receipt.reset();
  evidence.image = observer_.image(system_clock().wall_now());
  if (run.is_mutant()) run.judge("naive", evidence);
  const auto checked = check_all(evidence);
  return std::any_of(checked.begin(), checked.end(), [](const CheckResult& each) {
    return !each.violations.empty();
  });
}

}  // namespace mizan::prover
