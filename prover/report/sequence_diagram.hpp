#pragma once

#include "prover/run.hpp"

#include <string>
#include <string_view>

namespace mizan::prover {

/// The text for the inside of an HTML element or a quoted attribute.
[[nodiscard]] std::string html_escaped(std::string_view text);

/// A story as an inline SVG: one lane per participant, time downwards. A lane is drawn as a red bar
/// while its process is stopped, and a moment at which money goes wrong is red.
[[nodiscard]] std::string sequence_diagram(const Story& story);

}  // namespace mizan::prover
