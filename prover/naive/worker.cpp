// A careless process. Standard input: `lock RESOURCE TTL_MS WAIT_MS`, `read WALLET`,
// `pay OPERATION FROM TO AMOUNT` (both balances written as computed from what was read before),
// `settle OPERATION FROM TO AMOUNT` (checked against what was read before, then added and
// subtracted), `withdraw OPERATION WALLET AMOUNT` (written as computed), `two-steps OPERATION FROM
// TO AMOUNT` (says `at between_legs` and stands still between debit and credit).

#include "mizan/clock.hpp"

#include "prover/naive/bank.hpp"
#include "prover/workers/protocol.hpp"
#include "prover/workers/roles.hpp"
#include "prover/workers/standard_lines.hpp"

#include <charconv>
#include <chrono>
#include <map>
#include <string>
#include <thread>

namespace mizan::prover {

namespace {

using Fields = std::vector<std::string_view>;

std::int64_t to_number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::int64_t now_ms() {
  const auto now = system_clock().now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

class CarelessWorker {
 public:
  explicit CarelessWorker(const std::filesystem::path& file) : bank_(file) {}

  std::string carry_out(const Fields& fields) {
    if (fields.front() == "lock" && fields.size() == 4) return lock(fields);
    if (fields.front() == "read" && fields.size() == 2) return read(fields);
    if (fields.front() == "pay" && fields.size() == 5) return pay(fields);
    if (fields.front() == "settle" && fields.size() == 5) return settle(fields);
    if (fields.front() == "withdraw" && fields.size() == 4) return withdraw(fields);
    if (fields.front() == "two-steps" && fields.size() == 5) return two_steps(fields);
    return "error";
  }

 private:
  std::string lock(const Fields& fields) {
    const std::int64_t deadline = now_ms() + to_number(fields[3]);
    for (;;) {
      const auto token = bank_.try_lock(fields[1], now_ms(), to_number(fields[2]));
      if (token) return "token " + std::to_string(*token);
      if (now_ms() > deadline) return "busy";
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  std::string read(const Fields& fields) {
    const std::int64_t balance = bank_.read_balance(fields[1]);
    read_before_[std::string(fields[1])] = balance;
    return "balance " + std::to_string(balance);
  }

  std::string pay(const Fields& fields) {
    const std::int64_t amount = to_number(fields[4]);
    const std::int64_t from = read_before_[std::string(fields[2])];
    const std::int64_t to = read_before_[std::string(fields[3])];
    if (from < amount) return "refused";
    bank_.write_balance(fields[2], from - amount);
    bank_.write_balance(fields[3], to + amount);
    bank_.note_entry(fields[1], fields[2], fields[3], amount, from - amount, to + amount);
    return "paid";
  }

  std::string settle(const Fields& fields) {
    const std::int64_t amount = to_number(fields[4]);
    if (read_before_[std::string(fields[2])] < amount) return "refused";
    bank_.add_balance(fields[2], -amount);
    bank_.add_balance(fields[3], amount);
    bank_.note_entry(fields[1],
                     fields[2],
                     fields[3],
                     amount,
                     bank_.read_balance(fields[2]),
                     bank_.read_balance(fields[3]));
    return "paid";
  }

  std::string withdraw(const Fields& fields) {
    const std::int64_t amount = to_number(fields[3]);
    const std::int64_t balance = read_before_[std::string(fields[2])];
    if (balance < amount) return "refused";
    bank_.write_balance(fields[2], balance - amount);
    bank_.note_entry(fields[1], fields[2], "", amount, balance - amount, 0);
    return "paid";
  }

  std::string two_steps(const Fields& fields) {
    bank_.transfer_in_two_steps(fields[1], fields[2], fields[3], to_number(fields[4]), [] {
      write_line("at between_legs");
      for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    });
    return "paid";
  }

  naive::Bank bank_;
  std::map<std::string, std::int64_t> read_before_;
};

}  // namespace

int run_naive(std::span<const std::string_view> words) {
  if (words.size() != 1) return 1;
  CarelessWorker worker{std::filesystem::path(words[0])};
  write_line("ready");
  while (const auto line = read_command()) {
    const Fields fields = split_fields(*line);
    write_line(fields.empty() ? std::string("error") : worker.carry_out(fields));
  }
  return 0;
}

}  // namespace mizan::prover
