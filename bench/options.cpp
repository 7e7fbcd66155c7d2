#include "bench/options.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace mizan::bench {

namespace {

constexpr std::array all_workloads = {Workload::batch,
                                      Workload::callers,
                                      Workload::hot,
                                      Workload::growth,
                                      Workload::strategies,
                                      Workload::lock,
                                      Workload::http};
// Without a name: everything that takes minutes rather than a coffee break.
constexpr std::array usual_workloads = {
    Workload::batch, Workload::callers, Workload::hot, Workload::strategies, Workload::lock};

constexpr std::uint64_t transfers_max = 1'000'000'000;
constexpr std::uint64_t wallets_max = 10'000'000;
constexpr std::uint64_t step_max = 8'190;

constexpr std::string_view help =
    R"(Usage: mizan bench [WORKLOAD]... [OPTION]...

Measures this machine: each figure beside a hand-written baseline on the same disk in the same
run, and the ledger verified after it. A run whose ledger does not verify prints no figure.

Workloads (without one: all but growth and http):
  batch        one caller, batches of 1, 64, 1,000 and 8,190 transfers
  callers      1 to 1,024 callers, one transfer per call
  hot          callers, every transfer credits one wallet, then debits one
  growth       batches of 1,000 on an empty store, at 1 and at 10 million transfers
  strategies   batched, atomic, optimistic, pessimistic, and what the naive way loses
  lock         acquire and release, renewal load, how fast a waiter wakes
  http         the same through mizan serve, beside the rate of /livez

Options:
  --store URL      sqlite: (the default), memory:, postgres://… or mariadb://… (tables of their own)
  --dir PATH       where the temporary files go: the disk to measure (the current directory)
  --transfers N    at the largest step, up to 1,000,000,000
  --wallets N      2 to 10,000,000 (10,000)
  --steps N,N,…    numbers of callers, or of transfers in a batch, instead of the usual ones
  --seconds S      the longest time of one step, 0.01 to 3,600
  --rate R         callers: R transfers per second in all, by schedule, instead of all they can
  --cold           the ledger has seen no wallet since it was opened; without: each of them once
  --quick          small sizes, all workloads, seconds in all: does it work, not how fast is it
  --json           one object per line for each step
  --help           this text

Exit status: 0; 1 usage; 5 something failed, or a ledger did not verify; 130 ended by a signal.
)";

Error usage(std::string detail) {
  return invalid_request("bench", std::move(detail) + "; see mizan bench --help");
}

std::optional<Workload> find_workload(std::string_view word) {
  const auto found = std::find_if(all_workloads.begin(),
                                  all_workloads.end(),
                                  [&](Workload workload) { return to_string(workload) == word; });
  if (found == all_workloads.end()) return std::nullopt;
  return *found;
}

Status add_workload(Options& options, std::string_view word) {
  const auto workload = find_workload(word);
  if (!workload) return usage("no workload " + escape_for_log(word));
  const auto& chosen = options.workloads;
  if (std::find(chosen.begin(), chosen.end(), *workload) == chosen.end()) {
    options.workloads.push_back(*workload);
  }
  return {};
}

Result<std::uint64_t> read_count(std::string_view option,
                                 std::string_view text,
                                 std::pair<std::uint64_t, std::uint64_t> range) {
  const auto number = parse_unsigned(text);
  if (number && *number >= range.first && *number <= range.second) return *number;
  return usage(std::string(option) + " takes a whole number from " + std::to_string(range.first) +
               " to " + std::to_string(range.second));
}

Result<double> read_real(std::string_view option, std::string_view text, double least) {
  constexpr double most = 1e9;
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const bool is_read = error == std::errc() && end == text.data() + text.size();
  if (is_read && number >= least && number <= most) return number;
  return usage(std::string(option) + " takes a number that is large enough, e.g. 2.5");
}

Status set_store(Options& options, std::string_view url) {
  if (url == "memory:") {
    options.store = StoreKind::memory;
  } else if (url == "sqlite:" || url == "sqlite") {
    options.store = StoreKind::sqlite;
  } else if (url.starts_with("postgres://") || url.starts_with("postgresql://")) {
    options.store = StoreKind::postgres;
    options.url = url;
  } else if (url.starts_with("mariadb://") || url.starts_with("mysql://")) {
    options.store = StoreKind::mariadb;
    options.url = url;
  } else {
    return usage(
        "--store takes sqlite:, memory:, postgres://… or mariadb://… (files are made, and removed, "
        "in "
        "--dir)");
  }
  return {};
}

Status set_steps(Options& options, std::string_view text) {
  options.steps.clear();
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    is_last = comma == std::string_view::npos;
    const auto step = read_count("--steps", text.substr(0, comma), {1, step_max});
    if (!step) return step.error();
    options.steps.push_back(static_cast<std::size_t>(*step));
    if (!is_last) text.remove_prefix(comma + 1);
  }
  return {};
}

