#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mizan::prover {

/// The next line of standard input; nothing at its end.
[[nodiscard]] std::optional<std::string> read_command();

/// Writes a whole line to standard output at once.
void write_line(std::string_view line);

}  // namespace mizan::prover
