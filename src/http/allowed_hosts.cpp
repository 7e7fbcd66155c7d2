#include "http/allowed_hosts.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mizan::http {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Without its port; nothing where what follows the name is none.
std::optional<std::string> without_port(std::string_view host) {
  const bool is_bracketed = host.starts_with('[');
  const std::size_t end = is_bracketed ? host.find(']') : std::min(host.find(':'), host.size());
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view port = host.substr(is_bracketed ? end + 1 : end);
  if (!port.empty() && port.front() != ':') return std::nullopt;
  if (!port.empty()) port.remove_prefix(1);
  if (!std::all_of(port.begin(), port.end(), is_digit)) return std::nullopt;
  std::string name(host.substr(0, is_bracketed ? end + 1 : end));
  for (char& c : name) c = lower(c);
  return name;
}

bool is_address(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  if (!name.starts_with('[')) return inet_pton(AF_INET, name.c_str(), ignored.data()) == 1;
  const std::string inner = name.substr(1, name.size() - 2);
  return inet_pton(AF_INET6, inner.c_str(), ignored.data()) == 1;
}

/// A name of one label leads nowhere on the internet, so no site's page can have been loaded from
/// it.
bool is_local_name(const std::string& name) {
  return is_host_name(name) && name.find('.') == std::string::npos;
}

}  // namespace

AllowedHosts::AllowedHosts(std::optional<std::vector<std::string>> names)
    : names_(std::move(names)) {
  if (!names_) return;
  for (std::string& name : *names_) {
    for (char& c : name) c = lower(c);
  }
}

bool AllowedHosts::has(std::string_view host) const {
  if (!names_) return true;
  const auto name = without_port(host);
  if (!name) return false;
  return is_local_name(*name) || is_address(*name) ||
         std::find(names_->begin(), names_->end(), *name) != names_->end();
}

bool is_host_name(std::string_view name) {
  constexpr std::size_t size_max = 253;
  return !name.empty() && name.size() <= size_max &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '.' || c == '-' ||
                  c == '_';
         });
}

}  // namespace mizan::http
