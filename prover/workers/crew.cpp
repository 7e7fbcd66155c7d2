#include "prover/workers/crew.hpp"

#include "prover/workers/protocol.hpp"

#include <charconv>
#include <utility>
#include <vector>

namespace mizan::prover {

namespace {

Error unexpected(std::string_view what, const std::string& line) {
  return unavailable("prover: " + std::string(what), "unexpected answer: " + line);
}

std::int64_t to_number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// See workers/desk.hpp.
void add_desk_words(std::vector<std::string>& words, const Crew::Options& options) {
  words.insert(words.end(),
               {options.place.word(),
                std::string(to_string(options.strategy)),
                std::to_string(options.ledgers),
                options.mutant.empty() ? "-" : options.mutant,
                options.lock});
}

Error lost_answer() {
  return {Code::unknown,
          Certainty::unknown,
          Retry::after_backoff,
          "prover",
          "the process was killed before it answered"};
}

}  // namespace

Result<Fence> Worker::acquire(const Resource& resource, std::chrono::milliseconds ttl) {
  const auto line =
      child_.exchange("acquire " + resource.str() + ' ' + std::to_string(ttl.count()) + " 15000");
  if (!line) return line.error();
  const auto fields = split_fields(*line);
  if (fields.size() != 3 || fields[0] != "lease") return unexpected("acquire", *line);
  Fence fence{resource, FenceToken{to_number(fields[1])}, LockOwner{fields[2]}};
  history_.grant({client_, resource, fence.token, fence.owner});
  return fence;
}

Status Worker::release() {
  const auto line = child_.exchange("release");
  if (!line) return line.error();
  return {};
}

Result<Outcome> Worker::apply(const History::Request& request, std::size_t ledger) {
  const Status sent = send_apply(request, ledger);
  if (!sent) return sent.error();
  return finish_apply();
}

Status Worker::send_apply(const History::Request& request, std::size_t ledger) {
  pending_ = history_.invoke(request);
  return child_.send("apply " + encode_request(ledger, request.operation));
}

Result<Outcome> Worker::finish_apply() {
  const auto line = child_.receive();
  auto answer = line ? decode_answer(*line) : Result<Outcome>(line.error());
  history_.end(pending_, answer);
  return answer;
}

Result<std::unique_ptr<Crew>> Crew::start(const Options& options, History& history) {
  std::vector<std::string> words{"--as-owner", options.socket.string()};
  add_desk_words(words, options);
  auto owner = Child::start(words);
  if (!owner) return std::move(owner).error();
  const auto line = owner->receive();
  if (!line) return line.error();
  if (*line != "ready") return unexpected("owner", *line);
  auto socket = LineSocket::connect(options.socket);
  if (!socket) return std::move(socket).error();
  return std::unique_ptr<Crew>(new Crew(std::move(*owner), std::move(*socket), options, history));
}

Result<std::unique_ptr<Worker>> Crew::hire(std::size_t client) {
  std::vector<std::string> words{"--as-worker"};
  if (options_.place.is_on_server()) {
    add_desk_words(words, options_);
  } else {
    words.push_back(options_.socket.string());
  }
  auto child = Child::start(words);
  if (!child) return std::move(child).error();
  const auto line = child->receive();
  if (!line) return line.error();
  if (*line != "ready") return unexpected("worker", *line);
  return std::make_unique<Worker>(std::move(*child), client, history_);
}

Status Crew::create_wallet(std::string_view id) {
  const auto line = socket_.exchange("create " + std::string(id) + " EUR", child_wait);
  if (!line) return line.error();
  if (*line != "created") return unexpected("create", *line);
  return {};
}

Result<std::int64_t> Crew::read_balance(std::string_view id) {
  const auto line = socket_.exchange("wallet " + std::string(id), child_wait);
  if (!line) return line.error();
  const auto fields = split_fields(*line);
  if (fields.size() != 3 || fields[0] != "wallet") return unexpected("wallet", *line);
  return to_number(fields[1]);
}

Result<Outcome> Crew::apply(const History::Request& request, std::size_t ledger) {
  const std::size_t call = history_.invoke(request);
  const auto line =
      socket_.exchange("apply " + encode_request(ledger, request.operation), child_wait);
  auto answer = line ? decode_answer(*line) : Result<Outcome>(lost_answer());
  history_.end(call, answer);
  return answer;
}

Result<bool> Crew::kill_at(std::string_view step, const History::Request& request) {
  const auto armed = owner_.exchange("arm " + std::string(step));
  if (!armed) return armed.error();
  const std::size_t call = history_.invoke(request);
  const Status sent = socket_.send("apply " + encode_request(0, request.operation));
  if (!sent) return sent.error();
  const auto reached = owner_.receive();
  if (!reached) return reached.error();
  owner_.kill();
  history_.end(call, lost_answer());
  return *reached == "at " + std::string(step);
}

}  // namespace mizan::prover
