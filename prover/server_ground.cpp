#include "prover/server_ground.hpp"

#include "mizan/postgres.hpp"

#include "base/random.hpp"
#include "prover/place.hpp"
#include "prover/servers/schemas.hpp"
#include "prover/workers/roles.hpp"
#include "prover/workers/standard_lines.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdint>

namespace mizan::prover {

namespace {

constexpr std::chrono::minutes drop_wait{5};

#if MIZAN_WITH_POSTGRES
Result<PostgresOptions> options_of(const std::string& url) {
  return parse_postgres_url(url);
}
#else
Result<PostgresOptions> options_of(const std::string&) {
  return invalid_request("mizan prove", "this build has no PostgreSQL store");
}
#endif

std::string random_prefix() {
  constexpr std::uint64_t names = std::uint64_t{1} << 48U;
  return fmt::format("prove_{:012x}_", system_random().below(names));
}

}  // namespace

Result<std::unique_ptr<ServerGround>> ServerGround::open(const std::string& url, bool keep) {
  const auto options = options_of(url);
  if (!options) return options.error();
  std::unique_ptr<ServerGround> ground(new ServerGround(random_prefix()));
  const auto there = count_schemas(*options, ground->prefix());
  if (!there) return there.error();
  if (*there != 0) {
    return unavailable("mizan prove", "somebody else's schemas begin with " + ground->prefix());
  }
  set_server_url(url);
  if (keep) return ground;
  auto janitor = Child::start({"--as-janitor", ground->prefix()});
  if (!janitor) return std::move(janitor).error();
  const auto ready = janitor->receive();
  if (!ready) return ready.error();
  ground->janitor_.emplace(std::move(*janitor));
  return ground;
}

ServerGround::~ServerGround() {
  static_cast<void>(clear());
}

Status ServerGround::clear() {
  if (!janitor_) return {};
  const Status sent = janitor_->send("drop");
  if (!sent) return sent;
  const auto answer = janitor_->receive(drop_wait);
  if (!answer) return answer.error();
  if (*answer == "dropped") return {};
  return unavailable("mizan prove", "schemas " + prefix_ + "* are left behind: " + *answer);
}

int run_janitor(std::span<const std::string_view> words) {
  if (words.size() != 1 || !words[0].starts_with("prove_")) return 1;
  const auto options = options_of(server_url());
  if (!options) return 3;
  // A signal for the whole group is no reason to leave the schemas behind.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_IGN);
  write_line("ready");
  while (const auto line = read_command()) {
    if (*line != "drop") continue;
    const Status dropped = drop_schemas(*options, words[0]);
    write_line(dropped ? "dropped" : dropped.error().detail);
  }
  return drop_schemas(*options, words[0]) ? 0 : 3;
}

}  // namespace mizan::prover
