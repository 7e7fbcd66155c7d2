#include "bench/bench.hpp"

#include "bench/interrupt.hpp"
#include "bench/options.hpp"
#include "bench/report.hpp"
#include "bench/workloads/workloads.hpp"

#include <fmt/format.h>

#include <string>

namespace mizan::bench {

namespace {

constexpr int exit_done = 0;
constexpr int exit_usage = 1;
constexpr int exit_failed = 5;
constexpr int exit_interrupted = 130;

Status run_workload(Workload workload, const Run& run) {
  switch (workload) {
    case Workload::batch:
      return run_batch(run);
    case Workload::callers:
      return run_callers(run);
    case Workload::hot:
      return run_hot(run);
    case Workload::growth:
      return run_growth(run);
    case Workload::strategies:
      return run_strategies(run);
    case Workload::lock:
      return run_lock(run);
    case Workload::http:
      return run_http(run);
  }
  return {};
}

/// What a reader must know to compare two runs.
std::string preface(const Options& options) {
  std::string text = options.store == StoreKind::memory ? "In memory: no disk, no baseline."
                     : is_server(options.store)
                         ? "On a server, in tables of its own; every commit waits for its disk."
                         : fmt::format("Files in {}; every commit waits for its disk.",
                                       options.directory.string());
  text += " Latency from the intended start. Each ledger verified before its figure is shown.";
  if (options.quick) text += "\n--quick: small sizes. These figures say that it works, no more.";
  return text + "\n";
}

int run_all(const Options& options, const Console& console) {
  const InterruptGuard guard;
  const Sizes sizes = sizes_of(options);
  Report report(console, options.json);
  const Run run{options, sizes, report};
  if (!options.json) console.out(preface(options));
  for (const Workload workload : options.workloads) {
    const Status done = run_workload(workload, run);
    if (is_interrupted()) {
      report.complain("ended by a signal; the files are removed");
      return exit_interrupted;
    }
    if (!done) {
      report.complain(fmt::format(
          "{}: no figure: {}: {}", to_string(workload), done.error().where, done.error().detail));
      return exit_failed;
    }
  }
  if (options.store == StoreKind::sqlite && !options.quick) report.conclude();
  return exit_done;
}

}  // namespace

int run_bench(std::span<const std::string_view> words, const Console& console) {
  auto options = parse_options(words);
  if (!options) {
    console.err(fmt::format("{}: {}\n", options.error().where, options.error().detail));
    return exit_usage;
  }
  if (options->help) {
    console.out(help_text());
    return exit_done;
  }
  options->json = options->json || console.json;
  return run_all(*options, console);
}

}  // namespace mizan::bench
