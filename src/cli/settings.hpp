#pragma once

#include "mizan/ledger.hpp"
#include "mizan/result.hpp"

#include "cli/arguments.hpp"
#include "cli/command.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::cli {

/// One setting under its three names. The table of them is the reference (docs/reference/config.md
/// is made of it).
struct SettingKind {
  std::string key;       ///< In the configuration file: "lock_scope".
  std::string option;    ///< "--lock-scope".
  std::string variable;  ///< "MIZAN_LOCK_SCOPE".
  std::string value;     ///< The name of its value in help: "URL".
  std::string fallback;  ///< The default.
  std::string help;
  std::vector<std::string> choices;
  bool of_server = false;  ///< An option of `mizan serve` alone.
  bool is_list = false;    ///< The option may be repeated; elsewhere commas stand between.
};

[[nodiscard]] std::span<const SettingKind> setting_kinds();

/// The options that `mizan serve` takes beside those of every command.
[[nodiscard]] std::vector<Option> server_options();

/// The options that every command takes: the settings, --config and --json.
[[nodiscard]] std::span<const Option> global_options();

enum class Origin : std::uint8_t { fallback, file, environment, option };

[[nodiscard]] std::string_view to_string(Origin origin) noexcept;

struct SettingValue {
  std::string text;
  Origin origin = Origin::fallback;
  std::string place;  ///< The option, the variable or file:line; empty for a default.
};

using Environment = std::function<std::optional<std::string>(std::string_view name)>;

/// Every setting with its value and where that came from: option > environment > file > default.
class Settings {
 public:
  /// Reads the configuration file: --config, MIZAN_CONFIG, else the first that exists of
  /// $XDG_CONFIG_HOME/mizan/mizan.conf (~/.config/…) and /etc/mizan/mizan.conf.
  [[nodiscard]] static Result<Settings> load(const Arguments& arguments,
                                             const Environment& environment);

  [[nodiscard]] const SettingValue& value(std::string_view key) const;

  [[nodiscard]] const std::string& text(std::string_view key) const { return value(key).text; }

  /// What was read; empty where there is no configuration file.
  [[nodiscard]] const std::string& file() const noexcept { return file_; }

  /// The settings that a ledger takes; `lock` is left null.
  [[nodiscard]] LedgerOptions ledger_options() const;

  /// A setting that is a duration; `check` has made sure of it.
  [[nodiscard]] std::chrono::milliseconds duration(std::string_view key) const;

  [[nodiscard]] std::chrono::milliseconds deadline() const { return deadline_; }

 private:
  std::optional<Error> check();

  std::map<std::string, SettingValue, std::less<>> values_;
  std::string file_;
  std::chrono::milliseconds deadline_{};
  std::chrono::milliseconds lock_ttl_{};
};

/// `key = value` lines; `#` begins a comment; errors name file and line.
[[nodiscard]] Result<std::map<std::string, SettingValue, std::less<>>> parse_settings_file(
    std::string_view text, std::string_view file);

/// A URL without its password, for people and logs.
[[nodiscard]] std::string without_password(std::string_view url);

}  // namespace mizan::cli
