// The two stories of the product, told with real processes: first a careless program, then ours.

#include "mizan/clock.hpp"
#include "mizan/sqlite.hpp"

#include "base/text.hpp"
#include "prover/naive/bank.hpp"
#include "prover/options.hpp"
#include "prover/prove.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/workers/crew.hpp"
#include "testkit/temp_dir.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::chrono::milliseconds ttl{500};
constexpr std::string_view shop = "demo/shop";
constexpr std::string_view supplier = "demo/supplier";
constexpr std::string_view saver = "demo/saver";

/// Speaks in plain words, and keeps the first thing that went wrong.
class Teller {
 public:
  explicit Teller(const Console& console) : console_(console) {}

  void title(std::string_view text) { line("\n" + paint("1", text) + "\n"); }

  void line(std::string_view text) { console_.out(std::string(text) + '\n'); }

  void step(std::string_view who, std::string_view what) {
    line("  " + paint("36", who) + "  " + std::string(what));
  }

  void wrong(std::string_view text) { line("\n  " + paint("31", text)); }

  void right(std::string_view text) { line("\n  " + paint("32", text)); }

  void fail(const Error& error) {
    if (!failed_) console_.err("mizan demo: " + error.where + ": " + error.detail + '\n');
    failed_ = true;
  }

  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    if (!console_.colours) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }

  const Console& console_;
  bool failed_ = false;
};

/// Two careless processes on tables of their own.
class CarelessPair {
 public:
  CarelessPair(Teller& teller, const std::filesystem::path& file) : teller_(teller) {
    for (auto* child : {&first_, &second_}) {
      auto started = Child::start({"--as-naive", file.string()});
      if (!started) {
        teller_.fail(started.error());
        return;
      }
      child->emplace(std::move(*started));
      static_cast<void>((*child)->receive());
    }
  }

  [[nodiscard]] bool ready() const { return first_.has_value() && second_.has_value(); }

  Child& first() { return *first_; }

  Child& second() { return *second_; }

  std::string say(Child& child, const std::string& line) {
    const auto answer = child.exchange(line);
    if (answer) return *answer;
    teller_.fail(answer.error());
    return {};
  }

 private:
  Teller& teller_;
  std::optional<Child> first_;
  std::optional<Child> second_;
};

std::string text_of(std::int64_t units) {
  return std::to_string(units);
}

void careless_lock(Teller& teller, const std::filesystem::path& file) {
  teller.title("1. The lock lies: the careless program");
  teller.line(
      "  The shop has 100 and owes its supplier 60. Two processes may pay the invoice, so the");
  teller.line(
      "  program takes a lock with a time to live (10 s in real life, half a second here).");
  naive::Bank bank(file);
  bank.create_tables();
  bank.create_wallet("shop", 100);
  bank.create_wallet("supplier", 0);
  CarelessPair pair(teller, file);
  if (!pair.ready()) return;
  const std::string lock = "lock invoice-7 " + text_of(ttl.count()) + " 15000";
  pair.say(pair.first(), lock);
  pair.say(pair.first(), "read shop");
  teller.step("P1", "takes the lock and reads: the shop has 100, enough for 60.");
  if (const Status paused = pair.first().pause(); !paused) return teller.fail(paused.error());
  teller.step("P1",
              "is stopped by the machine (a real SIGSTOP): a long pause, slow storage, swap.");
  pair.say(pair.second(), lock);
  pair.say(pair.second(), "read shop");
  teller.step("P2", "waits until the lock's time is over, takes it, and reads: 100.");
  pair.say(pair.second(), "settle invoice-7 shop supplier 60");
  teller.step("P2", "pays 60.");
  pair.first().resume();
  pair.say(pair.first(), "settle invoice-7 shop supplier 60");
  teller.step("P1", "wakes up (SIGCONT). It still believes that it holds the lock. It pays 60.");
  teller.wrong("The invoice of 60 was paid twice: the supplier has " +
               text_of(bank.read_balance("supplier")) + ", the shop " +
               text_of(bank.read_balance("shop")) + ". Nothing was logged.");
}

History::Request invoice(const Worker& worker, std::string_view id, const Fence& held) {
  History::Request request =
      ask(worker.client(), testkit::transfer(id, shop, supplier, 60), "invoice-7");
  request.held = held;
  request.operation.fences.push_back(held);
  return request;
}

