#include "cli/backend.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/csv.hpp"
#include "cli/hledger.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::cli {
namespace {

/// Turns operations into one of the formats.
class ExportFormat {
 public:
  ExportFormat() = default;
  ExportFormat(const ExportFormat&) = delete;
  ExportFormat& operator=(const ExportFormat&) = delete;
  virtual ~ExportFormat() = default;

  [[nodiscard]] virtual std::string preamble() const = 0;
  virtual Result<std::string> write(const JournalOperation& operation) = 0;
};

/// Empty where it is not known.
std::string sequence_of(const JournalOperation& operation, std::size_t leg) {
  if (operation.sequences.empty()) return {};
  return std::to_string(operation.sequences[leg].value());
}

class CsvFormat final : public ExportFormat {
 public:
  [[nodiscard]] std::string preamble() const override {
    return "sequence,operation,type,at,from,to,amount,currency,from_balance,from_version,"
           "to_balance,to_version,metadata\r\n";
  }

  Result<std::string> write(const JournalOperation& operation) override {
    const Receipt& receipt = operation.receipt;
    std::string out;
    for (std::size_t i = 0; i < receipt.legs.size(); ++i) {
      const LegReceipt& leg = receipt.legs[i];
      const std::uint8_t exponent = operation.currencies[i].exponent;
      const auto balance = [exponent](const std::optional<MinorUnits>& units) {
        return units ? format_decimal(*units, exponent) : std::string();
      };
      const auto version = [](const std::optional<std::uint64_t>& number) {
        return number ? std::to_string(*number) : std::string();
      };
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                         sequence_of(operation, i),
                         csv_field(receipt.id.view()),
                         to_string(receipt.type),
                         to_rfc3339(receipt.applied_at),
                         csv_field(leg.from.view()),
                         csv_field(leg.to.view()),
                         format_decimal(leg.amount, exponent),
                         leg.currency.view(),
                         balance(leg.from_balance),
                         version(leg.from_version),
                         balance(leg.to_balance),
                         version(leg.to_version),
                         csv_field(encode_metadata(receipt.metadata)));
    }
    return out;
  }
};

class JsonFormat final : public ExportFormat {
 public:
  explicit JsonFormat(Reader& reader) noexcept : reader_(reader) {}

  [[nodiscard]] std::string preamble() const override { return {}; }

  Result<std::string> write(const JournalOperation& operation) override {
    // Which hold was captured and what was reversed stand in the record, not in the journal.
    const OperationType type = operation.receipt.type;
    if (type != OperationType::capture && type != OperationType::reverse) {
      return json::to_object(operation.receipt, Code::applied).text() + "\n";
    }
    auto recorded = reader_.find_operation(operation.receipt.id);
    if (!recorded) return std::move(recorded).error();
    const Receipt& receipt = *recorded ? (*recorded)->receipt : operation.receipt;
    return json::to_object(receipt, Code::applied).text() + "\n";
  }

 private:
  Reader& reader_;
};

class HledgerFormat final : public ExportFormat {
 public:
  [[nodiscard]] std::string preamble() const override { return HledgerWriter::preamble(); }

  Result<std::string> write(const JournalOperation& operation) override {
    return writer_.write(operation);
  }

 private:
  HledgerWriter writer_;
};

std::unique_ptr<ExportFormat> make_format(const std::string& name, Reader& reader) {
  if (name == "csv") return std::make_unique<CsvFormat>();
  if (name == "json") return std::make_unique<JsonFormat>(reader);
  return std::make_unique<HledgerFormat>();
}

int run_export(const Arguments& arguments, Context& context) {
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  // --json asks for JSON lines from every command; the format of this one is its own affair only
  // where it is stated.
  const std::string name = arguments.find("--format").value_or(context.json() ? "json" : "csv");
  const auto format = make_format(name, **reader);
  auto journal = (*reader)->journal();
  if (!journal) return context.fail(journal.error());
  context.out().write(format->preamble());
  while (context.out().open()) {
    auto operation = (*journal)->next();
    if (!operation) return context.fail(operation.error());
    if (!*operation) break;
    auto text = format->write(**operation);
    if (!text) return context.fail(text.error());
    context.out().write(*text);
  }
  return 0;
}

}  // namespace

Command export_command() {
  return {
      .name = "export",
      .summary = "Write out the whole journal",
      .description =
          "Every operation that moved money, in the order of commits, out of one snapshot, beside "
          "a running owner, in bounded memory; of a server (--store http:…) from its events, while "
          "others write, as docs/guides/client.md tells. csv: one line a leg, decimal amounts. "
          "json: one "
          "operation a line, amounts in minor units. hledger: a journal for hledger and ledger, "
          "in which each line asserts the balance that Mizan has; a wallet ID is the account "
          "wallet:ID there, with : and @ written as %3A and %40.",
      .options = {{.name = "--format",
                   .values = {"FORMAT"},
                   .help = "Default csv, or json with --json",
                   .choices = {"csv", "json", "hledger"}}},
      .examples = {{"mizan export --format hledger > ledger.journal",
                    "Then: hledger -f "
                    "ledger.journal balance"},
                   {"mizan export --format json | gzip > journal.json.gz", "For another program"}},
      .run = run_export};
}

}  // namespace mizan::cli
