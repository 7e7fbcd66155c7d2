#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "json/problem.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

namespace mizan::cli {
namespace {

constexpr int refused_status = 2;
constexpr int internal_status = 5;

std::string shown_store(const Context& context) {
  return without_password(context.settings().text("store"));
}

int migrate(Context& context, Access access) {
  auto store = context.open_store(access);
  if (!store) return context.fail(store.error());
  auto names = (*store)->migrate();
  if (!names) return context.fail(names.error());
  const StoreDescription description = (*store)->describe();
  if (context.json()) {
    json::Array migrations;
    for (const std::string& name : *names) migrations.add(name);
    context.line(json::Object()
                     .set("store", shown_store(context))
                     .set("engine", description.name)
                     .set("engine_version", description.version)
                     .set("durability", description.durability)
                     .set("migrations", migrations)
                     .text());
    return 0;
  }
  if (names->empty()) {
    context.line(fmt::format("{} is up to date", safe(shown_store(context))));
  } else {
    context.line(fmt::format("{} is ready ({} {}, {})",
                             safe(shown_store(context)),
                             description.name,
                             description.version,
                             description.durability));
  }
  for (const std::string& name : *names) context.line(fmt::format("  {}", safe(name)));
  return 0;
}

int run_init(const Arguments&, Context& context) {
  const int status = migrate(context, Access::create);
  if (status == 0 && !context.json()) {
    context.note("next: `mizan wallet create alice --currency EUR`");
  }
  return status;
}

Colour colour_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::ok:
      return Colour::good;
    case Finding::Level::warning:
      return Colour::caution;
    case Finding::Level::problem:
      return Colour::bad;
  }
  return Colour::none;
}

/// Before this program was written no clock can be right.
constexpr Timestamp clock_min{std::chrono::sys_days{std::chrono::year{2020} / 1 / 1}};

Finding clock_finding(Timestamp now) {
  if (now >= clock_min) return {Finding::Level::ok, "clock", to_rfc3339(now)};
  return {Finding::Level::warning,
          "clock",
          to_rfc3339(now) +
              ": the system's clock is wrong; entries carry its time, and holds end by it. Set it "
              "before money moves"};
}

/// Of the store and, where one is set, of the lock service.
Result<std::vector<Finding>> examine(const Context& context) {
  auto store = context.open_store(Access::read);
  if (!store) return std::move(store).error();
  auto findings = (*store)->doctor();
  if (!findings || context.settings().text("lock") == "none:") return findings;
  auto lock = context.open_lock({&(*store)->leases(), (*store)->epochs()});
  if (!lock) return std::move(lock).error();
  auto of_lock = (*lock)->doctor();
  if (!of_lock) return std::move(of_lock).error();
  for (Finding& finding : *of_lock) findings->push_back(std::move(finding));
  return findings;
}

int run_doctor(const Arguments&, Context& context) {
  auto findings = examine(context);
  if (!findings) return context.fail(findings.error());
  findings->push_back(clock_finding(context.clock().wall_now()));
  bool problem = false;
  Table table(context.out(), context.out_style(), {{"level"}, {"what"}, {"detail"}});
  for (const Finding& finding : *findings) {
    problem = problem || finding.level == Finding::Level::problem;
    if (context.json()) {
      context.line(json::to_object(finding).text());
    } else {
      table.add({Cell(json::to_string(finding.level), colour_of(finding.level)),
                 finding.name,
                 finding.detail});
    }
  }
  return problem ? refused_status : 0;
}

void print_report(Context& context, const VerifyReport& report) {
  if (context.json()) {
    context.line(json::to_object(report).text());
    return;
  }
  const Style& style = context.out_style();
  context.line(fmt::format("{}: {} wallets, {} operations, {} entries, {} holds recomputed",
                           report.violations.empty()
                               ? style.paint(Colour::good, "everything agrees")
                               : style.paint(Colour::bad, "the ledger does not agree"),
                           report.wallets,
                           report.operations,
                           report.entries,
                           report.holds));
  for (const Violation& violation : report.violations) {
    context.line(safe(fmt::format("  {} {}{}",
                                  violation.invariant,
                                  violation.wallet.empty() ? "" : violation.wallet + ": ",
                                  violation.detail)));
  }
}

int run_verify(const Arguments&, Context& context) {
  auto store = context.open_store(Access::read);
  if (!store) return context.fail(store.error());
  std::function<void(std::uint64_t)> progress;
  if (context.progress()) {
    progress = [&context](std::uint64_t legs) {
      context.err().write(fmt::format("\r{} legs read", legs));
      context.err().flush();
    };
  }
  auto report = verify(**store, progress);
  if (context.progress()) {
    context.err().write("\r\x1b[K");
    context.err().flush();
  }
  if (!report) return context.fail(report.error());
  print_report(context, *report);
  return report->violations.empty() ? 0 : internal_status;
}

}  // namespace

std::vector<Command> store_commands() {
  std::vector<Command> commands(4);
  commands[0] = {
      .name = "init",
      .summary = "Make a ledger, or bring an old one up to date",
      .description =
          "Creates the store where it is missing; one that is there keeps "
          "everything in it. Safe to repeat.",
      .examples = {{"mizan init", "The file mizan.db in this directory"},
                   {"mizan init --store sqlite:/var/lib/shop/ledger.db", "Somewhere else"}},
      .run = run_init};
  commands[1] = {
      .name = "migrate",
      .summary = "Bring the store's tables up to date",
      .description =
          "Needed after an upgrade of Mizan. Makes no SQLite file; on a server it makes "
          "what is missing, as init does.",
      .examples = {{"mizan migrate", "Does nothing when there is nothing to do"}},
      .run = [](const Arguments&, Context& context) { return migrate(context, Access::write); }};
  commands[2] = {
      .name = "doctor",
      .summary = "Check the settings that matter for money",
      .description =
          "Looks at versions, durability, the tables, the store's own integrity and the clock; "
          "changes nothing.",
      .examples = {{"mizan doctor --json", "One object for each finding"}},
      .exits = {{0, "No problem; warnings are printed"},
                {1, "Usage, or the store is missing or cannot be opened"},
                {2, "There is a problem"},
                {3, "The store is not reachable"},
                {5, "The store is too damaged to be looked at, or internal"}},
      .run = run_doctor};
  commands[3] = {.name = "verify",
                 .summary = "Recompute every balance from the entries",
                 .description =
                     "In one snapshot, beside a running owner: the sum of each currency "
                     "is 0, each balance is the sum of the wallet's entries, each "
                     "version is their number. Reads the whole journal.",
                 .examples = {{"mizan verify", "Also after restoring a copy"}},
                 .exits = {{0, "Everything agrees"},
                           {1, "Usage, or the store is missing or cannot be opened"},
                           {3, "The store is not reachable"},
                           {5, "Something does not agree, the store is damaged, or internal"}},
                 .run = run_verify};
  return commands;
}

}  // namespace mizan::cli