std::string answer_text(Teller& teller, const Result<Outcome>& answer) {
  if (!answer) {
    teller.fail(answer.error());
    return {};
  }
  return std::string(to_string(code_of(*answer)));
}

std::string balance_text(Teller& teller, Crew& crew, std::string_view wallet) {
  const auto balance = crew.read_balance(wallet);
  if (balance) return text_of(*balance);
  teller.fail(balance.error());
  return {};
}

struct Cast {
  std::unique_ptr<Crew> crew;
  std::unique_ptr<Worker> first;
  std::unique_ptr<Worker> second;
};

void mizan_lock(Teller& teller, Cast& cast) {
  teller.title("1. The lock lies: the same with Mizan");
  const Resource resource{"invoice-7"};
  const auto old_lease = cast.first->acquire(resource, ttl);
  if (!old_lease) return teller.fail(old_lease.error());
  teller.step("P1",
              "takes the lock and gets fencing token " + text_of(old_lease->token.value()) + ".");
  if (const Status paused = cast.first->pause(); !paused) return teller.fail(paused.error());
  teller.step("P1", "is stopped (SIGSTOP), together with the thread that renews its lock.");
  const auto new_lease = cast.second->acquire(resource, ttl);
  if (!new_lease) return teller.fail(new_lease.error());
  teller.step("P2",
              "waits until the time is over and takes the lock: token " +
                  text_of(new_lease->token.value()) + ".");
  const auto paid = cast.second->apply(invoice(*cast.second, "invoice-7", *new_lease));
  teller.step("P2", "pays 60 as operation invoice-7: " + answer_text(teller, paid) + ".");
  const Status sent = cast.first->send_apply(invoice(*cast.first, "invoice-7", *old_lease));
  if (!sent) return teller.fail(sent.error());
  cast.first->resume();
  const auto again = cast.first->finish_apply();
  teller.step("P1",
              "wakes up and pays 60 as operation invoice-7: " + answer_text(teller, again) +
                  ". It gets the receipt of what P2 did.");
  const auto other = cast.first->apply(invoice(*cast.first, "invoice-7-by-P1", *old_lease));
  teller.step(
      "P1",
      "tries under another operation id, with its old token: " + answer_text(teller, other) + ".");
  teller.right("Paid once: the supplier has " + balance_text(teller, *cast.crew, supplier) +
               ", the shop " + balance_text(teller, *cast.crew, shop) +
               ". The lock lied, and the ledger did not care.");
}

void careless_check(Teller& teller, const std::filesystem::path& file) {
  teller.title("2. The check lies: the careless program");
  teller.line("  A wallet holds 100. Two withdrawals of 80 arrive together.");
  naive::Bank bank(file);
  bank.create_tables();
  bank.create_wallet("saver", 100);
  CarelessPair pair(teller, file);
  if (!pair.ready()) return;
  teller.step("P1", "reads " + pair.say(pair.first(), "read saver") + ": 80 is affordable.");
  teller.step("P2", "reads " + pair.say(pair.second(), "read saver") + ": 80 is affordable.");
  teller.step("P1", "writes 20: " + pair.say(pair.first(), "withdraw take-1 saver 80") + ".");
  teller.step("P2", "writes 20: " + pair.say(pair.second(), "withdraw take-2 saver 80") + ".");
  teller.wrong("160 left a wallet of 100, and it still says " +
               text_of(bank.read_balance("saver")) + ".");
}

void mizan_check(Teller& teller, Cast& cast) {
  teller.title("2. The check lies: the same with Mizan");
  teller.line("  Two processes, at the same moment, no lock at all.");
  for (Worker* worker : {cast.first.get(), cast.second.get()}) {
    const std::string id = "take-" + std::to_string(worker->client());
    const Status sent = worker->send_apply(ask(worker->client(), testkit::withdraw(id, saver, 80)));
    if (!sent) return teller.fail(sent.error());
  }
  const auto first = cast.first->finish_apply();
  const auto second = cast.second->finish_apply();
  teller.step("P1", "withdraws 80: " + answer_text(teller, first) + ".");
  teller.step("P2", "withdraws 80: " + answer_text(teller, second) + ".");
  teller.right("One withdrawal, one honest refusal: the wallet has " +
               balance_text(teller, *cast.crew, saver) + ".");
}

