#include "prover/report/sequence_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace mizan::prover {

namespace {

constexpr int lane_width = 90;
constexpr int row_height = 26;
constexpr int header = 30;
constexpr int text_width = 520;

int lane_x(std::size_t lane) {
  return 30 + static_cast<int>(lane) * lane_width;
}

int row_y(std::size_t row) {
  return header + 14 + static_cast<int>(row) * row_height;
}

/// Red bars from the moment a process is stopped to the moment it goes on.
std::string pause_bars(const Story& story, std::size_t lane) {
  std::string svg;
  const std::size_t none = story.moments.size();
  std::size_t since = none;
  for (std::size_t row = 0; row < story.moments.size(); ++row) {
    const Moment& moment = story.moments[row];
    if (moment.lane != story.lanes[lane]) continue;
    if (moment.text.starts_with("SIGSTOP")) since = row;
    if (!moment.text.starts_with("SIGCONT") || since == none) continue;
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"{}\" fill=\"#b3261e\" opacity=\"0.35\">"
        "<title>stopped</title></rect>",
        lane_x(lane) - 5,
        row_y(since),
        row_y(row) - row_y(since));
    since = none;
  }
  return svg;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string sequence_diagram(const Story& story) {
  const int text_x = lane_x(story.lanes.size()) - lane_width / 2;
  const int width = text_x + text_width;
  const int height = row_y(story.moments.size());
  std::string svg = fmt::format(
      "<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {} {}\" width=\"{}\" "
      "role=\"img\" font-family=\"system-ui,sans-serif\" font-size=\"13\">",
      html_escaped(story.title),
      width,
      height,
      width);
  for (std::size_t lane = 0; lane < story.lanes.size(); ++lane) {
    svg += fmt::format(
        "<text x=\"{0}\" y=\"18\" text-anchor=\"middle\" font-weight=\"600\">{1}</text>"
        "<line x1=\"{0}\" y1=\"{2}\" x2=\"{0}\" y2=\"{3}\" stroke=\"#9aa4b1\"/>",
        lane_x(lane),
        html_escaped(story.lanes[lane]),
        header - 4,
        height);
    svg += pause_bars(story, lane);
  }
  for (std::size_t row = 0; row < story.moments.size(); ++row) {
    const Moment& moment = story.moments[row];
    const auto found = std::find(story.lanes.begin(), story.lanes.end(), moment.lane);
    const int x = lane_x(static_cast<std::size_t>(found - story.lanes.begin()));
    const std::string_view colour = moment.is_wrong ? "#b3261e" : "#1c2430";
    svg += fmt::format(
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"#dde2e8\"/>"
        "<circle cx=\"{0}\" cy=\"{1}\" r=\"5\" fill=\"{3}\"/>"
        "<text x=\"{4}\" y=\"{5}\" fill=\"{3}\">{6}. {7}</text>",
        x,
        row_y(row),
        text_x - 6,
        colour,
        text_x,
        row_y(row) + 4,
        row + 1,
        html_escaped(moment.text));
  }
  return svg + "</svg></figure>\n";
}

}  // namespace mizan::prover
