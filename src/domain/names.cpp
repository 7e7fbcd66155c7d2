#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/wallet.hpp"

#include "base/assert.hpp"
#include "base/match.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

namespace mizan {

namespace {

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

constexpr std::array wallet_statuses = std::to_array<Named<WalletStatus>>({
    {WalletStatus::active, "active"},
    {WalletStatus::frozen, "frozen"},
    {WalletStatus::closed, "closed"},
});

constexpr std::array operation_types = std::to_array<Named<OperationType>>({
    {OperationType::transfer, "transfer"},
    {OperationType::deposit, "deposit"},
    {OperationType::withdraw, "withdraw"},
    {OperationType::hold, "hold"},
    {OperationType::capture, "capture"},
    {OperationType::void_hold, "void"},
    {OperationType::reverse, "reverse"},
});

constexpr std::array hold_statuses = std::to_array<Named<HoldStatus>>({
    {HoldStatus::open, "open"},
    {HoldStatus::captured, "captured"},
    {HoldStatus::voided, "voided"},
    {HoldStatus::expired, "expired"},
});

template <class Table, class Enum>
std::string_view name_of(const Table& table, Enum value) noexcept {
  const auto found = std::find_if(
      table.begin(), table.end(), [value](const auto& row) { return row.value == value; });
  MIZAN_ASSERT(found != table.end());
  return found->name;
}

template <class Enum, std::size_t Size>
std::optional<Enum> value_of(const std::array<Named<Enum>, Size>& table,
                             std::string_view name) noexcept {
  const auto found = std::find_if(
      table.begin(), table.end(), [name](const auto& row) { return row.name == name; });
  if (found == table.end()) return std::nullopt;
  return found->value;
}

/// As std::visit, but unable to throw: a variant without a value is a broken contract here.
template <std::size_t Index = 0, class Variant, class Visitor>
auto visit_surely(const Variant& variant, const Visitor& visitor) noexcept {
  const auto* alternative = std::get_if<Index>(&variant);
  if constexpr (Index + 1 < std::variant_size_v<Variant>) {
    if (alternative == nullptr) return visit_surely<Index + 1>(variant, visitor);
  }
  MIZAN_ASSERT(alternative != nullptr);
  return visitor(*alternative);
}

}  // namespace

std::string_view to_string(WalletStatus status) noexcept {
  return name_of(wallet_statuses, status);
}

std::optional<WalletStatus> parse_wallet_status(std::string_view text) noexcept {
  return value_of(wallet_statuses, text);
}

std::string_view to_string(OperationType type) noexcept {
  return name_of(operation_types, type);
}

std::optional<OperationType> parse_operation_type(std::string_view text) noexcept {
  return value_of(operation_types, text);
}

std::string_view to_string(HoldStatus status) noexcept {
  return name_of(hold_statuses, status);
}

OperationType type_of(const OperationBody& body) noexcept {
  return visit_surely(body,
                      Match{[](const Transfer&) { return OperationType::transfer; },
                            [](const Deposit&) { return OperationType::deposit; },
                            [](const Withdraw&) { return OperationType::withdraw; },
                            [](const CreateHold&) { return OperationType::hold; },
                            [](const CaptureHold&) { return OperationType::capture; },
                            [](const VoidHold&) { return OperationType::void_hold; },
                            [](const Reverse&) { return OperationType::reverse; }});
}

MinorUnits remaining(const Hold& hold) noexcept {
  if (hold.status != HoldStatus::open) return MinorUnits{0};
  const std::optional<MinorUnits> left = subtract(hold.amount, hold.captured);
  MIZAN_ASSERT(left.has_value());
  return *left;
}

Code code_of(const Outcome& outcome) noexcept {
  return visit_surely(outcome,
                      Match{[](const Applied&) { return Code::applied; },
                            [](const AlreadyApplied&) { return Code::already_applied; },
                            [](const Refused& refused) { return refused.refusal->code; }});
}

const Receipt* receipt_of(const Outcome& outcome) noexcept {
  using Answer = const Receipt*;
  return visit_surely(
      outcome,
      Match{[](const Applied& applied) -> Answer { return &applied.receipt; },
            [](const AlreadyApplied& replayed) -> Answer { return &replayed.receipt; },
            [](const Refused&) -> Answer { return nullptr; }});
}

}  // namespace mizan
