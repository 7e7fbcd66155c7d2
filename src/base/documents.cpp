#include "mizan/document_table.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace mizan {
namespace {

bool is_name(std::string_view text) {
  const bool has_size = !text.empty() && text.size() <= document_name_max;
  return has_size &&
         std::all_of(text.begin(), text.end(), [](char c) { return '!' <= c && c <= '~'; });
}

}  // namespace

Status check_document(std::string_view kind, const Document& document) {
  if (!is_name(kind)) return invalid_request("document: kind", "1 to 128 visible ASCII characters");
  if (!is_name(document.name)) {
    return invalid_request("document: name", "1 to 128 visible ASCII characters");
  }
  if (document.content.size() > document_content_max) {
    return invalid_request("document: content", "at most 65536 bytes");
  }
  if (!is_valid_utf8(document.content)) return invalid_request("document: content", "not UTF-8");
  return {};
}

}  // namespace mizan
