#include "cli/settings.hpp"

#include "testkit/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <map>
#include <random>
#include <string>

namespace mizan::cli {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

Environment environment_of(Variables variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

Arguments arguments_of(const Variables& options) {
  Arguments arguments;
  for (const auto& [name, value] : options) arguments.add(name, {value});
  return arguments;
}

TEST(Settings, an_option_goes_before_the_environment_that_before_the_file_that_before_the_default) {
  const testkit::TempDir folder;
  const std::string file = folder.path() / "mizan.conf";
  std::ofstream(file) << "# ours\n\nstore = sqlite:file.db\nlock= store:\ndeadline =5s\n";

  auto settings = Settings::load(
      arguments_of({{"--config", file}, {"--store", "sqlite:option.db"}}),
      environment_of({{"MIZAN_STORE", "sqlite:variable.db"}, {"MIZAN_LOCK", "memory:"}}));
  ASSERT_TRUE(settings) << settings.error().detail;

  EXPECT_EQ(settings->text("store"), "sqlite:option.db");
  EXPECT_EQ(settings->value("store").origin, Origin::option);
  EXPECT_EQ(settings->value("store").place, "--store");
  EXPECT_EQ(settings->text("lock"), "memory:");
  EXPECT_EQ(settings->value("lock").place, "MIZAN_LOCK");
  EXPECT_EQ(settings->deadline(), std::chrono::seconds{5});
  EXPECT_EQ(settings->value("deadline").place, file + ":5");
  EXPECT_EQ(settings->text("refusals"), "retryable");
  EXPECT_EQ(settings->value("refusals").origin, Origin::fallback);
  EXPECT_EQ(settings->file(), file);
}

TEST(Settings, the_file_is_found_below_the_home_directory) {
  const testkit::TempDir home;
  std::filesystem::create_directories(home.path() / ".config/mizan");
  std::ofstream(home.path() / ".config/mizan/mizan.conf") << "refusals = final\n";
  auto settings = Settings::load({}, environment_of({{"HOME", home.path()}}));
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->ledger_options().refusals, RefusalMode::final);
}

TEST(Settings, a_file_that_was_asked_for_must_be_there) {
  EXPECT_FALSE(Settings::load(arguments_of({{"--config", "/nowhere/x"}}), environment_of({})));
  EXPECT_FALSE(Settings::load({}, environment_of({{"MIZAN_CONFIG", "/nowhere/x"}})));
}

TEST(Settings, what_is_wrong_is_named_with_its_place) {
  const auto problem = [](std::string_view text) {
    auto values = parse_settings_file(text, "f");
    return values ? std::string() : values.error().detail;
  };
  EXPECT_THAT(
      problem("a = b\nstoer = x"),
      ::testing::StartsWith("f:1: there is no setting 'a'; the settings are store, lock, "));
  EXPECT_EQ(problem("\nstoer = x"), "f:2: there is no setting 'stoer'; did you mean store?");
  EXPECT_EQ(problem("store"), "f:1: write `key = value`");
  EXPECT_EQ(problem("lock = a\nlock = b"), "f:2: lock is set twice");
  auto settings = Settings::load({}, environment_of({{"MIZAN_LOCK_TTL", "2h"}}));
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().detail, "MIZAN_LOCK_TTL: lock_ttl is 50ms to 1h");
}

TEST(Settings, an_empty_variable_is_an_unset_one) {
  auto settings = Settings::load({}, environment_of({{"MIZAN_STORE", ""}}));
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->value("store").origin, Origin::fallback);
}

TEST(Settings, passwords_are_not_shown) {
  EXPECT_EQ(without_password("postgres://me:secret@host:5432/db?x=y"),
            "postgres://me:***@host:5432/db?x=y");
  EXPECT_EQ(without_password("redis://:p@ss@host"), "redis://:***@host");
  EXPECT_EQ(without_password("postgres://me@host/db"), "postgres://me@host/db");
  EXPECT_EQ(without_password("postgres://me@h/d?user=x&password=secret&sslpassword=secret&a=b"),
            "postgres://me@h/d?user=x&password=***&sslpassword=***&a=b");
  EXPECT_EQ(without_password("postgres://me:secret@h/d?password_file=/f"),
            "postgres://me:***@h/d?password_file=/f");
  EXPECT_EQ(without_password("sqlite:a:b@c"), "sqlite:a:b@c");
  EXPECT_EQ(without_password("postgres://h:5432/d?password=a@b"), "postgres://h:***");
}

/// Marks that end a part of a URL may stand in a password; some readers take them as they are.
TEST(Settings, no_part_of_a_password_is_shown_whatever_marks_it_holds) {
  // Letters of a password stand nowhere else in the URLs.
  constexpr std::string_view characters = "QZX#?@/&=:%,[]";
  constexpr std::string_view shapes[] = {"postgres://shop:PW@127.0.0.1:7801/shop",
                                         "postgres://shop@corp:PW@h/d?sslmode=require",
                                         "mariadb://shop:PW@one,two:3307/shop?tls=verified",
                                         "redis://:PW@h:6379/0?prefix=a",
                                         "redis+sentinel://u:PW@h,k:26379/main",
                                         "https://:PW@localhost:8080"};
  std::mt19937 random(20'260'501);
  std::uniform_int_distribution<std::size_t> draw(0, characters.size() - 1);
  for (int round = 0; round < 2'000; ++round) {
    std::string password;
    for (std::size_t size = 1 + draw(random); size > 0; --size)
      password += characters[draw(random)];
    for (const std::string_view shape : shapes) {
      std::string url(shape);
      url.replace(url.find("PW"), 2, password);
      const std::string shown = without_password(url);
      EXPECT_EQ(shown.find_first_of("QZX"), std::string::npos) << url << " is shown as " << shown;
      EXPECT_NE(shown.find(":***@"), std::string::npos) << url << " is shown as " << shown;
    }
  }
}

}  // namespace
}  // namespace mizan::cli
