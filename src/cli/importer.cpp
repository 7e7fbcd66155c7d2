#include "cli/importer.hpp"

#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace mizan::cli {
namespace {

constexpr const char* where = "import";

/// `@world`, alone or with the row's currency.
bool is_world(std::string_view text, const Currency& currency) {
  return text == "@world" || text == world_wallet(currency.code).view();
}

/// A wallet of somebody's: the world is dealt with before.
Result<WalletId> read_wallet(std::string pointer,
                             const std::string& text,
                             const Currency& currency) {
  if (text.starts_with("@world/")) {
    return invalid_request(std::move(pointer),
                           fmt::format("{} is of another currency than the row, {}",
                                       escape_for_log(text),
                                       currency.code.view()));
  }
  return in_field(std::move(pointer), parse_wallet_id(text));
}

/// Between which wallets a row moves money.
Result<OperationBody> make_body(const std::string& from,
                                const std::string& to,
                                MinorUnits amount,
                                const Currency& currency) {
  const bool from_world = is_world(from, currency);
  const bool to_world = is_world(to, currency);
  if (from_world && to_world) return invalid_request("/to", "from and to are both @world");
  if (from_world) {
    auto wallet = read_wallet("/to", to, currency);
    if (!wallet) return std::move(wallet).error();
    return OperationBody{Deposit{*wallet, amount, currency.code}};
  }
  auto source = read_wallet("/from", from, currency);
  if (!source) return std::move(source).error();
  if (to_world) return OperationBody{Withdraw{*source, amount, currency.code}};
  auto target = read_wallet("/to", to, currency);
  if (!target) return std::move(target).error();
  return OperationBody{Transfer{{Leg{*source, *target, amount, currency.code}}}};
}

}  // namespace

Importer::Importer(Backend& backend, ImportOptions options)
    : backend_(backend), options_(std::move(options)) {}

Status Importer::run(CsvReader& reader) {
  while (true) {
    auto item = reader.next();
    if (!item) {
      // What was read before is whole and is applied; the error stands all the same.
      if (Status applied = apply_batch(); !applied) return applied;
      return std::move(item).error();
    }
    if (!*item) return apply_batch();
    if (const CsvProblem* problem = std::get_if<CsvProblem>(&**item)) {
      ++summary_.rows;
      ++summary_.bad;
      report({problem->line, std::nullopt, invalid_request(where, problem->detail)});
      continue;
    }
    if (Status taken = take(std::get<CsvRecord>(**item)); !taken) return taken;
  }
}

Status Importer::take(const CsvRecord& record) {
  if (std::exchange(first_, false)) {
    auto header = read_header(record);
    if (!header) return std::move(header).error();
    if (*header) return {};
  }
  ++summary_.rows;
  auto operation = read_row(record);
  if (!operation) {
    // A store that is away is no property of the row.
    if (operation.error().code != Code::invalid_request) return std::move(operation).error();
    ++summary_.bad;
    report({record.line, std::nullopt, std::move(operation).error()});
    return {};
  }
  operations_.push_back(std::move(*operation));
  lines_.push_back(record.line);
  const std::size_t full = options_.dry_run ? dry_batch_size : batch_size;
  return operations_.size() < full ? Status{} : apply_batch();
}

/// The first line may name the columns, in any order. Without names they stand as documented.
Result<bool> Importer::read_header(const CsvRecord& record) {
  static constexpr std::array<std::string_view, 6> names{
      "id", "from", "to", "amount", "currency", "description"};
  std::array<std::optional<std::size_t>, names.size()> places;
  const bool is_header = std::any_of(record.fields.begin(),
                                     record.fields.end(),
                                     [](const std::string& field) { return lower(field) == "id"; });
  if (!is_header) return false;
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    const std::string name = lower(record.fields[i]);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      return invalid_request(where,
                             fmt::format("line {}: there is no column '{}'; the columns are "
                                         "{}",
                                         record.line,
                                         escape_for_log(name),
                                         fmt::join(names, ", ")));
    }
    auto& place = places[static_cast<std::size_t>(found - names.begin())];
    if (place) {
      return invalid_request(where,
                             fmt::format("line {}: the column {} stands twice", record.line, name));
    }
    place = i;
  }
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    if (!places[i]) {
      return invalid_request(
          where, fmt::format("line {}: the column {} is missing", record.line, names[i]));
    }
  }
  columns_ = {*places[0],
              *places[1],
              *places[2],
              *places[3],
              *places[4],
              places[5],
              record.fields.size(),
              record.fields.size()};
  return true;
}