/// A file that an earlier demo left, or none. Anything else is somebody's and stays.
bool make_room(Teller& teller, const std::string& file) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem)) return true;
  SqliteOptions options;
  options.file = file;
  options.access = SqliteAccess::read_only;
  bool is_ours = false;
  if (const auto store = open_sqlite_store(std::move(options), system_clock())) {
    const auto snapshot = (*store)->snapshot();
    const auto wallet = snapshot ? (*snapshot)->find_wallet(WalletId{shop})
                                 : Result<std::optional<Wallet>>(snapshot.error());
    is_ours = wallet && wallet->has_value();
  }
  if (!is_ours) {
    teller.fail(invalid_request("file",
                                escape_for_log(file) +
                                    " exists and was not made by a demo; name another "
                                    "with --file"));
    return false;
  }
  teller.line("(" + file + " of an earlier demo is overwritten.)");
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(file + suffix, problem);
  }
  return true;
}

bool open_cast(Teller& teller, Cast& cast, History& history, const Crew::Options& options) {
  auto crew = Crew::start(options, history);
  if (!crew) {
    teller.fail(crew.error());
    return false;
  }
  cast.crew = std::move(*crew);
  for (auto* worker : {&cast.first, &cast.second}) {
    auto hired = cast.crew->hire(worker == &cast.first ? 1 : 2);
    if (!hired) {
      teller.fail(hired.error());
      return false;
    }
    *worker = std::move(*hired);
  }
  for (const std::string_view wallet : {shop, supplier, saver}) {
    if (const Status created = cast.crew->create_wallet(wallet); !created) {
      teller.fail(created.error());
      return false;
    }
  }
  for (const std::string_view wallet : {shop, saver}) {
    const std::string id = "fund-" + std::string(wallet);
    answer_text(teller, cast.crew->apply(ask(0, testkit::deposit(id, wallet, 100))));
  }
  return !teller.failed();
}

void tell_how_to_look(Teller& teller, const std::string& file) {
  const std::string store = " --store sqlite:" + file;
  teller.title("The ledger of the second half of each story is in " + file + ". Look at it:");
  teller.line("  mizan wallet list" + store);
  teller.line("  mizan statement " + std::string(shop) + store);
  teller.line("  mizan operation show invoice-7" + store);
  teller.line("  mizan verify" + store);
  teller.line("\nmizan prove runs these stories and more as tests, with every layer switched off");
  teller.line("in turn.");
}

}  // namespace

int run_demo(std::span<const std::string_view> words, const Console& console) {
  constexpr int usage = 1;
  constexpr int could_not_run = 3;
  const auto options = parse_demo_options(words);
  if (!options) {
    console.err(options.error().where + ": " + options.error().detail + '\n');
    return usage;
  }
  if (options->help) {
    console.out(
        "mizan demo [--file F]\n\nTells two stories of lost money with real processes, and "
        "how Mizan ends them.\nLeaves a ledger to look at (default mizan-demo.db).\n");
    return 0;
  }
  Teller teller(console);
  if (!make_room(teller, options->file)) return could_not_run;
  const auto directory = testkit::TempDir::make("mizan-demo");
  if (directory == nullptr) {
    console.err(
        "mizan demo: no temporary directory could be made; set TMPDIR to one that can be "
        "written\n");
    return could_not_run;
  }
  const std::filesystem::path& place = directory->path();
  History history;
  Cast cast;
  Crew::Options crew;
  crew.place.file = options->file;
  crew.socket = place / "s";
  if (!open_cast(teller, cast, history, crew)) return could_not_run;
  teller.line("Two stories of lost money. Amounts are in cents; P1 and P2 are real processes.");
  careless_lock(teller, place / "lock.db");
  if (!teller.failed()) mizan_lock(teller, cast);
  if (!teller.failed()) careless_check(teller, place / "check.db");
  if (!teller.failed()) mizan_check(teller, cast);
  cast = {};
  if (teller.failed()) return could_not_run;
  tell_how_to_look(teller, options->file);
  return 0;
}

}  // namespace mizan::prover
