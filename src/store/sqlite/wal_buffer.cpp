#include "store/sqlite/wal_buffer.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace mizan::sqlite {
namespace {

/// The system layer of SQLite cuts a single write at 17 bits of length.
constexpr std::size_t buffer_size = 0x1ffff;

/// A WAL whose newest bytes are still here. SQLite knows a file by the structure it begins with,
/// and gives us room behind it; the system layer's own file stands at the end of that room.
struct WalFile {
  sqlite3_file base{};
  sqlite3_file* system = nullptr;
  std::byte* buffer = nullptr;
  sqlite3_int64 offset = 0;  // Where the gathered bytes belong.
  std::size_t size = 0;      // How many there are.
  bool gathers = true;       // False: written as they come.
};

constexpr std::size_t system_file_offset =
    (sizeof(WalFile) + alignof(std::max_align_t) - 1) & ~(alignof(std::max_align_t) - 1);

WalFile& wal_of(sqlite3_file* file) {
  return *reinterpret_cast<WalFile*>(file);
}

sqlite3_file* system_of(sqlite3_file* file) {
  return wal_of(file).system;
}

/// Hands what was gathered to the system. Where that fails it stays gathered, in its old place, so
/// that a later write cannot overtake it; the end of the failed transaction forgets it.
int write_out(WalFile& wal) {
  if (wal.size == 0) return SQLITE_OK;
  const int code =
      wal.system->pMethods->xWrite(wal.system, wal.buffer, static_cast<int>(wal.size), wal.offset);
  if (code == SQLITE_OK) wal.size = 0;
  return code;
}

int wal_write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  WalFile& wal = wal_of(file);
  if (!wal.gathers) return wal.system->pMethods->xWrite(wal.system, bytes, count, offset);
  const auto size = static_cast<std::size_t>(count);
  const bool continues = offset == wal.offset + static_cast<sqlite3_int64>(wal.size);
  if (wal.size != 0 && (!continues || wal.size + size > buffer_size)) {
    if (const int code = write_out(wal); code != SQLITE_OK) return code;
  }
  if (size > buffer_size) return wal.system->pMethods->xWrite(wal.system, bytes, count, offset);
  if (wal.size == 0) wal.offset = offset;
  std::memcpy(wal.buffer + wal.size, bytes, size);
  wal.size += size;
  return SQLITE_OK;
}

int wal_read(sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset) {
  if (const int code = write_out(wal_of(file)); code != SQLITE_OK) return code;
  return system_of(file)->pMethods->xRead(system_of(file), bytes, count, offset);
}

int wal_sync(sqlite3_file* file, int flags) {
  if (const int code = write_out(wal_of(file)); code != SQLITE_OK) return code;
  return system_of(file)->pMethods->xSync(system_of(file), flags);
}

int wal_truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (const int code = write_out(wal_of(file)); code != SQLITE_OK) return code;
  return system_of(file)->pMethods->xTruncate(system_of(file), size);
}

int wal_file_size(sqlite3_file* file, sqlite3_int64* size) {
  if (const int code = write_out(wal_of(file)); code != SQLITE_OK) return code;
  return system_of(file)->pMethods->xFileSize(system_of(file), size);
}

int wal_control(sqlite3_file* file, int operation, void* argument) {
  if (const int code = write_out(wal_of(file)); code != SQLITE_OK) return code;
  return system_of(file)->pMethods->xFileControl(system_of(file), operation, argument);
}

int wal_close(sqlite3_file* file) {
  WalFile& wal = wal_of(file);
  const int written = write_out(wal);
  const int closed = wal.system->pMethods->xClose(wal.system);
  delete[] wal.buffer;
  wal.buffer = nullptr;
  return written != SQLITE_OK ? written : closed;
}

int wal_lock(sqlite3_file* file, int level) {
  return system_of(file)->pMethods->xLock(system_of(file), level);
}

int wal_unlock(sqlite3_file* file, int level) {
  return system_of(file)->pMethods->xUnlock(system_of(file), level);
}

int wal_check_reserved_lock(sqlite3_file* file, int* held) {
  return system_of(file)->pMethods->xCheckReservedLock(system_of(file), held);
}

int wal_sector_size(sqlite3_file* file) {
  return system_of(file)->pMethods->xSectorSize(system_of(file));
}

int wal_characteristics(sqlite3_file* file) {
  return system_of(file)->pMethods->xDeviceCharacteristics(system_of(file));
}

const sqlite3_io_methods& wal_methods() {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods made{};
    made.iVersion = 1;  // Shared memory and mapping belong to the database file.
    made.xClose = wal_close;
    made.xRead = wal_read;
    made.xWrite = wal_write;
    made.xTruncate = wal_truncate;
    made.xSync = wal_sync;
    made.xFileSize = wal_file_size;
    made.xLock = wal_lock;
    made.xUnlock = wal_unlock;
    made.xCheckReservedLock = wal_check_reserved_lock;
    made.xFileControl = wal_control;
    made.xSectorSize = wal_sector_size;
    made.xDeviceCharacteristics = wal_characteristics;
    return made;
  }();
  return methods;
}

sqlite3_vfs* system_layer() {
  static sqlite3_vfs* const layer = sqlite3_vfs_find(nullptr);
  return layer;
}

// NOLINTNEXTLINE(readability-function-size): the signature is SQLite's.
int open_file(
    sqlite3_vfs* /*layer*/, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  sqlite3_vfs* system = system_layer();
  if ((flags & SQLITE_OPEN_WAL) == 0) return system->xOpen(system, name, file, flags, flags_out);
  file->pMethods = nullptr;  // Nothing to close, should the opening fail.
  std::unique_ptr<std::byte[]> buffer(new (std::nothrow) std::byte[buffer_size]);
  if (!buffer) return SQLITE_NOMEM;
  auto* wal = new (file) WalFile;
  wal->system =
      reinterpret_cast<sqlite3_file*>(reinterpret_cast<std::byte*>(file) + system_file_offset);
  wal->system->pMethods = nullptr;
  const int code = system->xOpen(system, name, wal->system, flags, flags_out);
  if (code != SQLITE_OK) return code;
  wal->buffer = buffer.release();
  // Where a torn write can harm the bytes beside it, SQLite pads commits and syncs in between: the
  // order of its writes is then part of the safety, and stays as it is. It asks the database's
  // file.
  sqlite3_file* database = sqlite3_database_file_object(name);
  const int device = database->pMethods->xDeviceCharacteristics(database);
  wal->gathers = (device & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
  wal->base.pMethods = &wal_methods();
  return SQLITE_OK;
}

}  // namespace

const char* wal_buffer_layer() {
  static sqlite3_vfs layer;
  static const char* const name = []() -> const char* {
    if (sqlite3_initialize() != SQLITE_OK || system_layer() == nullptr) return nullptr;
    layer = *system_layer();
    layer.pNext = nullptr;
    layer.zName = "mizan-wal-buffer";
    layer.szOsFile = static_cast<int>(system_file_offset) + system_layer()->szOsFile;
    layer.xOpen = open_file;
    return sqlite3_vfs_register(&layer, 0) == SQLITE_OK ? layer.zName : nullptr;
  }();
  return name;
}

void forget_gathered(sqlite3* database) noexcept {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (file != nullptr && file->pMethods == &wal_methods()) wal_of(file).size = 0;
}

}  // namespace mizan::sqlite
