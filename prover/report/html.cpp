#include "prover/checkers/checkers.hpp"
#include "prover/report/report.hpp"
#include "prover/report/sequence_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mizan::prover {

namespace {

constexpr std::string_view style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;"
    "color:#1c2430;background:#fff}"
    "h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}"
    ".banner{padding:.8rem 1.2rem;border-radius:.5rem;color:#fff;font-weight:600}"
    ".pass{background:#1a7f45}.fail{background:#b3261e}.other{background:#8a6100}"
    "table{border-collapse:collapse;margin:.8rem 0;width:100%}"
    "th,td{border:1px solid #ccd2da;padding:.35rem .6rem;text-align:left;vertical-align:top}"
    "th{background:#f2f4f7}td.right{background:#e7f5ec}td.wrong{background:#fbe4e2;font-weight:600}"
    "td.number{text-align:right}figure{margin:1rem 0}figcaption{color:#55606e}"
    "code{background:#f2f4f7;padding:.1rem .3rem}";

std::string_view banner_class(Verdict verdict) {
  if (verdict == Verdict::pass) return "pass";
  return verdict == Verdict::fail ? "fail" : "other";
}

void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::string cell_html(const std::vector<LayerCell>& cells,
                      const std::string& situation,
                      const std::string& off) {
  for (const LayerCell& cell : cells) {
    if (cell.situation != situation || cell.off != off) continue;
    return fmt::format(
        "<td class=\"{}\">{}</td>", cell.is_right ? "right" : "wrong", html_escaped(cell.effect));
  }
  return "<td></td>";
}

std::string layer_matrix(const std::vector<LayerCell>& cells) {
  std::vector<std::string> situations;
  std::vector<std::string> layers;
  for (const LayerCell& cell : cells) {
    add_unique(situations, cell.situation);
    add_unique(layers, cell.off);
  }
  std::string html = "<table><tr><th>situation</th>";
  for (const std::string& layer : layers) html += "<th>" + html_escaped(layer) + " off</th>";
  html += "</tr>";
  for (const std::string& situation : situations) {
    html += "<tr><th>" + html_escaped(situation) + "</th>";
    for (const std::string& layer : layers) html += cell_html(cells, situation, layer);
    html += "</tr>";
  }
  return html + "</table>\n";
}

std::string invariants_table(const ScenarioResult& result) {
  std::string html = "<table><tr><th>invariant</th><th>facts</th><th>violations</th></tr>";
  for (const auto& [name, checked] : result.invariants) {
    if (checked.facts == 0) continue;
    std::string violations = checked.violations.empty() ? "none" : "";
    for (const std::string& violation : checked.violations) {
      violations += html_escaped(violation) + "<br>";
    }
    html += fmt::format("<tr><td><b>{}</b> {}</td><td class=\"number\">{}</td><td{}>{}</td></tr>",
                        html_escaped(name),
                        html_escaped(describe_invariant(name)),
                        checked.facts,
                        checked.violations.empty() ? "" : " class=\"wrong\"",
                        violations);
  }
  return html + "</table>\n";
}

std::string summary_row(const std::string& store, const ScenarioResult& result) {
  const Counts& counts = result.counts;
  return fmt::format(
      "<tr><td><a href=\"#{9}-{0}\">{0}</a></td><td class=\"{1}\">{2}</td>"
      "<td class=\"number\">{3}</td>"
      "<td class=\"number\">{4}</td><td class=\"number\">{5}</td><td class=\"number\">{6}</td>"
      "<td class=\"number\">{7}</td><td>{8}</td></tr>",
      html_escaped(result.name),
      result.verdict == Verdict::pass ? "right" : "wrong",
      to_string(result.verdict),
      counts.ok,
      counts.refused,
      counts.replayed,
      counts.fenced,
      counts.unknown,
      html_escaped(result.verdict == Verdict::pass ? result.contrast : result.reason),
      html_escaped(store));
}

std::string scenario_section(const std::string& store, const ScenarioResult& result) {
  std::string html = fmt::format("<h3 id=\"{2}-{0}\">{0}: {1}</h3>\n",
                                 html_escaped(result.name),
                                 to_string(result.verdict),
                                 html_escaped(store));
  if (!result.reason.empty()) html += "<p>" + html_escaped(result.reason) + "</p>\n";
  if (!result.contrast.empty()) {
    html += "<p>Without the protection: " + html_escaped(result.contrast) + ".</p>\n";
  }
  if (!result.layers.empty()) html += layer_matrix(result.layers);
  for (const Story& story : result.stories) html += sequence_diagram(story);
  html += invariants_table(result);
  if (!result.sometimes.empty()) html += "<p>What had to happen, and how often it did:</p><ul>";
  for (const auto& [name, hits] : result.sometimes) {
    html += fmt::format("<li>{}: {}</li>", html_escaped(name), hits);
  }
  return html + (result.sometimes.empty() ? "" : "</ul>\n");
}

}  // namespace

namespace {

std::string store_section(const StoreReport& store) {
  if (!store.skipped.empty()) {
    return fmt::format(
        "<h2>{}</h2>\n<p>{}</p>\n", html_escaped(store.name), html_escaped(store.skipped));
  }
  std::string html = fmt::format(
      "<h2>{} {} ({})</h2>\n"
      "<table><tr><th>scenario</th><th>verdict</th><th>ok</th><th>refused</th><th>replayed</th>"
      "<th>fenced</th><th>unknown</th><th>without the protection</th></tr>\n",
      html_escaped(store.target.name),
      html_escaped(store.target.version),
      html_escaped(store.target.durability));
  for (const ScenarioResult& result : store.scenarios) {
    html += summary_row(store.name, result) + '\n';
  }
  html += "</table>\n";
  for (const ScenarioResult& result : store.scenarios) {
    html += scenario_section(store.name, result);
  }
  return html;
}

}  // namespace

std::string to_html(const Report& report) {
  const Verdict verdict = overall(report);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>mizan prove: {}</title>\n"
      "<style>{}</style></head><body>\n<h1>Does money appear or vanish?</h1>\n"
      "<p class=\"banner {}\">{}</p>\n<p>{}; again with "
      "<code>mizan prove --seed {}</code></p>\n",
      to_string(verdict),
      style,
      banner_class(verdict),
      to_string(verdict),
      html_escaped(report.started_at),
      report.seed);
  for (const StoreReport& store : report.stores) html += store_section(store);
  return html + "</body></html>\n";
}

}  // namespace mizan::prover
