#include "bench/raw_column_families.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/options.h"
#include "base/status.h"
#include "engine/rocksdb/file_systems.h"
#include "engine/rocksdb/rocksdb_options.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/write_batch.h"

namespace vaquita::bench {
namespace {

rocksdb::ColumnFamilyOptions FamilyOptions() {
  rocksdb::ColumnFamilyOptions family;
  family.compaction_style = rocksdb::kCompactionStyleUniversal;
  family.disable_auto_compactions = true;
  family.arena_block_size = 16 * kKiB;
  family.compression = rocksdb::kNoCompression;
  return family;
}

}  // namespace

RawColumnFamilies::RawColumnFamilies(std::string folder)
    : folder_(std::move(folder)),
      env_(rocksdb::NewCompositeEnv(NewNoOptionsFileSystem(rocksdb::FileSystem::Default()))) {
  std::filesystem::create_directories(folder_);
}

RawColumnFamilies::~RawColumnFamilies() { Close(); }

absl::Status RawColumnFamilies::Open() {
  std::vector<std::string> names{rocksdb::kDefaultColumnFamilyName};
  if (std::filesystem::exists(folder_ + "/CURRENT")) {
    VAQUITA_RETURN_IF_ERROR(
        FromRocksDb(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), folder_, &names), "list column families"));
  }
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, FamilyOptions());
  rocksdb::DB* db = nullptr;
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(
      rocksdb::DB::Open(DatabaseOptions(Options(), env_.get()), folder_, families, &handles_, &db), "open RocksDB"));
  db_.reset(db);
  return absl::OkStatus();
}

void RawColumnFamilies::Close() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  handles_.clear();
  db_.reset();
}

absl::Status RawColumnFamilies::Create(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(absl::StrCat("family ", i));
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const rocksdb::Status status = db_->CreateColumnFamilies(FamilyOptions(), names, &handles);
  handles_.insert(handles_.end(), handles.begin(), handles.end());
  return FromRocksDb(status, "create column families");
}

absl::Status RawColumnFamilies::PutIntoEach() {
  rocksdb::WriteBatch batch;
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(batch.Put(handle, "key", "value"), "put"));
  }
  return FromRocksDb(db_->Write({}, &batch), "put");
}

absl::Status RawColumnFamilies::FlushEach() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(db_->Flush({}, handle), "flush"));
  }
  return absl::OkStatus();
}

absl::Status RawColumnFamilies::DropAll() {
  const std::vector<rocksdb::ColumnFamilyHandle*> dropped(handles_.begin() + 1, handles_.end());  // not the default one
  return FromRocksDb(db_->DropColumnFamilies(dropped), "drop column families");
}

}  // namespace vaquita::bench
