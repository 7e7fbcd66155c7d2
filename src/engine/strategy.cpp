#include "mizan/ledger.hpp"

#include <array>

namespace mizan {
namespace {

constexpr std::array strategies = {
    Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic};

}  // namespace

std::string_view to_string(Strategy strategy) noexcept {
  switch (strategy) {
    case Strategy::batched:
      return "batched";
    case Strategy::atomic:
      return "atomic";
    case Strategy::optimistic:
      return "optimistic";
    case Strategy::pessimistic:
      return "pessimistic";
  }
  return "";
}

std::optional<Strategy> parse_strategy(std::string_view text) noexcept {
  for (const Strategy strategy : strategies) {
    if (to_string(strategy) == text) return strategy;
  }
  return std::nullopt;
}

}  // namespace mizan
