#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "cli/backend.hpp"
#include "cli/csv.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mizan::cli {

struct ImportSummary {
  std::uint64_t rows = 0;
  std::uint64_t applied = 0;
  std::uint64_t already_applied = 0;
  std::uint64_t refused = 0;
  std::uint64_t bad = 0;
};

/// What was wrong with one row: the row itself, or the answer of the ledger.
struct RowProblem {
  std::size_t line = 0;
  std::optional<OperationId> id;
  std::variant<Error, Refusal> what;
  std::optional<Currency> currency = {};  ///< Of the row, where it has one.
};

struct ImportOptions {
  [[nodiscard]] Deadline deadline_each_batch() const { return clock->now() + deadline; }

  const Clock* clock = nullptr;
  std::chrono::milliseconds deadline{30'000};  ///< Of one batch.
  bool dry_run = false;
  std::function<void(const RowProblem&)> on_problem;
  std::function<void(const ImportSummary&)> on_batch;  ///< After each batch, for progress.
};

/// Turns rows `id,from,to,amount,currency[,description]` into operations and applies them in
/// batches, in order. Repeating a file applies nothing twice; a bad row does not stop the rest.
/// Memory is bounded by one batch. One thread at a time.
class Importer {
 public:
  static constexpr std::size_t batch_size = 8'192;

  /// A dry run sees within a batch only, so it takes the largest that there is.
  static constexpr std::size_t dry_batch_size = 10'000;

  Importer(Backend& backend, ImportOptions options);

  /// An error that stopped the import (the ledger cannot be reached, the file cannot be read) is
  /// answered after what was done so far is in `summary`.
  [[nodiscard]] Status run(CsvReader& reader);

  [[nodiscard]] const ImportSummary& summary() const noexcept { return summary_; }

 private:
  struct Columns {
    std::size_t id = 0, from = 1, to = 2, amount = 3, currency = 4;
    std::optional<std::size_t> description = 5;
    std::size_t count_min = 5, count_max = 6;
  };

  Status take(const CsvRecord& record);
  Result<bool> read_header(const CsvRecord& record);
  Result<Operation> read_row(const CsvRecord& record);
  [[nodiscard]] std::string wrong_count(std::size_t fields) const;
  Result<Currency> load_currency(const std::string& code);
  void report(const RowProblem& problem);
  [[nodiscard]] std::optional<Currency> currency_of(const Operation& operation) const;
  Status apply_batch();

  /// Counts and reports what became of the batch's row `i`; an error that stops the import.
  std::optional<Error> note_result(std::size_t i, const Result<Outcome>& result);

  Backend& backend_;
  ImportOptions options_;
  Columns columns_;
  ImportSummary summary_;
  std::map<std::string, Currency> currencies_;  // Those that exist: a bad file adds nothing.
  std::vector<Operation> operations_;
  std::vector<std::size_t> lines_;
  bool first_ = true;
};

}  // namespace mizan::cli
