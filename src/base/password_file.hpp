#pragma once

#include "mizan/result.hpp"

#include <filesystem>
#include <string>

namespace mizan {

/// The first line of a file, without the end of the line. `invalid_request` where it cannot be read
/// or has none. The password stands in no error.
[[nodiscard]] Result<std::string> read_password_file(const std::filesystem::path& file);

}  // namespace mizan