Status set_value(Options& options, std::string_view option, std::string_view text) {
  if (option == "--store") return set_store(options, text);
  if (option == "--steps") return set_steps(options, text);
  if (option == "--dir") {
    if (text.empty()) return usage("--dir takes a directory");
    options.directory = text;
    return {};
  }
  if (option == "--transfers" || option == "--wallets") {
    const bool is_wallets = option == "--wallets";
    const auto count = read_count(option,
                                  text,
                                  is_wallets ? std::pair{std::uint64_t{2}, wallets_max}
                                             : std::pair{std::uint64_t{1}, transfers_max});
    if (!count) return count.error();
    if (is_wallets) options.wallets = static_cast<std::size_t>(*count);
    if (!is_wallets) options.transfers = *count;
    return {};
  }
  const auto number = read_real(option, text, option == "--seconds" ? 0.01 : 1.0);
  if (!number) return number.error();
  if (option == "--seconds") options.seconds = std::min(*number, 3'600.0);
  if (option == "--rate") options.rate_per_second = *number;
  return {};
}

bool takes_value(std::string_view option) {
  constexpr std::array<std::string_view, 7> options = {
      "--store", "--dir", "--transfers", "--wallets", "--steps", "--seconds", "--rate"};
  return std::find(options.begin(), options.end(), option) != options.end();
}

Status set_flag(Options& options, std::string_view word) {
  if (word == "--json") {
    options.json = true;
  } else if (word == "--quick") {
    options.quick = true;
  } else if (word == "--cold") {
    options.cold = true;
  } else if (word == "--help" || word == "-h") {
    options.help = true;
  } else if (word == "--strategies") {
    return add_workload(options, "strategies");
  } else {
    return usage("no option " + escape_for_log(word));
  }
  return {};
}

Sizes usual_sizes() {
  Sizes sizes;
  sizes.batches = {1, 64, 1'000, 8'190};
  sizes.callers = {1, 4, 16, 64, 256, 1'024};
  sizes.growth_points = {0, 1'000'000, 10'000'000};
  sizes.growth_wallets = {10'000, 1'000'000};
  sizes.strategy_sources = {10'000, 1'000, 100, 10, 1};
  return sizes;
}

Sizes quick_sizes() {
  Sizes sizes;
  sizes.wallets = 1'000;
  sizes.warm_up_seconds = 0.03;
  sizes.baseline_seconds = 0.05;
  sizes.probe_seconds = 0.02;
  sizes.batches = {1, 64, 1'000, 8'190};
  sizes.batch_transfers = 40'000;
  sizes.batch_seconds = 0.3;
  sizes.callers = {1, 256};
  sizes.callers_seconds = 0.1;
  sizes.growth_points = {0, 10'000};
  sizes.growth_wallets = {1'000};
  sizes.growth_transfers = 4'000;
  sizes.strategy_sources = {1};
  sizes.strategy_callers = 8;
  sizes.strategy_seconds = 0.15;
  sizes.leases = 100;
  sizes.hand_overs = 20;
  sizes.lock_seconds = 0.2;
  return sizes;
}

}  // namespace

std::string_view to_string(Workload workload) noexcept {
  switch (workload) {
    case Workload::batch:
      return "batch";
    case Workload::callers:
      return "callers";
    case Workload::hot:
      return "hot";
    case Workload::growth:
      return "growth";
    case Workload::strategies:
      return "strategies";
    case Workload::lock:
      return "lock";
    case Workload::http:
      return "http";
  }
  return "";
}

std::string_view help_text() noexcept {
  return help;
}

Result<Options> parse_options(std::span<const std::string_view> words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    Status done;
    if (!word.starts_with('-')) {
      done = add_workload(options, word);
    } else if (const auto equals = word.find('=');
               equals != std::string_view::npos && takes_value(word.substr(0, equals))) {
      done = set_value(options, word.substr(0, equals), word.substr(equals + 1));
    } else if (!takes_value(word)) {
      done = set_flag(options, word);
    } else if (i + 1 == words.size()) {
      done = usage(std::string(word) + " takes a value");
    } else {
      done = set_value(options, word, words[++i]);
    }
    if (!done) return std::move(done).error();
  }
  if (options.workloads.empty() && options.quick) {
    options.workloads.assign(all_workloads.begin(), all_workloads.end());
    if (options.store != StoreKind::sqlite) options.workloads.pop_back();  // http: only a file.
  } else if (options.workloads.empty()) {
    options.workloads.assign(usual_workloads.begin(), usual_workloads.end());
  }
  return options;
}

Sizes sizes_of(const Options& options) {
  Sizes sizes = options.quick ? quick_sizes() : usual_sizes();
  if (options.wallets) {
    sizes.wallets = *options.wallets;
    sizes.growth_wallets = {*options.wallets};
    for (std::size_t& sources : sizes.strategy_sources) {
      sources = std::min(sources, *options.wallets);
    }
    auto& few = sizes.strategy_sources;
    few.erase(std::unique(few.begin(), few.end()), few.end());
  }
  if (options.transfers) {
    sizes.batch_transfers = *options.transfers;
    sizes.callers_transfers = *options.transfers;
    sizes.growth_points = {0, *options.transfers / 10, *options.transfers};
  }
  if (!options.steps.empty()) sizes.batches = sizes.callers = options.steps;
  if (options.seconds) {
    sizes.batch_seconds = *options.seconds;
    sizes.callers_seconds = *options.seconds;
    sizes.strategy_seconds = *options.seconds;
    sizes.lock_seconds = *options.seconds;
  }
  return sizes;
}

}  // namespace mizan::bench
