#include "store/sqlite/database_file.hpp"

#include "store/sqlite/connection.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>

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
