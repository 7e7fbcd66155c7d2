#include "wiring.hpp"

#include "mizan/clock.hpp"
#include "mizan/memory.hpp"
#include "mizan/sqlite.hpp"

#include "base/random.hpp"
#include "bench/bench.hpp"
#include "cli/settings.hpp"
#include "locks.hpp"
#include "prover/prove.hpp"

#include <fmt/format.h>

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

constexpr std::string_view stores_built_in = "sqlite:FILE and memory:";

bool is_one_of(std::string_view scheme, std::span<const std::string_view> schemes) {
  for (const std::string_view known : schemes) {
    if (scheme == known) return true;
  }
  return false;
}

/// A URL that this build cannot open: one that Mizan knows, or a slip of the pen.
Error not_built_in(std::string_view what,
                   std::string_view url,
                   std::span<const std::string_view> planned,
                   std::string_view built_in) {
  const std::string shown = cli::without_password(url);
  const std::string_view scheme = url.substr(0, url.find(':'));
  if (is_one_of(scheme, planned)) {
    return invalid_request(
        std::string(what),
        fmt::format("{}: is not built in yet; this build has {}", scheme, built_in));
  }
  return invalid_request(
      std::string(what),
      fmt::format("'{}' is no URL of a {}; this build has {}", shown, what, built_in));
}

Result<std::unique_ptr<Store>> open_sqlite(std::string_view file,
                                           cli::Access access,
                                           std::optional<std::chrono::milliseconds> owner_wait) {
  if (file.empty()) {
    return invalid_request("store", "sqlite: needs a file, such as sqlite:mizan.db");
  }
  SqliteOptions options;
  options.file = std::string(file);
  options.access = access == cli::Access::read ? SqliteAccess::read_only : SqliteAccess::own;
  options.create = access == cli::Access::create;
  if (owner_wait) options.owner_wait = *owner_wait;
  return open_sqlite_store(std::move(options), system_clock());
}

Result<std::unique_ptr<Store>> open_store(std::string_view url,
                                          cli::Access access,
                                          std::optional<std::chrono::milliseconds> owner_wait) {
  static constexpr std::array<std::string_view, 6> planned{
      "postgres", "postgresql", "mariadb", "mysql", "http", "https"};
  constexpr std::string_view sqlite = "sqlite:";
  if (url.starts_with(sqlite)) return open_sqlite(url.substr(sqlite.size()), access, owner_wait);
  if (url != "memory:") return not_built_in("store", url, planned, stores_built_in);
  auto store = make_memory_store(system_clock());
  auto migrated = store->migrate();
  if (!migrated) return std::move(migrated).error();
  return store;
}

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
          .colours = context.colours()};
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
  return {.clock = system_clock(),
          .random = system_random(),
          .environment = read_environment,
          .open_store = open_store,
          .open_lock = open_lock,
          .subcommands = make_subcommands()};
}

}  // namespace mizan
