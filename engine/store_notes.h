// engine/store_notes.h: a database's notes: small named values beside its stores. They tell which regions the stores
// belong to when nothing else does (StoreDb::PutNotes).
//
// Disk: they are the keys and values of RocksDB's default column family. Threads: any.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "rocksdb/db.h"

namespace vaquita {

// Returns options for the column family of the notes, which are few and small.
rocksdb::ColumnFamilyOptions NotesOptions();

absl::Status WriteNotes(rocksdb::DB* db, const StoreDb::NoteMap& notes, bool sync);
absl::StatusOr<StoreDb::NoteMap> ReadNotes(rocksdb::DB* db);
absl::Status FlushNotes(rocksdb::DB* db);

}  // namespace vaquita
