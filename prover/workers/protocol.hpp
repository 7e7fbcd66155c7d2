#pragma once

#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

// The private line protocol between the prover, its workers and the process that owns the store:
// one line per request and per answer, fields separated by one space. Ids, resources and owners
// are visible ASCII by their own rules, so no field needs quoting; the last one may have spaces.

/// The fields of a line, separated by single spaces.
[[nodiscard]] std::vector<std::string_view> split_fields(std::string_view line);

/// `LEDGER ID TYPE …`: a transfer, deposit or withdrawal with its fences, for ledger `ledger` of
/// the owner. Metadata and conditions do not travel.
[[nodiscard]] std::string encode_request(std::size_t ledger, const Operation& operation);

struct ApplyRequest {
  std::size_t ledger = 0;
  Operation operation;
};

[[nodiscard]] Result<ApplyRequest> decode_request(std::string_view line);

[[nodiscard]] std::string encode_answer(const Result<Outcome>& answer);
[[nodiscard]] Result<Outcome> decode_answer(std::string_view line);

}  // namespace mizan::prover