std::string Importer::wrong_count(std::size_t fields) const {
  const std::string row = fmt::format("a row of {} fields; ", fields);
  if (columns_.count_min != columns_.count_max) {
    return row + "the columns are id,from,to,amount,currency[,description]";
  }
  return row + fmt::format("the first line names {} columns", columns_.count_min);
}

Result<Operation> Importer::read_row(const CsvRecord& record) {
  const std::vector<std::string>& fields = record.fields;
  if (fields.size() < columns_.count_min || fields.size() > columns_.count_max) {
    return invalid_request(where, wrong_count(fields.size()));
  }
  auto id = in_field("/id", parse_operation_id(fields[columns_.id]));
  if (!id) return std::move(id).error();
  auto currency = load_currency(fields[columns_.currency]);
  if (!currency) return std::move(currency).error();
  auto amount = in_field("/amount", parse_decimal(fields[columns_.amount], currency->exponent));
  if (!amount) return std::move(amount).error();
  auto body = make_body(fields[columns_.from], fields[columns_.to], *amount, *currency);
  if (!body) return std::move(body).error();
  Operation operation;
  operation.id = *id;
  operation.body = std::move(*body);
  if (columns_.description && *columns_.description < fields.size() &&
      !fields[*columns_.description].empty()) {
    auto metadata =
        in_field("/description", Metadata::make({{"description", fields[*columns_.description]}}));
    if (!metadata) return std::move(metadata).error();
    operation.metadata = std::move(*metadata);
  }
  return operation;
}

Result<Currency> Importer::load_currency(const std::string& text) {
  const auto known = currencies_.find(text);
  if (known != currencies_.end()) return known->second;
  auto code = in_field("/currency", parse_currency_code(text));
  if (!code) return std::move(code).error();
  auto reader = backend_.read();  // Not kept: an old view costs a store room.
  if (!reader) return std::move(reader).error();
  auto found = (*reader)->find_currency(*code);
  if (!found) return std::move(found).error();
  if (!*found) {
    return invalid_request("/currency",
                           fmt::format("there is no currency {}; register it with `mizan "
                                       "currency add {} EXPONENT`",
                                       text,
                                       text));
  }
  return currencies_.emplace(text, **found).first->second;
}

void Importer::report(const RowProblem& problem) {
  if (options_.on_problem) options_.on_problem(problem);
}

std::optional<Currency> Importer::currency_of(const Operation& operation) const {
  CurrencyCode code;
  if (const Deposit* deposit = std::get_if<Deposit>(&operation.body)) code = deposit->currency;
  if (const Withdraw* withdraw = std::get_if<Withdraw>(&operation.body)) code = withdraw->currency;
  if (const Transfer* transfer = std::get_if<Transfer>(&operation.body)) {
    code = transfer->legs.front().currency;
  }
  const auto known = currencies_.find(code.str());
  if (known == currencies_.end()) return std::nullopt;
  return known->second;
}

std::optional<Error> Importer::note_result(std::size_t i, const Result<Outcome>& result) {
  if (!result && result.error().code != Code::invalid_request) {
    Error error = result.error();
    error.detail = fmt::format("line {}: {}", lines_[i], error.detail);
    return error;
  }
  if (!result) {
    ++summary_.bad;
    report({lines_[i], operations_[i].id, result.error()});
    return std::nullopt;
  }
  if (const Refused* refused = std::get_if<Refused>(&*result)) {
    ++summary_.refused;
    report({lines_[i], operations_[i].id, *refused->refusal, currency_of(operations_[i])});
    return std::nullopt;
  }
  const bool known = std::holds_alternative<AlreadyApplied>(*result);
  ++(known ? summary_.already_applied : summary_.applied);
  return std::nullopt;
}

Status Importer::apply_batch() {
  if (operations_.empty()) return {};
  CallOptions options;
  options.deadline = options_.deadline_each_batch();
  options.dry_run = options_.dry_run;
  const auto results = backend_.apply_batch(operations_, options);
  std::optional<Error> stopped;
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::optional<Error> error = note_result(i, results[i]);
    if (error && !stopped) stopped = std::move(error);
  }
  operations_.clear();
  lines_.clear();
  if (options_.on_batch) options_.on_batch(summary_);
  if (stopped) return std::move(*stopped);
  return {};
}

}  // namespace mizan::cli
