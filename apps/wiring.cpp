#include "wiring.hpp"

#include "mizan/clock.hpp"
#include "mizan/memory.hpp"

#include "base/random.hpp"
#include "bench/bench.hpp"
#include "locks.hpp"
#include "open_store.hpp"
#include "prover/prove.hpp"
#include "remote/remote.hpp"
#if MIZAN_WITH_HTTP
#include "serve/run_serve.hpp"
#endif

#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan {
namespace {

std::optional<std::string> read_environment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

/// A stream of the program as the prover and the benchmarks write to it: at once.
std::function<void(std::string_view)> writer_to(cli::Output& output) {
  return [&output](std::string_view text) {
    output.write(text);
    output.flush();
  };
}

prover::Console prover_console(cli::Context& context) {
  return {.out = writer_to(context.out()),
          .err = writer_to(context.err()),
          .request_id = context.request_id(),
          .colours = context.colours(),
          .progress = context.progress()};
}

std::vector<cli::Subcommand> make_subcommands() {
  using Words = std::span<const std::string_view>;
  return {{.name = "demo",
           .summary = "The story of the lock that lies, told on an embedded store",
           .run =
               [](Words words, cli::Context& context) {
                 return prover::run_demo(words, prover_console(context));
               }},
          {.name = "prove",
           .summary = "Prove on this machine that no money appears or vanishes",
           .run =
               [](Words words, cli::Context& context) {
                 return prover::run_prove(words, prover_console(context));
               }},
          {.name = "bench",
           .summary = "Measure this machine",
           .run = [](Words words, cli::Context& context) {
             return bench::run_bench(words,
                                     {.out = writer_to(context.out()),
                                      .err = writer_to(context.err()),
                                      .progress = context.progress(),
                                      .json = context.json()});
           }}};
}

}  // namespace

cli::Wiring make_wiring() {
  cli::Wiring wiring{.clock = system_clock(),
                     .random = system_random(),
                     .environment = read_environment,
                     .open_store = open_store,
                     .open_lock = open_lock,
                     .subcommands = make_subcommands()};
  wiring.open_remote = [](const cli::RemotePlace& place) {
    return remote::open_backend(place, {system_clock(), system_random()});
  };
  wiring.open_remote_leases = [](const cli::RemotePlace& place) {
    return remote::open_leases(place, {system_clock(), system_random()});
  };
  wiring.open_remote_webhooks = [](const cli::RemotePlace& place) {
    return remote::open_webhooks(place, {system_clock(), system_random()});
  };
#if MIZAN_WITH_HTTP
  wiring.serve = serve::run_serve;
#endif
  return wiring;
}

}  // namespace mizan
