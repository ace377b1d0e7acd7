#include "engine/store_notes.h"

#include <memory>

#include "base/options.h"
#include "base/status.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "rocksdb/write_batch.h"

namespace vaquita {

rocksdb::ColumnFamilyOptions NotesOptions() {
  rocksdb::ColumnFamilyOptions options;
  options.write_buffer_size = kMiB;
  options.arena_block_size = 64 * kKiB;
  return options;
}

absl::Status WriteNotes(rocksdb::DB* db, const StoreDb::NoteMap& notes, bool sync) {
  if (notes.empty()) return absl::OkStatus();
  rocksdb::WriteBatch batch;
  for (const auto& [name, value] : notes) {
    const rocksdb::Status added = value.empty() ? batch.Delete(name) : batch.Put(name, value);
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(added, "write notes"));
  }
  rocksdb::WriteOptions write;
  write.sync = sync;
  return FromRocksDb(db->Write(write, &batch), "write notes");
}

absl::StatusOr<StoreDb::NoteMap> ReadNotes(rocksdb::DB* db) {
  StoreDb::NoteMap notes;
  rocksdb::ReadOptions read;
  read.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator(read));
  for (at->SeekToFirst(); at->Valid(); at->Next()) notes.emplace(at->key().ToString(), at->value().ToString());
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(at->status(), "read notes"));
  return notes;
}

absl::Status FlushNotes(rocksdb::DB* db) {
  rocksdb::FlushOptions flush;
  flush.allow_write_stall = true;  // a flush ends the stall
  return FromRocksDb(db->Flush(flush), "flush notes");
}

}  // namespace vaquita
