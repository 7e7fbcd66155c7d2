#include "store/sqlite/database_file.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/schema.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace mizan::sqlite {
namespace {

bool is_permanent(int reason) {
  switch (reason) {
    case EACCES:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENOENT:
    case ENOTDIR:
    case EPERM:
    case EROFS:
      return true;
    default:
      return false;
  }
}

Error refused(std::string detail) {
  return invalid_request("sqlite: open", std::move(detail));
}

// The head of an SQLite file, as its description of the file format has it (1.3 and 1.6).
constexpr std::string_view magic("SQLite format 3\0", 16);
constexpr std::size_t application_id_at = 68;
constexpr std::size_t first_page_type_at = 100;
constexpr std::size_t first_page_cells_at = 103;
constexpr std::size_t head_size = 105;
constexpr unsigned char table_leaf = 0x0d;

using Head = std::array<unsigned char, head_size>;

std::uint32_t number_at(const Head& head, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number = number << 8 | head.at(at + i);
  return number;
}

/// The page of the schema holds no row: an SQLite file without tables.
bool has_no_tables(const Head& head) {
  return head[first_page_type_at] == table_leaf && number_at(head, first_page_cells_at, 2) == 0;
}

bool has_wal(const std::filesystem::path& file) {
  struct stat found {};

  return stat((file.string() + "-wal").c_str(), &found) == 0 && found.st_size > 0;
}

Status check_wal_alone(const std::filesystem::path& file) {
  const std::string wal = file.string() + "-wal";

  struct stat found {};

  if (stat(wal.c_str(), &found) != 0 || found.st_size == 0) return {};
  return refused(file.string() + " is missing or empty, but " + wal +
                 " holds commits of it, which opening would destroy; if the database was moved, "
                 "move it back or give its WAL the new name too; if the WAL is of no use, move it "
                 "away");
}

}  // namespace

Error open_failure(const std::filesystem::path& file, int reason) {
  const std::string detail = file.string() + ": " + std::strerror(reason);
  if (!is_permanent(reason)) return unavailable("sqlite: open", detail);
  return refused(detail + "; check the path and the permissions of the file and its folder");
}

Status check_openable(const std::filesystem::path& file) {
  struct stat found {};

  if (stat(file.c_str(), &found) != 0) {
    if (errno == ENOENT) return check_wal_alone(file);
    return open_failure(file, errno);
  }
  if (!S_ISREG(found.st_mode)) return refused(file.string() + " is not a file");
  if (found.st_nlink > 1) {
    return refused(file.string() + " has " + std::to_string(found.st_nlink) +
                   " names (hard links), and each would have an owner of its own; remove the other "
                   "names, or copy the file");
  }
  if (found.st_size == 0) return check_wal_alone(file);
  return {};
}

Status check_header(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return errno == ENOENT ? Status{} : open_failure(file, errno);
  Head head{};
  stream.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto size = static_cast<std::size_t>(stream.gcount());
  if (size == 0) return {};
  if (size < head_size || std::memcmp(head.data(), magic.data(), magic.size()) != 0) {
    return refused(file.string() + " is not an SQLite database; name another file");
  }
  if (has_wal(file)) return {};
  const std::int64_t application = number_at(head, application_id_at, 4);
  return check_identity({application, 0, has_no_tables(head) ? 0 : 1});
}

Status check_in_place(Connection& connection, const std::filesystem::path& file) {
  int moved = 0;
  sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);

  struct stat found {};

  if (moved != 0 || stat(file.c_str(), &found) != 0) {
    return unavailable("sqlite: commit",
                       file.string() +
                           " was moved away, removed or replaced under this process; move it back, "
                           "or stop this process and move its WAL with it");
  }
  if (found.st_nlink == 1) return {};
  return unavailable("sqlite: commit",
                     file.string() +
                         " has got a second name (a hard link), by which another process could "
                         "write; remove that name");
}

}  // namespace mizan::sqlite
