#include "cli/command.hpp"

namespace mizan::cli {

const Command* find_child(const Command& parent, const std::string& name) {
  for (const Command& child : parent.children) {
    if (child.name == name) return &child;
  }
  return nullptr;
}

}  // namespace mizan::cli
