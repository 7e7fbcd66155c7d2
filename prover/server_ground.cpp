#include "prover/server_ground.hpp"

#include "base/random.hpp"
#include "base/text.hpp"
#include "prover/place.hpp"
#include "prover/servers/rooms.hpp"
#include "prover/workers/janitor.hpp"
#include "prover/workers/roles.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace mizan::prover {

namespace {

std::string random_prefix() {
  constexpr std::uint64_t names = std::uint64_t{1} << 48U;
  return fmt::format("prove_{:012x}_", system_random().below(names));
}

}  // namespace

Result<std::unique_ptr<ServerGround>> ServerGround::open(const Options& options) {
  std::unique_ptr<ServerGround> ground(new ServerGround(random_prefix()));
  const auto there = count_rooms(options.url, ground->prefix());
  if (!there) return there.error();
  if (*there != 0) {
    return unavailable("mizan prove", "somebody else's names begin with " + ground->prefix());
  }
  set_server_url(options.number, options.url);
  if (options.keep) return ground;
  auto janitor = Child::start({"--as-janitor", std::to_string(options.number), ground->prefix()});
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
  const Status tidy = tidy_up(*janitor_);
  if (tidy) return {};
  return unavailable("mizan prove", prefix_ + "* is left behind: " + tidy.error().detail);
}

int run_janitor(std::span<const std::string_view> words) {
  if (words.size() != 2 || !words[1].starts_with("prove_")) return 1;
  const auto number = parse_unsigned(words[0]);
  if (!number) return 1;
  const std::string url = server_url(*number);
  return serve_as_janitor([&] { return drop_rooms(url, words[1]); });
}

}  // namespace mizan::prover
