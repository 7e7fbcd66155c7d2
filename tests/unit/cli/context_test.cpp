#include "cli/context.hpp"

#include "base/random.hpp"
#include "cli/report.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::cli {
namespace {

using OwnerWait = std::optional<std::chrono::milliseconds>;

Wiring wiring_with(OpenStore open_store) {
  return {.clock = system_clock(),
          .random = system_random(),
          .environment = {},
          .open_store = std::move(open_store),
          .open_lock = {},
          .subcommands = {}};
}

/// The environment names an empty configuration file and nothing else.
std::optional<std::string> bare_environment(std::string_view name) {
  if (name == "MIZAN_CONFIG") return "/dev/null";
  return std::nullopt;
}

OwnerWait wait_with_deadline(const std::optional<std::string>& deadline) {
  OwnerWait asked;
  const Wiring wiring = wiring_with([&asked](std::string_view, Access, OwnerWait wait) {
    asked = wait;
    return Result<std::unique_ptr<Store>>(unavailable("store", "away"));
  });
  std::string text;
  Output out(to_text(text), false);
  const Command root;
  Context context(wiring, root, {out, out});
  Arguments arguments;
  if (deadline) arguments.add("--deadline", {*deadline});
  context.configure(Settings::load(arguments, bare_environment).value(), false);
  EXPECT_FALSE(context.open_store(Access::write));
  return asked;
}

TEST(CliContext, a_stated_deadline_bounds_the_wait_for_another_owner) {
  EXPECT_EQ(wait_with_deadline("300ms"), std::chrono::milliseconds{300});
  EXPECT_EQ(wait_with_deadline("1m"), std::chrono::minutes{1});
  EXPECT_EQ(wait_with_deadline(std::nullopt), std::nullopt) << "as the store has it";
}

std::string told(Retry retry) {
  const Wiring wiring = wiring_with({});
  std::string text;
  Output out(to_text(text), false);
  const Command root;
  Context context(wiring, root, {out, out});
  Error error = unavailable("store", "away");
  error.retry = retry;
  EXPECT_EQ(report_error(context, error), 3);
  out.flush();
  return text;
}

TEST(CliContext, only_what_may_pass_is_to_be_repeated) {
  EXPECT_NE(told(Retry::after_backoff).find("repeat it"), std::string::npos);
  EXPECT_EQ(told(Retry::never).find("repeat it"), std::string::npos);
}

}  // namespace
}  // namespace mizan::cli
