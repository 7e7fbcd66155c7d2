#include "base/match.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/importer.hpp"
#include "cli/report.hpp"
#include "json/problem.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace mizan::cli {
namespace {

constexpr int refused_status = 2;

/// A file to read; `-` is standard input.
class InputFile {
 public:
  explicit InputFile(std::string name) : name_(std::move(name)) {
    descriptor_ = name_ == "-" ? STDIN_FILENO : ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    error_ = descriptor_ < 0 ? errno : 0;
  }

  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  ~InputFile() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  }

  [[nodiscard]] Status opened() const {
    if (descriptor_ >= 0) return {};
    return failed(error_);
  }

  [[nodiscard]] Result<std::size_t> read(std::span<char> into) const {
    while (true) {
      const ssize_t count = ::read(descriptor_, into.data(), into.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return failed(errno);
    }
  }

 private:
  [[nodiscard]] Error failed(int error) const {
    return invalid_request("import",
                           fmt::format("cannot read {}: {}", name_, std::strerror(error)));
  }

  std::string name_;
  int descriptor_ = -1;
  int error_ = 0;
};

/// What was asked for.
struct Order {
  std::string file;
  bool dry_run = false;
};

void print_problem(Context& context, const std::string& file, const RowProblem& problem) {
  if (context.json()) {
    const json::ProblemContext about{problem.id, context.request_id()};
    json::Object object = std::visit(
        Match{[&](const Error& error) { return json::problem_object(error, about); },
              [&](const Refusal& refusal) { return json::problem_object(refusal, about); }},
        problem.what);
    context.line(object.set("line", problem.line).text());
    return;
  }
  const auto& [code, detail] = std::visit(
      Match{[](const Error& error) { return std::pair(std::string("bad row"), error.detail); },
            [&problem](const Refusal& refusal) {
              return std::pair(std::string(to_string(refusal.code)),
                               describe(refusal, problem.currency));
            }},
      problem.what);
  const std::string id = problem.id ? fmt::format(" {}:", problem.id->view()) : "";
  if (context.progress()) context.err().write("\r\x1b[K");
  context.note(safe(fmt::format("{}:{}:{} {}: {}", file, problem.line, id, code, detail)));
}

void print_summary(Context& context, const Order& order, const ImportSummary& summary) {
  if (context.json()) {
    context.line(json::Object()
                     .set("rows", summary.rows)
                     .set("applied", summary.applied)
                     .set("already_applied", summary.already_applied)
                     .set("refused", summary.refused)
                     .set("bad", summary.bad)
                     .set("dry_run", order.dry_run)
                     .text());
    return;
  }
  context.line(fmt::format("{}{}: {} rows: {} {}, {} already applied, {} refused, {} bad",
                           order.dry_run ? "dry run of " : "",
                           safe(order.file),
                           summary.rows,
                           summary.applied,
                           order.dry_run ? "would be applied" : "applied",
                           summary.already_applied,
                           summary.refused,
                           summary.bad));
  if (summary.rows > 0 && summary.already_applied == summary.rows) {
    context.line("nothing was applied: every row had been applied before");
  }
  if (order.dry_run && summary.rows > Importer::dry_batch_size) {
    context.note(
        fmt::format("a dry run decides {} rows at a time and does not see what earlier "
                    "ones would have moved",
                    Importer::dry_batch_size));
  }
}

std::function<void(const ImportSummary&)> make_progress(Context& context) {
  if (!context.progress()) return {};
  const Instant begin = context.clock().now();
  return [&context, begin](const ImportSummary& summary) {
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::milliseconds>(context.clock().now() - begin)
            .count();
    const std::uint64_t rate =
        elapsed > 0 ? summary.rows * 1'000 / static_cast<std::uint64_t>(elapsed) : 0;
    context.err().write(fmt::format("\r\x1b[K{} rows, {} a second", summary.rows, rate));
    context.err().flush();
  };
}

int finish(Context& context, const Order& order, const Importer& importer, const Status& ended) {
  if (context.progress()) context.err().write("\r\x1b[K");
  const ImportSummary& summary = importer.summary();
  // A file that cannot be read at all has no summary.
  const bool begun = ended || summary.rows > 0;
  if (begun) print_summary(context, order, summary);
  if (!ended) {
    const int status = context.fail(ended.error());
    if (begun && !context.json()) {
      context.note("  not finished: run the same command again; nothing is applied twice");
    }
    return status;
  }
  return summary.refused + summary.bad > 0 ? refused_status : 0;
}

int run_import(const Arguments& arguments, Context& context) {
  const Order order{arguments.require("FILE"), arguments.has("--dry-run")};
  const InputFile input(order.file);
  if (Status opened = input.opened(); !opened) return context.fail(opened.error());
  auto backend = context.open_backend(Access::write);
  if (!backend) return context.fail(backend.error());
  ImportOptions options;
  options.clock = &context.clock();
  options.deadline = context.settings().deadline();
  options.dry_run = order.dry_run;
  options.on_problem = [&](const RowProblem& problem) {
    print_problem(context, order.file, problem);
  };
  options.on_batch = make_progress(context);
  CsvReader reader([&input](std::span<char> into) { return input.read(into); });
  Importer importer(**backend, options);
  const Status ended = importer.run(reader);
  return finish(context, order, importer, ended);
}

}  // namespace

Command import_command() {
  return {
      .name = "import",
      .summary = "Apply operations out of a CSV file, each at most once",
      .description =
          "Columns: id,from,to,amount,currency[,description]; a first line may name them in any "
          "order. Amounts are decimal, 12.34. @world in from or to lets money enter or leave. Rows "
          "are applied in order; one that is refused or malformed is reported by its line number "
          "and does not stop the rest. Importing the same file again applies nothing twice, so an "
          "import that was interrupted is finished by running it again. Files of millions of rows "
          "take bounded memory.",
      .arguments = {{.name = "FILE",
                     .help = "The CSV file (RFC 4180, UTF-8); - is standard input",
                     .completes = Completes::files}},
      .options = {{.name = "--dry-run",
                   .help = "Decide everything, keep nothing; sees 10000 rows at a time"}},
      .examples = {{"mizan import payouts.csv", "Twice is as good as once"},
                   {"mizan import payouts.csv --dry-run", "What would happen"},
                   {"zcat payouts.csv.gz | mizan import -", "From a pipe"}},
      .exits = {{0, "Every row is applied, now or before"},
                {1, "Usage, or the file cannot be read"},
                {2, "Some rows were refused or bad; the others are applied"},
                {3, "The store is busy or not reachable: run it again"},
                {4, "The fate of a batch is unknown: run it again"},
                {5, "Internal"}},
      .run = run_import};
}

}  // namespace mizan::cli
