#pragma once

#include "mizan/ledger.hpp"

#include "testkit/fake_clock.hpp"
#include "tests/golden/stores.hpp"
#include "tests/golden/table.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mizan::golden {

/// Plays a table on a fresh ledger and reports every line that is answered otherwise, with its
/// place, what was expected and what came.
class Runner {
 public:
  Runner(const GoldenStore& store, Strategy strategy);

  void run(std::span<const Line> lines);

 private:
  /// What may not change by a refusal or a dry run.
  struct Trace {
    std::string wallets;
    std::map<OperationId, bool> recorded;
  };

  void run_line(const Line& line);
  void run_batch(std::span<const Line> lines, Atomicity atomicity);
  void run_operation(const Line& line);
  void create_wallet(const Line& line);
  void add_currency(const Line& line);
  void patch(const Line& line, const WalletPatch& patch);
  void check_wallet(const Line& line);
  void check_sum(const Line& line);
  void check_hold(const Line& line);
  void check_trace(const Line& line);
  void check_answer(const Line& line, const Request& request, const Result<Outcome>& result);
  void check_receipt(const Line& line, const Request& request, const Outcome& outcome);
  void check_everything();

  [[nodiscard]] CallOptions options_for(const Request& request) const;
  [[nodiscard]] std::unique_ptr<Snapshot> snapshot();
  [[nodiscard]] Wallet find_wallet(const Line& line, const std::string& id);
  [[nodiscard]] std::string wallets_text();
  [[nodiscard]] bool is_recorded(const OperationId& id);
  [[nodiscard]] Trace trace(std::span<const Request> requests);
  void expect_same(const Line& line, const Trace& before, std::span<const Request> requests);
  void expect(const Line& line, const std::string& expected, const std::string& actual);

  testkit::FakeClock clock_{testkit::FakeSleep::advances};
  std::shared_ptr<Store> store_;
  std::unique_ptr<Ledger> ledger_;
  std::map<OperationId, std::string> receipts_;
};

}  // namespace mizan::golden
