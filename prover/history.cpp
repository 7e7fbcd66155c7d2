#include "prover/history.hpp"

#include "base/match.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace mizan::prover {

namespace {

void note_refusal(Call& call, const Refusal& refusal) {
  call.end = CallEnd::fail;
  call.code = refusal.code;
  call.available = refusal.available;
  call.needed = refusal.needed;
  call.detail = refusal.detail;
}

void note_answer(Call& call, const Result<Outcome>& answer) {
  if (!answer) {
    const bool unknown = answer.error().certainty == Certainty::unknown;
    call.end = unknown ? CallEnd::info : CallEnd::fail;
    call.code = answer.error().code;
    call.detail = answer.error().where + ": " + answer.error().detail;
    return;
  }
  call.code = code_of(*answer);
  if (const Receipt* receipt = receipt_of(*answer)) {
    call.end = CallEnd::ok;
    call.receipt = *receipt;
    return;
  }
  note_refusal(call, *std::get<Refused>(*answer).refusal);
}

std::string_view to_string(CallEnd end) {
  switch (end) {
    case CallEnd::ok:
      return "ok";
    case CallEnd::fail:
      return "fail";
    case CallEnd::info:
      return "info";
  }
  return "info";
}

void append_line(std::string& out, const Call& call, bool is_invoke) {
  out += "{\"index\":" + std::to_string(is_invoke ? call.invoked : call.ended);
  out += ",\"type\":";
  append_json_string(out, is_invoke ? "invoke" : to_string(call.end));
  out += ",\"process\":" + std::to_string(call.client) + ",\"f\":";
  append_json_string(out, mizan::to_string(type_of(call.operation.body)));
  out += ",\"value\":{\"id\":";
  append_json_string(out, call.operation.id.view());
  if (!call.intent.empty()) {
    out += ",\"intent\":";
    append_json_string(out, call.intent);
  }
  if (call.held) {
    out += ",\"token\":\"" + std::to_string(call.held->token.value()) + '"';
  }
  if (!is_invoke) {
    out += ",\"code\":";
    append_json_string(out, mizan::to_string(call.code));
  }
  out += "}}\n";
}

}  // namespace

std::size_t History::invoke(Request request) {
  const MutexLock lock(mutex_);
  Call call;
  call.client = request.client;
  call.invoked = ++ordinal_;
  call.operation = std::move(request.operation);
  call.intent = std::move(request.intent);
  call.held = std::move(request.held);
  calls_.push_back(std::move(call));
  return calls_.size() - 1;
}

void History::end(std::size_t call, const Result<Outcome>& answer) {
  const MutexLock lock(mutex_);
  note_answer(calls_.at(call), answer);
  calls_.at(call).ended = ++ordinal_;
}

void History::grant(Grant grant) {
  const MutexLock lock(mutex_);
  grants_.push_back(std::move(grant));
}

std::vector<Call> History::calls() const {
  const MutexLock lock(mutex_);
  std::vector<Call> calls = calls_;
  // A call that never ended (its process was killed) is over when everything is over, not before.
  for (Call& call : calls) {
    if (call.ended == 0) call.ended = ordinal_ + 1;
  }
  return calls;
}

std::vector<Grant> History::grants() const {
  const MutexLock lock(mutex_);
  return grants_;
}

std::string intent_of(const Call& call) {
  return call.intent.empty() ? call.operation.id.str() : call.intent;
}

std::string to_json_lines(const std::vector<Call>& calls) {
  std::vector<std::pair<std::uint64_t, std::string>> lines;
  for (const Call& call : calls) {
    std::string invoke;
    append_line(invoke, call, true);
    lines.emplace_back(call.invoked, std::move(invoke));
    std::string end;
    append_line(end, call, false);
    lines.emplace_back(call.ended, std::move(end));
  }
  std::stable_sort(
      lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out;
  for (const auto& line : lines) out += line.second;
  return out;
}

}  // namespace mizan::prover
