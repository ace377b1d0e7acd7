// engine/store_notes.h: a database's notes: small named values beside its stores, for who has to know what the stores
// are when nobody else can tell (StoreDb::PutNotes).
//
// Disk: they are the keys and values of RocksDB's default column family. Threads: any.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "rocksdb/db.h"

namespace vaquita {

// For the column family that has the notes: few and small.
rocksdb::ColumnFamilyOptions NotesOptions();

absl::Status WriteNotes(rocksdb::DB* db, const StoreDb::NoteMap& notes);
absl::StatusOr<StoreDb::NoteMap> ReadNotes(rocksdb::DB* db);

}  // namespace vaquita
