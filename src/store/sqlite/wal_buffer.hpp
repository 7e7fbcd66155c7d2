#pragma once

struct sqlite3;

namespace mizan::sqlite {

/// The name of a file layer (VFS) for the writing connection that gathers the writes to the WAL
/// and hands them to the system in large pieces: SQLite itself makes two small ones per page. Null
/// where it could not be registered; then SQLite's own layer serves as well (decision 0013).
///
/// Safe because the only file it touches is the WAL, and with synchronous=FULL SQLite syncs the
/// WAL before it publishes what was written to it. Whatever reads, syncs, measures, cuts or closes
/// the file first writes out what was gathered. Any thread may call.
[[nodiscard]] const char* wal_buffer_layer();

/// Forgets what was gathered and not written out. To be called when a transaction of this
/// connection has ended without its commit, before anything else uses the connection: what is
/// still gathered then belongs to that transaction, with its commit frame where the sync failed.
/// Written later it would overwrite another program's commit, or be found by a recovery and bring
/// back what was answered as not applied.
void forget_gathered(sqlite3* database) noexcept;

}  // namespace mizan::sqlite
