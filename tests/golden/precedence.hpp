#pragma once

#include "mizan/code.hpp"
#include "mizan/operation.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mizan::golden {

/// The kinds of operation that have a table of their own.
[[nodiscard]] const std::vector<OperationType>& kinds();

/// The refusals that an operation of this kind can meet, in order of precedence.
[[nodiscard]] const std::vector<Code>& refusals_of(OperationType kind);

/// May both stand in the way of one operation of this kind?
[[nodiscard]] bool can_meet(OperationType kind, Code a, Code b);

/// Lines that lead up to one operation in whose way stand exactly `flaws`, and that operation.
/// `number` makes the names unique. Without the answer.
[[nodiscard]] std::string scenario(OperationType kind, const std::set<Code>& flaws, int number);

/// The whole table of a kind: each refusal alone, then each pair that can meet.
[[nodiscard]] std::string precedence_table(OperationType kind);

}  // namespace mizan::golden
