#include "base/duration.hpp"
#include "base/granted.hpp"
#include "base/passing.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/duration.hpp"
#include "cli/epoch_table_per_call.hpp"
#include "cli/guarded_command.hpp"
#include "cli/report.hpp"
#include "cli/signals.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>

namespace mizan::cli {
namespace {

constexpr const char* acquire_again = "acquire it again";
constexpr const char* nothing_to_give_back = "there is nothing to give back";
constexpr int busy_status = 3;
constexpr int killed_by_signal = 128;
constexpr std::string_view resource_help =
    "What is locked; 1 to 128 visible characters, but no name that begins with mizan:";

/// The lock service of the settings with what it stands on. Where no lock is set the store's own
/// lease table is used: these commands are about a lock.
struct OpenLockService {
  std::unique_ptr<LeaseTable> table;
  std::unique_ptr<EpochTable> epochs;
  std::unique_ptr<LockService> service;  // Goes first: it uses the tables.
};

enum class Holder : std::uint8_t { this_process, others };

Result<OpenLockService> open_service(Context& context, Holder holder) {
  const SettingValue& lock = context.settings().value("lock");
  const std::string url = lock.origin == Origin::fallback ? "store:" : lock.text;
  if (holder == Holder::others && (url == "memory:" || url == "none:")) {
    return bad_argument("--lock",
                        fmt::format("a lease in {} ends with this command; use store: or "
                                    "redis://",
                                    url));
  }
  OpenLockService open;
  const auto open_store = [&context] { return context.open_store(Access::write); };
  auto table = context.open_leases();
  if (!table) return std::move(table).error();
  open.table = std::move(*table);
  open.epochs = std::make_unique<EpochTablePerCall>(open_store);
  auto service = context.wiring().open_lock(
      url, {open.table.get(), open.epochs.get(), context.stated_deadline()});
  if (!service) return std::move(service).error();
  open.service = std::move(*service);
  return open;
}

Result<AcquireRequest> read_acquire(const Arguments& arguments, Context& context) {
  auto resource = read_argument(arguments, "RESOURCE", parse_resource);
  if (!resource) return std::move(resource).error();
  AcquireRequest request;
  request.resource = *resource;
  request.ttl = context.settings().ledger_options().lock_ttl;
  if (const auto wait = arguments.find("--wait")) {
    auto duration = in_field("/wait", read_duration(*wait));
    if (!duration) return std::move(duration).error();
    request.wait_until = context.clock().now() + *duration;
  }
  if (const auto owner = arguments.find("--owner")) {
    auto parsed = in_field("/owner", parse_lock_owner(*owner));
    if (!parsed) return std::move(parsed).error();
    request.owner = *parsed;
  }
  return request;
}

/// Of locks, not of money: nothing here is applied once.
int fail(Context& context, const Error& error) {
  const bool passes = is_passing(error.code);
  const bool is_about_locks = passes || error.code == Code::unknown;
  if (!is_about_locks) return context.fail(error);
  // A lock that is somebody else's is told with what helps.
  const bool is_told = !passes || error.code == Code::lock_busy;
  return report_error(
      context, error, {.advice = is_told ? "" : "nothing was changed by this attempt; try again"});
}

/// The lease, or why there is none, with what this command line can do about it.
Result<Lease> lease_of(AcquireOutcome outcome, const Resource& resource) {
  auto lease = granted(std::move(outcome), resource);
  if (lease || lease.error().code != Code::lock_busy) return lease;
  Error busy = std::move(lease).error();
  busy.where = "/resource";
  busy.detail += "; --wait DURATION waits for it";
  return busy;
}

/// The lease is the caller's now. Ending the service before the lease makes it nobody's here, so
/// that it is not given back.
void print_lease(Context& context, const Lease& lease, OpenLockService& open) {
  const Fence fence = lease.fence();
  const auto expires_in = lease.remaining();
  open.service.reset();
  if (context.json()) return context.line(json::lease_object(fence, expires_in).text());
  Table table(context.out(), context.out_style(), {{"resource"}, {fence.resource.str()}});
  table.add({"token", Cell(std::to_string(fence.token.value()), Colour::strong)});
  table.add({"owner", fence.owner.view()});
  table.add({"expires in", format_duration(expires_in)});
}

/// An answer that was lost, with what is not known for it and what to do.
Error in_doubt(Error error, std::string_view what) {
  if (error.certainty != Certainty::unknown) return error;
  error.retry = Retry::never;  // The hint is the better advice.
  error.detail += fmt::format("; whether {}", what);
  return error;
}

int run_acquire(const Arguments& arguments, Context& context) {
  auto request = read_acquire(arguments, context);
  if (!request) return context.fail(request.error());
  request->auto_renew = false;
  // An owner that can be told makes a repeat possible.
  if (request->owner.empty()) request->owner = LockOwner(context.new_operation_id().view());
  const Resource resource = request->resource;
  const std::string doubt = fmt::format(
      "the lock was granted is not known: repeat it with --owner {}; left alone it ends with its "
      "time",
      request->owner.view());
  auto open = open_service(context, Holder::others);
  if (!open) return context.fail(open.error());
  auto outcome = open->service->acquire(std::move(*request));
  if (!outcome) return fail(context, in_doubt(std::move(outcome).error(), doubt));
  auto lease = lease_of(std::move(*outcome), resource);
  if (!lease) return fail(context, lease.error());
  print_lease(context, *lease, *open);
  return 0;
}

/// Renewal and release name the owner that acquire printed.
struct Named {
  Resource resource;
  LockOwner owner;
};

Result<Named> read_named(const Arguments& arguments) {
  auto resource = read_argument(arguments, "RESOURCE", parse_resource);
  if (!resource) return std::move(resource).error();
  auto owner = read_argument(arguments, "--owner", parse_lock_owner);
  if (!owner) return std::move(owner).error();
  return Named{*resource, *owner};
}

int not_held(Context& context, const Resource& resource, std::string_view advice) {
  const Error error{Code::stale_fence,
                    Certainty::not_applied,
                    Retry::never,
                    "/owner",
                    fmt::format("{} is not held by this owner (any more)", resource.view())};
  return report_error(context, error, {.advice = advice});
}

constexpr std::string_view renewal_doubt =
    "it was renewed is not known: repeat it; left alone it ends with its time";

int run_renew(const Arguments& arguments, Context& context) {
  auto named = read_named(arguments);
  if (!named) return context.fail(named.error());
  auto open = open_service(context, Holder::others);
  if (!open) return context.fail(open.error());
  const auto ttl = context.settings().ledger_options().lock_ttl;
  const Instant sent = context.clock().now();
  auto renewed = open->service->renew(named->resource, named->owner, ttl);
  if (!renewed) return fail(context, in_doubt(std::move(renewed).error(), renewal_doubt));
  if (!*renewed) return not_held(context, named->resource, acquire_again);
  // Only an acquisition tells the token; an owner who asks again while the lease lasts gets the
  // one that it has.
  AcquireRequest again;
  again.resource = named->resource;
  again.ttl = ttl;
  again.auto_renew = false;
  again.owner = named->owner;
  auto outcome = open->service->acquire(again);
  if (!outcome) return fail(context, in_doubt(std::move(outcome).error(), renewal_doubt));
  auto lease = granted(std::move(*outcome), named->resource);
  if (!lease) return fail(context, lease.error());
  if (context.clock().now() >= sent + ttl) {
    // It may have run out in between, and been somebody else's.
    lease->release();
    return not_held(context, named->resource, acquire_again);
  }
  print_lease(context, *lease, *open);
  return 0;
}

int run_release(const Arguments& arguments, Context& context) {
  auto named = read_named(arguments);
  if (!named) return context.fail(named.error());
  auto open = open_service(context, Holder::others);
  if (!open) return context.fail(open.error());
  auto released = open->service->release(named->resource, named->owner);
  if (!released) {
    return fail(context,
                in_doubt(std::move(released).error(),
                         "it was given back is not known: repeat it; left alone it ends "
                         "with its time"));
  }
  if (!*released) return not_held(context, named->resource, nothing_to_give_back);
  context.line(context.json() ? json::Object()
                                    .set("resource", named->resource)
                                    .set("owner", named->owner)
                                    .set("released", true)
                                    .text()
                              : "released");
  return 0;
}

/// Ends the waiting for a lock when a signal that ends programs arrives.
class CancelOnSignal {
 public:
  CancelOnSignal(const SignalQueue& signals, std::stop_source source)
      : thread_([this, &signals, source](const std::stop_token& stop) mutable {
          while (!stop.stop_requested()) wait(signals, source);
        }) {}

  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

