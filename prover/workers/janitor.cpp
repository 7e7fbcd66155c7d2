#include "prover/workers/janitor.hpp"

#include "prover/workers/standard_lines.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>

namespace mizan::prover {

namespace {

constexpr std::chrono::minutes tidy_wait{5};

}  // namespace

int serve_as_janitor(const std::function<Status()>& tidy) {
  // A signal for the whole group is no reason to leave anything behind; SIGKILL, which nobody can
  // ignore, does not reach another session.
  if (::setsid() < 0) return 1;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  write_line("ready");
  while (const auto line = read_command()) {
    if (*line != "tidy") continue;
    const Status done = tidy();
    write_line(done ? "tidy" : done.error().detail);
  }
  return tidy() ? 0 : 3;
}

Status tidy_up(Child& janitor) {
  Status sent = janitor.send("tidy");
  if (!sent) return sent;
  const auto answer = janitor.receive(tidy_wait);
  if (!answer) return answer.error();
  if (*answer == "tidy") return {};
  return unavailable("mizan prove", *answer);
}

}  // namespace mizan::prover
