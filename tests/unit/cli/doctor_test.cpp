#include "mizan/memory.hpp"

#include "base/random.hpp"
#include "cli/application.hpp"
#include "testkit/fake_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::cli {
namespace {

/// What `mizan doctor --json` prints when the clock of 2026-01-01 has been set so far back.
std::string doctor_after(std::chrono::days set_back) {
  testkit::FakeClock clock;
  clock.jump_wall(-set_back);
  const Wiring wiring{
      .clock = clock,
      .random = system_random(),
      .environment = [](std::string_view name) -> std::optional<std::string> {
        if (name == "MIZAN_CONFIG") return "/dev/null";
        return std::nullopt;
      },
      .open_store =
          [&clock](std::string_view, Access, std::optional<std::chrono::milliseconds>) {
            return Result<std::unique_ptr<Store>>(make_memory_store(clock));
          },
      .open_lock = {},
      .subcommands = {}};
  std::string text;
  Output out(to_text(text), false);
  Output err(to_text(text), false);
  EXPECT_EQ(run({"doctor", "--json"}, wiring, {out, err}), 0) << text;
  return text;
}

TEST(Doctor, warns_of_a_clock_that_stands_before_this_program_was_written) {
  constexpr std::chrono::days six_years{365 * 6 + 2};  // To 2019-12-31: two were leap years.
  const std::string wrong = doctor_after(six_years + std::chrono::days{1});
  EXPECT_NE(wrong.find(R"("level":"warning","name":"clock")"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("2019-12-31"), std::string::npos) << wrong;
  const std::string right = doctor_after(six_years);
  EXPECT_NE(right.find(R"("level":"ok","name":"clock")"), std::string::npos) << right;
}

}  // namespace
}  // namespace mizan::cli
