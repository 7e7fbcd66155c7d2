#include "base/password_file.hpp"

#include "base/text.hpp"

#include <fstream>

namespace mizan {

Result<std::string> read_password_file(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string password;
  if (!stream || !std::getline(stream, password)) {
    return invalid_request(
        "/password_file", "the password file " + escape_for_log(file.string()) + " cannot be read");
  }
  if (!password.empty() && password.back() == '\r') password.pop_back();
  return password;
}

}  // namespace mizan
