#include "base/text.hpp"

#include "prover/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain = "\x1b[0m";

std::string paint(std::string_view text, std::string_view colour, bool colours) {
  if (!colours) return std::string(text);
  return fmt::format("{}{}{}", colour, text, plain);
}

std::string_view colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return green;
    case Verdict::fail:
    case Verdict::could_not_run:
      return red;
    case Verdict::inconclusive:
    case Verdict::skipped:
      return yellow;
  }
  return plain;
}

std::string short_number(std::uint64_t number) {
  if (number < 10'000) return std::to_string(number);
  return fmt::format("{}.{}k", number / 1'000, number % 1'000 / 100);
}

Verdict worse(Verdict one, Verdict other) {
  const auto severity = [](Verdict verdict) {
    switch (verdict) {
      case Verdict::skipped:
        return 0;
      case Verdict::pass:
        return 1;
      case Verdict::inconclusive:
        return 2;
      case Verdict::could_not_run:
        return 3;
      case Verdict::fail:
        return 4;
    }
    return 4;
  };
  return severity(other) > severity(one) ? other : one;
}

/// Columns on a terminal: continuation bytes of UTF-8 take none.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char letter) {
    return (static_cast<unsigned char>(letter) & 0xC0U) != 0x80U;
  }));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t used = columns(text);
  if (used < width) result.append(width - used, ' ');
  return result;
}

/// As `escape_for_log`, but with the quotes as they are: they end nothing in a table for people.
std::string readable(std::string_view text, std::size_t size_max) {
  std::string result;
  for (;;) {
    const std::string_view piece = text.substr(0, text.find('"'));
    result += escape_for_log(piece, size_max);
    if (piece.size() == text.size() || piece.size() >= size_max) return result;
    result += '"';
    size_max -= piece.size() + 1;
    text.remove_prefix(piece.size() + 1);
  }
}

std::string cell_text(const StoreReport& store, const std::string& name, bool colours) {
  constexpr std::size_t width = 22;
  for (const ScenarioResult& result : store.scenarios) {
    if (result.name != name) continue;
    const std::string text =
        result.verdict == Verdict::skipped
            ? std::string(to_string(result.verdict))
            : fmt::format("{} {} ms", to_string(result.verdict), result.took.count());
    return paint(padded(text, width), colour_of(result.verdict), colours);
  }
  return padded(store.skipped.empty() ? "" : "not there", width);
}

}  // namespace

Verdict overall(std::span<const ScenarioResult> scenarios) noexcept {
  Verdict worst = Verdict::pass;
  for (const ScenarioResult& result : scenarios) worst = worse(worst, result.verdict);
  return worst;
}

Verdict overall(const Report& report) noexcept {
  Verdict worst = Verdict::pass;
  for (const StoreReport& store : report.stores) worst = worse(worst, overall(store.scenarios));
  return worst;
}

int exit_status_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::pass:
    case Verdict::skipped:
      return 0;
    case Verdict::fail:
      return 1;
    case Verdict::inconclusive:
      return 2;
    case Verdict::could_not_run:
      return 3;
  }
  return 3;
}

std::string table_line(const ScenarioResult& result, bool colours) {
  const Counts& counts = result.counts;
  const std::uint64_t operations = counts.ok + counts.refused + counts.retried + counts.unknown;
  std::string line = padded(result.name, 20);
  line += paint(padded(to_string(result.verdict), 13), colour_of(result.verdict), colours);
  line += fmt::format("{:>6} ops {:>6} ms", short_number(operations), result.took.count());
  const auto add = [&line](std::string_view name, std::uint64_t number) {
    if (number != 0) line += fmt::format("  {} {}", name, short_number(number));
  };
  add("refused", counts.refused);
  add("retried", counts.retried);
  add("replayed", counts.replayed);
  add("fenced", counts.fenced);
  add("unknown", counts.unknown);
  if (result.verdict != Verdict::pass) return line + "\n    " + readable(result.reason, 500);
  return line;
}

std::string details_text(const ScenarioResult& result, bool colours, bool with_stories) {
  std::string text;
  const bool passed = result.verdict == Verdict::pass;
  if (passed && !result.contrast.empty()) text += "    (" + result.contrast + ")\n";
  for (const auto& [name, checked] : result.invariants) {
    for (const std::string& violation : checked.violations) {
      text += "    " + paint(name, red, colours) + "  " + readable(violation, 500) + '\n';
    }
  }
  if (!with_stories) return text;
  for (const Story& story : result.stories) text += story_text(story, colours);
  if (!result.layers.empty()) text += layers_text(result.layers, colours);
  return text;
}

std::string story_text(const Story& story, bool colours) {
  std::string text = "\n    " + story.title + '\n';
  std::size_t number = 0;
  std::string header = "    ";
  for (const std::string& lane : story.lanes) header += padded(lane, 10);
  text += header + '\n';
  for (const Moment& moment : story.moments) {
    std::string line = "    ";
    for (const std::string& lane : story.lanes) {
      line += padded(lane == moment.lane ? "●" : "│", 10);
    }
    line += fmt::format("{:>2}. {}: {}", ++number, moment.lane, moment.text);
    text +=
        (moment.is_wrong ? paint(line + "   ← here the money goes wrong", red, colours) : line) +
        '\n';
  }
  return text;
}

std::string layers_text(std::span<const LayerCell> cells, bool colours) {
  std::vector<std::string> rows;
  std::vector<std::string> situations;
  for (const LayerCell& cell : cells) {
    if (std::find(rows.begin(), rows.end(), cell.off) == rows.end()) rows.push_back(cell.off);
    if (std::find(situations.begin(), situations.end(), cell.situation) == situations.end()) {
      situations.push_back(cell.situation);
    }
  }
  std::string text = "\n    what each layer protects from (one switched off at a time)\n";
  for (const std::string& situation : situations) {
    text += "    " + situation + '\n';
    for (const std::string& row : rows) {
      for (const LayerCell& cell : cells) {
        if (cell.off != row || cell.situation != situation) continue;
        text += "      " + padded(row + " off", 20) +
                paint(cell.effect, cell.is_right ? green : red, colours) + '\n';
      }
    }
  }
  return text;
}

std::string matrix_text(const Report& report, bool colours) {
  if (report.stores.size() < 2) return {};
  constexpr std::size_t column = 22;
  std::string text = padded("", column);
  std::vector<std::string> names;
  for (const StoreReport& store : report.stores) {
    text += padded(store.name, column);
    for (const ScenarioResult& result : store.scenarios) {
      const bool is_new = std::find(names.begin(), names.end(), result.name) == names.end();
      if (is_new) names.push_back(result.name);
    }
  }
  text += '\n';
  for (const std::string& name : names) {
    text += padded(name, column);
    for (const StoreReport& store : report.stores) text += cell_text(store, name, colours);
    text += '\n';
  }
  return text;
}

std::string catch_line(const CatchResult& result, bool colours) {
  const char* verdict = result.caught ? "caught" : result.skipped ? "SKIPPED" : "MISSED";
  std::string line =
      padded(result.store, 10) + padded(result.scenario, 20) + padded(result.mutant, 24) +
      paint(padded(verdict, 8), result.caught || result.skipped ? green : red, colours);
  line += fmt::format("{:<9}{:>6} ms  ", result.expected, result.took_ms);
  return line + readable(result.witness, 160);
}

}  // namespace mizan::prover
