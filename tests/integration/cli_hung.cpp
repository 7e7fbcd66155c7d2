#include "cli_hung.hpp"

#include <chrono>

namespace mizan::integration {
namespace {

using std::chrono::steady_clock;

/// Without its deadline a database is waited for for ten seconds, and Redis as long as its URL
/// says.
constexpr std::chrono::seconds answer_time_max{6};

}  // namespace

void expect_unavailable_in_time(const Program& program, Program::Words words) {
  words.insert(words.end(), {"--deadline", "1s"});
  const auto begin = steady_clock::now();
  const Ran ran = program.run(words);
  const auto taken = steady_clock::now() - begin;
  EXPECT_EQ(ran.status, 3) << words.front() << ' ' << ran.out << ran.err;
  EXPECT_LT(taken, answer_time_max) << words.front() << ' ' << words[1];
}

}  // namespace mizan::integration