  ~CancelOnSignal() { finish(); }

  /// Ends the watching; answers the signal that came, or 0.
  int finish() {
    thread_.request_stop();
    stop_.set();
    if (thread_.joinable()) thread_.join();
    return signal_;
  }

 private:
  void wait(const SignalQueue& signals, std::stop_source& source) {
    std::array<pollfd, 2> watched{
        {{signals.descriptor(), POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}}};
    poll(watched.data(), watched.size(), -1);
    while (const auto arrived = signals.take()) {
      const int number = arrived->number;
      if (number == SIGCHLD || number == SIGUSR1 || number == SIGUSR2) continue;
      signal_ = number;
      source.request_stop();
    }
  }

  WakeFlag stop_;
  int signal_ = 0;       // Read after the thread has ended.
  std::jthread thread_;  // Last, so that it starts when the rest is there.
};

GuardedCommand make_command(const Arguments& arguments,
                            const Fence& fence,
                            std::chrono::milliseconds grace) {
  return {.words = arguments.rest(),
          .variables = {{"MIZAN_FENCE", std::to_string(fence.token.value())},
                        {"MIZAN_FENCE_RESOURCE", fence.resource.str()},
                        {"MIZAN_FENCE_OWNER", fence.owner.str()}},
          .grace = grace};
}

int report_lost(Context& context, const Lease& lease, std::string_view what) {
  const auto loss = lease.loss();
  context.note(safe(fmt::format("mizan: the lease of {} was lost{}{}; {}",
                                lease.resource().view(),
                                loss ? ": " : "",
                                loss ? to_string(*loss) : "",
                                what)));
  return busy_status;
}

int run_held(const GuardedCommand& command,
             Context& context,
             Lease& lease,
             const SignalQueue& signals) {
  context.out().flush();
  const auto end = run_guarded(command, lease, signals, context.clock());
  if (!end) {
    lease.release();
    return context.fail(end.error());
  }
  if (end->lease_lost) return report_lost(context, lease, "the command was told to end");
  switch (lease.release()) {
    case Release::released:
      return end->status;
    case Release::not_held:
      return report_lost(context, lease, "the command had ended; its last part ran without it");
    case Release::unknown:
      context.note(
          "mizan: whether the lock was given back is not known; it ends with its time at the "
          "latest");
      return end->status;
  }
  return end->status;
}

int run_run(const Arguments& arguments, Context& context) {
  auto request = read_acquire(arguments, context);
  if (!request) return context.fail(request.error());
  auto grace = read_duration(arguments.find("--grace").value_or("5s"));
  if (!grace) return context.fail(grace.error());
  const Resource resource = request->resource;
  const SignalQueue signals;  // Before the service, whose thread inherits the blocking.
  auto open = open_service(context, Holder::this_process);
  if (!open) return context.fail(open.error());
  std::stop_source cancel;
  request->cancel = cancel.get_token();
  CancelOnSignal watcher(signals, cancel);
  auto outcome = open->service->acquire(std::move(*request));
  const int interrupted = watcher.finish();
  if (!outcome) {
    return fail(context,
                in_doubt(std::move(outcome).error(),
                         "the lock was granted is not known: it ends with its time"));
  }
  auto lease = lease_of(std::move(*outcome), resource);
  if (interrupted != 0) return killed_by_signal + interrupted;
  if (!lease) return fail(context, lease.error());
  return run_held(make_command(arguments, lease->fence(), *grace), context, *lease, signals);
}

Option wait_option() {
  return {.name = "--wait",
          .values = {"DURATION"},
          .help = "Wait so long for another owner; default not at all"};
}

Option named_owner() {
  return {
      .name = "--owner", .values = {"OWNER"}, .help = "As acquire printed it", .required = true};
}

std::vector<ExitMeaning> lock_exits() {
  return {{0, "Done"},
          {1, "Usage"},
          {2, "Not held by this owner (any more)"},
          {3, "Held by somebody else, or the lock service is not reachable"},
          {4, "The answer was lost: whether it was done is not known"},
          {5, "Internal"}};
}

Command run_command() {
  return {
      .name = "run",
      .summary = "Run a command while a lock is held",
      .description =
          "The lease is renewed meanwhile. The command finds the fencing token in MIZAN_FENCE, "
          "and MIZAN_FENCE_RESOURCE and MIZAN_FENCE_OWNER with it; `mizan transfer --fence env` "
          "hands all three to the database, which keeps late holders out. When the lease is "
          "lost the command gets SIGTERM and, after the grace period, SIGKILL. Signals that "
          "arrive are passed on. The store is not kept open, so the command may use it. Locks "
          "that the ledger takes by itself have other names, so the command waits for none that "
          "is held around it.",
      .arguments = {{.name = "RESOURCE", .help = std::string(resource_help)}},
      .options = {wait_option(),
                  {.name = "--grace",
                   .values = {"DURATION"},
                   .help = "Between SIGTERM and SIGKILL when the lease is lost; default 5s"},
                  {.name = "--owner", .values = {"OWNER"}, .help = "Who holds it; default random"}},
      .examples = {{"mizan lock run payout -- ./payout.sh", "At most one at a time"},
                   {"mizan lock run wallet/alice --wait 30s -- mizan transfer alice bob 5 "
                    "--fence env",
                    "Fenced: a late holder is refused"}},
      .exits = {{0, "The command's own status is passed on, also 1 to 255"},
                {1, "Usage, or the command cannot be started"},
                {3, "Somebody else holds the lock, or the lease was lost"},
                {4, "The answer was lost: whether the lock was granted is not known"},
                {5, "Internal"}},
      .run = run_run,
      .takes_command_line = true};
}

}  // namespace

Command lock_command() {
  Command command;
  command.name = "lock";
  command.summary = "Acquire, renew and release locks; run a command under one";
  command.description =
      "A lock with a timeout saves duplicate work and guarantees nothing: the token that comes "
      "with it does, when the database checks it (--fence).";
  command.children = {
      {.name = "acquire",
       .summary = "Acquire a lock and print its token",
       .description = "It is held until it is released or --lock-ttl has passed without renewal.",
       .arguments = {{.name = "RESOURCE", .help = std::string(resource_help)}},
       .options = {wait_option(),
                   {.name = "--owner",
                    .values = {"OWNER"},
                    .help = "State it to repeat an acquisition whose answer was lost; default "
                            "random"}},
       .examples = {{"mizan lock acquire payout --lock-ttl 60s --json",
                     "Resource, token, owner, expires_in_ms"}},
       .exits = lock_exits(),
       .run = run_acquire},
      {.name = "renew",
       .summary = "Hold a lock for longer",
       .description = "For --lock-ttl from now.",
       .arguments = {{.name = "RESOURCE", .help = "What is locked"}},
       .options = {named_owner()},
       .examples = {{"mizan lock renew payout --owner \"$owner\"", "By its owner"}},
       .exits = lock_exits(),
       .run = run_renew},
      {.name = "release",
       .summary = "Give a lock back",
       .arguments = {{.name = "RESOURCE", .help = "What is locked"}},
       .options = {named_owner()},
       .examples = {{"mizan lock release payout --owner \"$owner\"", "By its owner"}},
       .exits = lock_exits(),
       .run = run_release},
      run_command()};
  return command;
}

}  // namespace mizan::cli
