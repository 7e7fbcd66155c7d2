#pragma once

#include "mizan/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan {

/// A small text that the program keeps beside the ledger: a webhook, how far its deliveries are.
struct Document {
  std::string name;
  std::uint64_t revision = 0;  ///< 1 for a new one; grows with every write.
  std::string content;
};

/// The port for documents: each is guarded by its revision, so that whoever was overtaken writes
/// nothing. Kinds and names are 1–128 visible ASCII characters, compared byte for byte; contents up
/// to 64 KiB of UTF-8. What is written is durable before it is answered. Any thread and any process
/// may call. Blocks: up to ten seconds. Errors: `unavailable`; `unknown` where a commit's fate was
/// not learnt (read it again).
class DocumentTable {
 public:
  DocumentTable() = default;
  DocumentTable(const DocumentTable&) = delete;
  DocumentTable& operator=(const DocumentTable&) = delete;
  virtual ~DocumentTable();

  virtual Result<std::optional<Document>> find(std::string_view kind, std::string_view name) = 0;

  /// In order of name, after `after` ("" for the first); `limit` 1–1,000.
  virtual Result<std::vector<Document>> list(std::string_view kind,
                                             std::string_view after,
                                             std::size_t limit) = 0;

  /// Writes where the revision still is `document.revision`; 0 demands that there is none of that
  /// name. False: it is not.
  virtual Result<bool> write(std::string_view kind, const Document& document) = 0;

  /// Removes it, whatever its revision. False: there was none.
  virtual Result<bool> remove(std::string_view kind, std::string_view name) = 0;
};

inline constexpr std::size_t document_name_max = 128;
inline constexpr std::size_t document_content_max = 65'536;

/// For those who fill the port: `invalid_request` where a kind, a name or a content breaks the
/// rules above.
[[nodiscard]] Status check_document(std::string_view kind, const Document& document);

}  // namespace mizan
