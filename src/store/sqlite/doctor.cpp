#include "store/sqlite/doctor.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/schema_check.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <sqlite3.h>
#include <sys/vfs.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace mizan::sqlite {
namespace {

using Level = Finding::Level;

constexpr std::uint64_t mebibyte = 1'048'576;
constexpr std::uint64_t free_space_low = 512 * mebibyte;
constexpr std::uint64_t wal_large = 256 * mebibyte;

/// The first version that has the fix for the WAL-reset race.
constexpr int wal_reset_fixed = 3'051'003;

struct Setting {
  std::string_view name;
  int column;
  std::string_view wanted;
  std::string_view why;
};

/// In the order of read_settings.sql.
constexpr Setting settings[] = {
    {"journal_mode", 0, "wal", "readers and the writer must not block each other"},
    {"synchronous", 1, "2", "2 is FULL: a commit is on disk before it is acknowledged"},
    {"foreign_keys", 2, "1", "a balance without a wallet must be impossible"},
    {"secure_delete", 3, "0", "overwriting deleted bytes doubles the work of a write"},
    {"trusted_schema", 4, "0", "a schema that was tampered with must not call functions"},
    {"cell_size_check", 5, "1", "damage is found when a page is read"},
};

Finding setting_finding(const Setting& setting, std::string_view actual) {
  const bool good = actual == setting.wanted;
  std::string detail(actual);
  if (!good) detail += ", must be " + std::string(setting.wanted);
  detail += ": " + std::string(setting.why);
  return {good ? Level::ok : Level::problem, std::string(setting.name), std::move(detail)};
}

Result<Finding> mmap_finding(Connection& connection) {
  Statement row = connection.statement(sqlite_sql::read_mmap_size);
  auto found = row.step();
  if (!found) return found.error();
  const std::int64_t size = *found ? row.integer(0) : 0;
  return Finding{size == 0 ? Level::ok : Level::problem,
                 "mmap_size",
                 std::to_string(size) + ": a mapped file is not safe when the WAL is reset"};
}

Finding version_finding() {
  const std::string version(sqlite3_libversion());
  if (sqlite3_libversion_number() >= wal_reset_fixed) return {Level::ok, "sqlite", version};
  return {Level::warning,
          "sqlite",
          version +
              ": before 3.51.3 two connections that reset and write the WAL at once can damage "
              "the file. Mizan cannot meet it: one process owns the file and its one writing "
              "connection is the only one that checkpoints. Do not checkpoint with another tool "
              "while it runs"};
}

Result<std::vector<Finding>> schema_findings(Connection& connection) {
  auto identity = read_identity(connection);
  if (!identity) return identity.error();
  const std::string version = "version " + std::to_string(identity->schema_version);
  if (identity->schema_version != newest_schema_version()) {
    return std::vector{Finding{Level::problem,
                               "schema",
                               version + ", this program needs " +
                                   std::to_string(newest_schema_version()) +
                                   "; run `mizan migrate`"}};
  }
  auto differences = compare_schema(connection);
  if (!differences) return differences.error();
  std::vector<Finding> findings;
  for (SchemaDifference& difference : *differences) {
    findings.push_back({Level::problem, "schema", std::move(difference.detail)});
  }
  if (findings.empty()) {
    findings.push_back({Level::ok, "schema", version + ", every object as the migrations make it"});
  }
  return findings;
}

Result<Finding> integrity_finding(Connection& connection) {
  Statement row = connection.statement(sqlite_sql::quick_check);
  std::string findings;
  for (;;) {
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) break;
    if (!findings.empty()) findings += "; ";
    findings += row.text(0);
  }
  if (findings == "ok") return Finding{Level::ok, "integrity", "quick_check found no damage"};
  return Finding{
      Level::problem, "integrity", findings + ": stop, keep a copy, restore from a backup"};
}

/// The kinds of statfs(2) on which SQLite's locks or its shared WAL index do not work.
std::string_view network_kind(const std::filesystem::path& file) {
  struct statfs info {};

  if (statfs(file.c_str(), &info) != 0) return {};
  switch (static_cast<std::uint64_t>(info.f_type) & 0xffffffff) {
    case 0x6969:
      return "NFS";
    case 0x517b:
    case 0xfe534d42:
    case 0xff534d42:
      return "SMB";
    case 0x01021997:
      return "9p";
    case 0x65735546:
      return "FUSE";
    case 0x00c36400:
      return "CephFS";
    case 0x47504653:
      return "GPFS";
    default:
      return {};
  }
}

Finding file_system_finding(const std::filesystem::path& file) {
  const std::string_view kind = network_kind(file);
  if (kind.empty()) return {Level::ok, "file_system", "local"};
  return {
      Level::warning,
      "file_system",
      std::string(kind) + ": SQLite's WAL needs shared memory and honest locks; use a local disk"};
}

Finding space_finding(const std::filesystem::path& file) {
  std::error_code failure;
  const auto space = std::filesystem::space(file, failure);
  if (failure) return {Level::warning, "free_space", failure.message()};
  return {space.available < free_space_low ? Level::warning : Level::ok,
          "free_space",
          std::to_string(space.available / mebibyte) + " MiB free"};
}

std::uint64_t size_of(const std::filesystem::path& file) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(file, failure);
  return failure ? 0 : size;
}

std::filesystem::path wal_of(const std::filesystem::path& file) {
  std::filesystem::path wal = file;
  wal += "-wal";
  return wal;
}

Finding wal_finding(const std::filesystem::path& file) {
  const std::uint64_t size = size_of(wal_of(file));
  const std::string text = std::to_string(size / mebibyte) + " MiB";
  if (size < wal_large) return {Level::ok, "wal", text};
  return {Level::warning,
          "wal",
          text + ": a reader that stays open keeps it from being reused; look for one"};
}

}  // namespace

Result<std::vector<Finding>> inspect_settings(Connection& connection) {
  std::vector<Finding> findings;
  Statement row = connection.statement(sqlite_sql::read_settings);
  auto found = row.step();
  if (!found) return found.error();
  for (const Setting& setting : settings) {
    findings.push_back(setting_finding(setting, row.text(setting.column)));
  }
  auto mmap = mmap_finding(connection);
  if (!mmap) return mmap.error();
  findings.push_back(std::move(*mmap));
  return findings;
}

Status check_writer_settings(Connection& connection) {
  auto findings = inspect_settings(connection);
  if (!findings) return findings.error();
  for (const Finding& finding : *findings) {
    if (finding.level == Level::problem) {
      return unavailable("sqlite: open", finding.name + " is " + finding.detail);
    }
  }
  return {};
}

Result<std::vector<Finding>> inspect_file(Connection& connection,
                                          const std::filesystem::path& file) {
  std::vector<Finding> findings;
  findings.push_back(version_finding());
  auto schema = schema_findings(connection);
  if (!schema) return schema.error();
  for (Finding& finding : *schema) findings.push_back(std::move(finding));
  auto integrity = integrity_finding(connection);
  if (!integrity) return integrity.error();
  findings.push_back(std::move(*integrity));
  findings.push_back(file_system_finding(file));
  findings.push_back(space_finding(file));
  findings.push_back(wal_finding(file));
  return findings;
}

std::uint64_t bytes_on_disk(const std::filesystem::path& file) {
  return size_of(file) + size_of(wal_of(file));
}

}  // namespace mizan::sqlite
