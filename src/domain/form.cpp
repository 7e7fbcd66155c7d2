// The form of a request: what can be said without looking at any wallet.

#include "mizan/operation.hpp"

#include "base/ledger_resource.hpp"
#include "base/match.hpp"
#include "domain/fence_pointer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace mizan {
namespace {

constexpr std::size_t byte_values = 256;

constexpr std::array<bool, byte_values> make_visible_table() {
  std::array<bool, byte_values> table{};
  for (std::size_t c = 0x21; c <= 0x7e; ++c) table[c] = true;
  return table;
}

constexpr std::array<bool, byte_values> make_wallet_table() {
  std::array<bool, byte_values> table{};
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789._:@/-")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}

constexpr auto visible = make_visible_table();
constexpr auto wallet_characters = make_wallet_table();

bool all_in(const std::array<bool, byte_values>& table, std::string_view text) {
  bool all = true;
  for (const char c : text) all = all && table[static_cast<unsigned char>(c)];
  return all;
}

Error broken(std::string pointer, std::string rule) {
  return invalid_request(std::move(pointer), std::move(rule));
}

Status check_operation_id(const OperationId& id, std::string_view pointer) {
  if (id.empty() || !all_in(visible, id.view())) {
    return broken(std::string(pointer), "an operation id is 1–64 visible ASCII characters");
  }
  return {};
}

Status check_wallet(const WalletId& id, const std::string& pointer) {
  if (id.empty() || !all_in(wallet_characters, id.view())) {
    return broken(pointer, "a wallet id is 1–64 of A–Z a–z 0–9 . _ : @ / -");
  }
  if (is_system_wallet(id)) {
    return broken(pointer,
                  "wallet ids that begin with @ belong to the ledger; use a deposit or a "
                  "withdrawal to move money in or out");
  }
  return {};
}

Status check_transfer(const Transfer& transfer) {
  if (transfer.legs.empty() || transfer.legs.size() > legs_max) {
    return broken("/legs", "a transfer has 1–100 legs");
  }
  for (std::size_t i = 0; i < transfer.legs.size(); ++i) {
    const Leg& leg = transfer.legs[i];
    const auto pointer = [i](const char* side) {
      return std::string("/legs/").append(std::to_string(i)).append(side);
    };
    // The pointers are built for bad ids only: this runs once per transfer.
    if (leg.from.empty() || is_system_wallet(leg.from) ||
        !all_in(wallet_characters, leg.from.view())) {
      return check_wallet(leg.from, pointer("/from"));
    }
    if (leg.to.empty() || is_system_wallet(leg.to) || !all_in(wallet_characters, leg.to.view())) {
      return check_wallet(leg.to, pointer("/to"));
    }
  }
  return {};
}

Status check_hold(const CreateHold& hold) {
  if (auto status = check_wallet(hold.wallet, "/wallet"); !status) return status;
  if (!hold.to.empty()) {
    if (auto status = check_wallet(hold.to, "/to"); !status) return status;
  }
  if (hold.expires_in && hold.expires_in->count() <= 0) {
    return broken("/expires_in", "a hold expires after a time greater than zero");
  }
  constexpr auto longest = std::chrono::hours(24 * 366 * 10);
  if (hold.expires_in && *hold.expires_in > longest) {
    return broken("/expires_in", "a hold expires within ten years");
  }
  return {};
}

Status check_body(const OperationBody& body) {
  return std::visit(
      Match{[](const Transfer& transfer) { return check_transfer(transfer); },
            [](const Deposit& deposit) { return check_wallet(deposit.wallet, "/wallet"); },
            [](const Withdraw& withdraw) { return check_wallet(withdraw.wallet, "/wallet"); },
            [](const CreateHold& hold) { return check_hold(hold); },
            [](const CaptureHold& capture) { return check_operation_id(capture.hold, "/hold"); },
            [](const VoidHold& voided) { return check_operation_id(voided.hold, "/hold"); },
            [](const Reverse& reverse) {
              return check_operation_id(reverse.operation, "/operation");
            }},
      body);
}

Status check_conditions(const std::vector<Condition>& conditions) {
  if (conditions.size() > conditions_max) {
    return broken("/conditions", "an operation has at most 100 conditions");
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const Condition& condition = conditions[i];
    const std::string pointer = "/conditions/" + std::to_string(i);
    if (auto status = check_wallet(condition.wallet, pointer + "/wallet"); !status) return status;
    if (!condition.version && !condition.min_balance && !condition.max_balance &&
        !condition.min_available) {
      return broken(pointer,
                    "a condition states at least one of version, min_balance, max_balance, "
                    "min_available");
    }
  }
  return {};
}

Status check_fences(const std::vector<Fence>& fences) {
  if (fences.size() > fences_max) {
    return broken("/fence", "an operation carries at most 16 fencing tokens");
  }
  for (std::size_t i = 0; i < fences.size(); ++i) {
    const Fence& fence = fences[i];
    const auto at = [&](std::string_view field) {
      return domain::fence_pointer(i, fences.size(), field);
    };
    if (fence.resource.empty() || !all_in(visible, fence.resource.view())) {
      return broken(at("/resource"), "a resource is 1–128 visible ASCII characters");
    }
    if (is_ledger_resource(fence.resource)) {
      return broken(at("/resource"), std::string(ledger_resource_rule));
    }
    if (fence.token.value() < 0) {
      return broken(at("/token"), "a fencing token is 0 … 2^63−1");
    }
    if (!all_in(visible, fence.owner.view())) {
      return broken(at("/owner"), "an owner is at most 64 visible ASCII characters");
    }
    const auto same_resource = [&fence](const Fence& other) {
      return other.resource == fence.resource;
    };
    const auto here = fences.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(fences.begin(), here, same_resource)) {
      return broken(at("/resource"), "an operation carries one token per resource");
    }
  }
  return {};
}

}  // namespace

Status check_form(const Operation& operation) {
  if (auto status = check_operation_id(operation.id, "/id"); !status) return status;
  if (auto status = check_body(operation.body); !status) return status;
  if (!operation.conditions.empty()) {
    if (auto status = check_conditions(operation.conditions); !status) return status;
  }
  if (!operation.fences.empty()) return check_fences(operation.fences);
  return {};
}

}  // namespace mizan
