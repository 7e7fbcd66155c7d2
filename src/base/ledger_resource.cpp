#include "base/ledger_resource.hpp"

#include <string>

namespace mizan {
namespace {

constexpr std::string_view prefix = "mizan:";

}  // namespace

bool is_ledger_resource(const Resource& resource) noexcept {
  return resource.view().starts_with(prefix);
}

Resource ledger_resource(std::string_view kind, std::string_view id) {
  return Resource{std::string(prefix).append(kind).append("/").append(id)};
}

}  // namespace mizan
