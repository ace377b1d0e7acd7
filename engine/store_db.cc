#include "engine/store_db.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "absl/base/dynamic_annotations.h"
#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/append_marks.h"
#include "engine/cells/cell_key.h"
#include "engine/consistent_iterators.h"
#include "engine/damage_control.h"
#include "engine/database.h"
#include "engine/former_rows.h"
#include "engine/nonce_store.h"
#include "engine/rocksdb/disk_stand_in_files.h"
#include "engine/rocksdb/file_systems.h"
#include "engine/rocksdb/manifest_copies.h"
#include "engine/rocksdb/manifest_guard.h"
#include "engine/rocksdb/rocksdb_options.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/store_compaction.h"
#include "engine/store_export.h"
#include "engine/store_link.h"
#include "engine/store_notes.h"
#include "engine/store_registry.h"
#include "engine/store_survey.h"
#include "engine/write_counter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/write_batch.h"

namespace vaquita {

struct StoreDb::Opening {
  std::shared_ptr<StoreSettings> settings;
  rocksdb::ColumnFamilyDescriptor descriptor;
  bool is_unknown = false;  // `resolve` does not know it
};

StoreDb::FolderIdentity StoreDb::FolderIdentity::Of(const std::string& path) {
  struct stat folder {};
  if (stat(path.c_str(), &folder) != 0) return {};
  return {folder.st_dev, folder.st_ino};
}

StoreSpec KeepAllOf(std::string_view store_name) {
  StoreSpec spec{.name = std::string(store_name)};
  spec.family.name = store_name.substr(store_name.find('/') + 1);  // all of it if there is no slash
  spec.family.max_versions = std::numeric_limits<int32_t>::max();
  spec.family.keep_deleted_cells = KeepDeletedCells::kTrue;
  return spec;
}

absl::StatusOr<std::unique_ptr<StoreDb>> StoreDb::Open(const StoreDbOptions& options, const Resolve& resolve) {
  std::unique_ptr<StoreDb> db(new StoreDb(options));
  VAQUITA_RETURN_IF_ERROR(db->OpenStores([&](std::string_view store) {
    return store == NonceStore::kName ? std::make_unique<StoreSpec>(NonceStore::Spec()) : resolve(store);
  }));
  VAQUITA_RETURN_IF_ERROR(db->nonces()->Open());
  return db;
}

StoreDb::StoreDb(const StoreDbOptions& options)
    : options_(options),
      tasks_(std::make_unique<TaskMonitor>(options.clock)),
      database_(std::make_shared<Database>()),
      registry_(std::make_shared<StoreRegistry>()),
      damage_(std::make_unique<DamageControl>(options)),
      nonces_(std::make_unique<NonceStore>(this)) {}

StoreDb::~StoreDb() {
  // RocksDB sends no event after this, so the thread of an event cannot be the last to hold the database.
  if (rocksdb() != nullptr) rocksdb::CancelAllBackgroundWork(rocksdb(), /*wait=*/true);
  nonces_.reset();
  registry_->Clear();
  for (rocksdb::ColumnFamilyHandle* handle : undropped_) {
    rocksdb()->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
}

rocksdb::DB* StoreDb::rocksdb() const { return database_->rocksdb.get(); }

bool StoreDb::Exists() const { return std::filesystem::exists(options_.path + "/CURRENT"); }

// Creates the folder, and removes leftovers of a crashed split or merge.
absl::Status StoreDb::PrepareFolder() const {
  std::error_code error;
  if (options_.syncs) {
    VAQUITA_RETURN_IF_ERROR(Annotate(CreateFolder(options_.path), "open " + options_.path));
  } else {
    std::filesystem::create_directories(options_.path, error);
  }
  if (!error) std::filesystem::remove_all(ExportRoot(options_.path), error);
  if (error) return absl::UnavailableError(absl::StrCat("open ", options_.path, ": ", error.message()));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> StoreDb::ListStores() const {
  std::vector<std::string> names;
  if (!Exists()) return names;
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), options_.path, &names),
                                      "open " + options_.path));
  std::erase(names, rocksdb::kDefaultColumnFamilyName);
  return names;
}

StoreDb::Opening StoreDb::Prepare(StoreSpec spec) const {
  const std::string name = spec.name;
  auto settings = std::make_shared<StoreSettings>(std::move(spec), options_.clock, database_->compactions);
  Opening opening{settings, {name, StoreOptions(options(), database_->block_cache, settings)}};
  if (options_.for_export) opening.descriptor.options.memtable_factory = std::make_shared<rocksdb::VectorRepFactory>();
  return opening;
}

// Raises the counter of writes to the numbers that the log's replay has put into the store's memtables. Its files have
// raised it already.
static void RaiseToMemtables(const Store& store) {
  if (!store.spec().family.NewVersionBehavior()) return;
  rocksdb::ReadOptions read;
  read.read_tier = rocksdb::kMemtableTier;
  read.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> iterator(store.rocksdb()->NewIterator(read, store.handle()));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    store.write_counter()->RaiseTo(StoredWriteNumber(iterator->value().ToStringView()));
  }
}

std::shared_ptr<Store> StoreDb::Register(std::shared_ptr<StoreSettings> settings, rocksdb::ColumnFamilyHandle* handle) {
  auto store = std::make_shared<Store>(database_, std::move(settings), handle);
  store->RefreshFiles();
  RaiseToMemtables(*store);
  registry_->Add(store);
  return store;
}

// An earlier process may have left the end of its logs in the kernel's memory. RocksDB does not sync it, but replays
// later logs only as far as the earlier ones are whole.
static absl::Status SyncLogs(const std::string& database, const FoundMarks& known) {
  for (const auto& [log, mark] : known.files) {
    VAQUITA_RETURN_IF_ERROR(SyncPath(absl::StrCat(database, "/", AppendedFileName(log))));
  }
  return absl::OkStatus();
}

absl::Status StoreDb::MakeEnv() {
  // A process that has the database open would change it during the check.
  VAQUITA_ASSIGN_OR_RETURN(const auto lock, DatabaseLock::Take(options_.path));
  VAQUITA_ASSIGN_OR_RETURN(const FoundMarks known, damage_->CheckBeforeOpen());
  if (options_.syncs) VAQUITA_RETURN_IF_ERROR(SyncLogs(options_.path, known));
  if (const absl::Status started = database_->marks.Start(options_.path, known); !started.ok()) {
    spdlog::warn("damage of logs may be missed, because append marks cannot be kept: {}", started.ToString());
  }
  auto files = NewSparingFileSystem(NewPatientFileSystem(NewDiskFileSystem(options_.path)));
  files = database_->marks.Wrap(NewManifestGuardingFileSystem(NewManifestCopyingFileSystem(files)));
  database_->env = rocksdb::NewCompositeEnv(
      database_->syncs.Wrap(NewInterruptibleFileSystem(NewNoFoldersFileSystem(NewNoOptionsFileSystem(std::move(files))),
                                                       database_->compactions),
                            options_.path));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<StoreDb::Opening>> StoreDb::PrepareStores(const Resolve& resolve) const {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListStores());
  std::vector<Opening> openings;
  openings.push_back({nullptr, {rocksdb::kDefaultColumnFamilyName, NotesOptions()}});
  for (const std::string& name : names) {
    const std::unique_ptr<StoreSpec> spec = resolve(name);
    openings.push_back(Prepare(spec == nullptr ? KeepAllOf(name) : *spec));
    openings.back().is_unknown = spec == nullptr;
  }
  return openings;
}

absl::Status StoreDb::OpenStores(const Resolve& resolve) {
  VAQUITA_RETURN_IF_ERROR(PrepareFolder());
  folder_ = FolderIdentity::Of(options_.path);
  VAQUITA_RETURN_IF_ERROR(MakeEnv());
  database_->block_cache = rocksdb::NewLRUCache(options().block_cache_bytes);

  std::vector<Opening> openings;
  Handles handles;
  VAQUITA_RETURN_IF_ERROR(OpenRocksDb(resolve, &openings, &handles));
  for (const auto& [name, store] : damage_->SetApartStores()) {
    const auto spec = resolve(name);
    set_apart_[name] = spec == nullptr ? KeepAllOf(name) : *spec;
  }
  rocksdb()->DestroyColumnFamilyHandle(handles[0]).PermitUncheckedError();  // the database has its own
  // All are registered before anything can fail: RocksDB ends the process if a handle outlives it.
  std::vector<std::shared_ptr<Store>> stores;
  for (size_t i = 1; i < handles.size(); ++i) {
    stores.push_back(Register(std::move(openings[i].settings), handles[i]));
    if (openings[i].is_unknown) unknown_.push_back(stores.back());
  }
  for (const std::shared_ptr<Store>& store : stores) VAQUITA_RETURN_IF_ERROR(Recover(store));
  return absl::OkStatus();
}

absl::Status StoreDb::Recover(const std::shared_ptr<Store>& store) {
  const bool may_be_former = store->row_order() != RowOrder::kBytes && damage_->StatusOf(store->spec().name).ok();
  bool converted = false;
  if (may_be_former) {
    VAQUITA_ASSIGN_OR_RETURN(converted, ConvertFormerRows(store.get()));
  }
  store->RecoverMemstore();
  if (!converted) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(store->Flush());
  return Compact(store, CompactionKind::kMajor).status();
}

std::shared_ptr<Store> StoreDb::Find(std::string_view name) const { return registry_->Find(name); }

absl::Status StoreDb::DamageOf(std::string_view name) const { return damage_->StatusOf(name); }

std::vector<std::string> StoreDb::DamagedStores() const { return damage_->DamagedStores(); }

std::vector<std::shared_ptr<Store>> StoreDb::UnknownStores() const {
  std::vector<std::shared_ptr<Store>> stores;
  for (const std::weak_ptr<Store>& unknown : unknown_) {
    auto store = unknown.lock();
    if (store != nullptr && registry_->Find(store->spec().name) == store) stores.push_back(std::move(store));
  }
  return stores;
}

absl::Status StoreDb::OpenRocksDb(const Resolve& resolve, std::vector<Opening>* openings, Handles* handles) {
  const absl::Status opened = OpenAtAnyLevel(resolve, openings, handles);
  if (opened.ok() || absl::IsFailedPrecondition(opened) || absl::IsResourceExhausted(opened)) return opened;
  auto files = database_->marks.Wrap(
      NewManifestGuardingFileSystem(NewManifestCopyingFileSystem(NewDiskFileSystem(options_.path))));
  VAQUITA_ASSIGN_OR_RETURN(const bool set_apart, damage_->SetApartBadStores(resolve, std::move(files)));
  if (!set_apart) return opened;
  return OpenAtAnyLevel(resolve, openings, handles);
}

// RocksDB refuses to open a store with fewer levels than its files are in, but does not say which store it is.
absl::Status StoreDb::OpenAtAnyLevel(const Resolve& resolve, std::vector<Opening>* openings, Handles* handles) {
  VAQUITA_ASSIGN_OR_RETURN(*openings, PrepareStores(resolve));
  const absl::Status opened = TryToOpenRocksDb(*openings, handles);
  if (!absl::IsInvalidArgument(opened)) return opened;
  for (Opening& opening : *openings) opening.descriptor.options.num_levels = kMergeLevels;
  return TryToOpenRocksDb(*openings, handles);
}

// RocksDB replays later logs only as far as the earlier ones are whole, and opens no database in which a store's files
// have writes of later ones. That comes of an error of the disk and a power cut: the end of a log was not synced. All
// that was synced is there, or damage_ has found the gap. Stores need not be of one moment, so the rest is replayed.
static bool IsAheadOfLogs(const rocksdb::Status& status) {
  return status.IsCorruption() && status.ToString().find("SST file is ahead of WALs") != std::string::npos;
}

absl::Status StoreDb::TryToOpenRocksDb(const std::vector<Opening>& openings, Handles* handles) {
  rocksdb::DBOptions db_options = DatabaseOptions(options(), database_->env.get());
  db_options.listeners.push_back(registry_);
  if (damage_->passes_over_records()) {
    db_options.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
  }
  // Those memstores take one write at a time.
  db_options.allow_concurrent_memtable_write = !options_.for_export;
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const Opening& opening : openings) descriptors.push_back(opening.descriptor);

  const bool is_new = !Exists();
  if (is_new || !options_.syncs) database_->syncs.HoldAll();
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status = rocksdb::DB::Open(db_options, options_.path, descriptors, handles, &opened);
  if (IsAheadOfLogs(status)) {
    spdlog::warn("database {}: a log ends early, so the last writes that were not synced are lost: {}", options_.path,
                 status.ToString());
    db_options.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
    status = rocksdb::DB::Open(db_options, options_.path, descriptors, handles, &opened);
  }
  if (!status.ok()) return FromRocksDbOpen(status, options_.path);
  database_->rocksdb.reset(opened);
  if (!is_new || !options_.syncs) return absl::OkStatus();
  const absl::Status synced = database_->syncs.ReleaseAll(options_.path, kMarksFile);
  // RocksDB ends the process if a handle outlives it.
  if (!synced.ok()) rocksdb()->DestroyColumnFamilyHandle(handles->front()).PermitUncheckedError();
  return synced;
}

absl::Status StoreDb::WithOneSync(std::string_view doing, const std::function<absl::Status()>& change) {
  VAQUITA_ASSIGN_OR_RETURN(const auto kept, KeepFiles());
  const absl::Status changed = change();
  const rocksdb::Status synced = database_->syncs.SyncManifest();
  VAQUITA_RETURN_IF_ERROR(changed);
  return FromRocksDb(synced, doing);
}

absl::StatusOr<std::vector<std::shared_ptr<Store>>> StoreDb::Create(std::vector<StoreSpec> specs) {
  std::lock_guard lock(stores_change_);
  VAQUITA_RETURN_IF_ERROR(DropUnregistered());
  std::vector<std::shared_ptr<StoreSettings>> settings;
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (StoreSpec& spec : specs) {
    Opening opening = Prepare(std::move(spec));
    settings.push_back(std::move(opening.settings));
    descriptors.push_back(std::move(opening.descriptor));
  }
  Handles handles;
  const auto create = [&] {
    return FromRocksDb(rocksdb()->CreateColumnFamilies(descriptors, &handles), "create stores");
  };
  // To keep files costs more than the one sync of a single store, the more stores there are.
  absl::Status status = descriptors.size() > 1 ? WithOneSync("create stores", create) : create();
  // Somebody else may keep files, and then RocksDB's sync was put off.
  if (status.ok()) status = FromRocksDb(database_->syncs.SyncManifest(), "create stores");
  return RegisterNew(status, std::move(settings), handles);
}

absl::StatusOr<std::vector<std::shared_ptr<Store>>> StoreDb::RegisterNew(
    const absl::Status& made, std::vector<std::shared_ptr<StoreSettings>> settings, const Handles& handles) {
  if (!made.ok()) {
    undropped_.insert(undropped_.end(), handles.begin(), handles.end());
    DropUnregistered().IgnoreError();
    return made;
  }
  std::vector<std::shared_ptr<Store>> stores;
  for (size_t i = 0; i < handles.size(); ++i) stores.push_back(Register(std::move(settings[i]), handles[i]));
  return stores;
}

absl::Status StoreDb::DropHandles(const Handles& handles,
                                  const std::function<void(rocksdb::ColumnFamilyHandle*)>& forget) {
  return WithOneSync("drop stores", [&] {
    // One call for all: RocksDB goes through the options of all stores after each call.
    const rocksdb::Status all_dropped = rocksdb()->DropColumnFamilies(handles);
    for (rocksdb::ColumnFamilyHandle* const handle : handles) {
      // After an error some are dropped. To drop such a one again is an invalid argument.
      const rocksdb::Status dropped = all_dropped.ok() ? all_dropped : rocksdb()->DropColumnFamily(handle);
      if (!dropped.ok() && !dropped.IsInvalidArgument()) {
        return FromRocksDb(dropped, "drop store " + handle->GetName());
      }
      forget(handle);
    }
    return absl::OkStatus();
  });
}

absl::Status StoreDb::DropUnregistered() {
  if (undropped_.empty()) return absl::OkStatus();
  return DropHandles(Handles(undropped_), [&](rocksdb::ColumnFamilyHandle* handle) {
    std::erase(undropped_, handle);
    rocksdb()->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  });
}

absl::Status StoreDb::Drop(std::span<const std::string> names) {
  std::lock_guard lock(stores_change_);
  std::vector<std::shared_ptr<Store>> stores;  // keep their handles
  Handles handles;
  for (const std::string& name : names) {
    std::shared_ptr<Store> store = registry_->Find(name);
    if (store == nullptr) continue;
    handles.push_back(store->handle());
    stores.push_back(std::move(store));
  }
  // Until it is gone a store is known, so that who tries again finds it.
  VAQUITA_RETURN_IF_ERROR(DropHandles(handles, [&](rocksdb::ColumnFamilyHandle* handle) {
    registry_->Remove(handle->GetName());
    database_->marks.RemoveStore(handle->GetID());
  }));
  for (const std::string& name : names) VAQUITA_RETURN_IF_ERROR(damage_->Forget(name));
  return absl::OkStatus();
}

absl::Status StoreDb::Write(StoreBatch* batch, Durability durability) {
  if (batch->empty()) return absl::OkStatus();
  rocksdb::WriteOptions write;
  write.disableWAL = durability == Durability::kSkipWal;
  write.sync = durability == Durability::kFsyncWal && !log_syncs_held_;
  const auto add = [&](int64_t sign) {
    for (const StoreBatch::Share& share : batch->shares_) {
      share.store->memstore()->Add(sign * share.bytes, sign * share.cells);
    }
  };
  add(+1);
  // A leader copies the batches of writers that wait. ThreadSanitizer does not see RocksDB's locks, which order that.
  ABSL_ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN();
  const rocksdb::Status status = rocksdb()->Write(write, batch->batch_.get());
  ABSL_ANNOTATE_IGNORE_READS_AND_WRITES_END();
  if (!status.ok()) {
    add(-1);
    return FromRocksDb(status, "write");
  }
  const uint64_t sequence = rocksdb()->GetLatestSequenceNumber();
  for (const StoreBatch::Share& share : batch->shares_) {
    StoreMark* const mark = share.store->mark();
    if (mark != nullptr) StoreMark::Raise(&mark->last, sequence);
  }
  return absl::OkStatus();
}

WriteHealth::State StoreDb::Writes() const {
  WriteHealth::State state = registry_->writes();
  // The log stays open when its folder is taken away, so RocksDB would find out at its next file.
  if (state.why.ok() && folder_ != FolderIdentity::Of(options_.path)) {
    return {absl::UnavailableError(absl::StrCat("the data folder ", options_.path, " is gone")), /*for_good=*/true};
  }
  // RocksDB does not know of a sync that was put off.
  if (const rocksdb::Status failed = database_->syncs.Failure(); !state.for_good && !failed.ok()) {
    return {FromRocksDb(failed, "sync the manifest"), /*for_good=*/true};
  }
  return state;
}

StoreDbMetrics StoreDb::Metrics() const {
  StoreDbMetrics metrics{database_->counters.Read()};
  metrics.block_cache_bytes = static_cast<int64_t>(database_->block_cache->GetUsage());
  metrics.block_cache_capacity_bytes = static_cast<int64_t>(database_->block_cache->GetCapacity());
  std::map<std::string, std::string> log;
  if (!rocksdb()->GetMapProperty(rocksdb::DB::Properties::kDBStats, &log)) return metrics;
  metrics.log_writes = std::strtoll(log["db.user_writes_with_wal"].c_str(), nullptr, 10);
  metrics.log_written_bytes = std::strtoll(log["db.wal_bytes_written"].c_str(), nullptr, 10);
  metrics.log_syncs = std::strtoll(log["db.wal_syncs"].c_str(), nullptr, 10);
  return metrics;
}

absl::Status StoreDb::NewIterators(std::span<const std::shared_ptr<Store>> stores, IteratorBounds bounds,
                                   std::vector<std::unique_ptr<rocksdb::Iterator>>* iterators) const {
  return NewConsistentIterators(rocksdb(), stores, std::move(bounds), iterators);
}

CacheEviction StoreDb::DropCachedBlocks() {
  rocksdb::Cache& cache = *database_->block_cache;
  const size_t blocks = cache.GetOccupancyCount();
  const size_t bytes = cache.GetUsage();
  cache.EraseUnRefEntries();
  const size_t blocks_left = std::min(blocks, cache.GetOccupancyCount());
  const size_t bytes_left = std::min(bytes, cache.GetUsage());
  return {.evicted_blocks = static_cast<int64_t>(blocks - blocks_left),
          .evicted_bytes = static_cast<int64_t>(bytes - bytes_left),
          .capacity_bytes = static_cast<int64_t>(cache.GetCapacity())};
}

int64_t StoreDb::MemstoreBytes() const { return database_->memstore_bytes.load(std::memory_order_relaxed); }

absl::Status StoreDb::ReleaseLogSyncs() {
  return log_syncs_held_.exchange(false) ? FromRocksDb(rocksdb()->SyncWAL(), "sync the log") : absl::OkStatus();
}

absl::Status StoreDb::PutNotes(const NoteMap& notes, Durability durability) {
  return WriteNotes(rocksdb(), notes, durability == Durability::kFsyncWal && !log_syncs_held_);
}

absl::StatusOr<StoreDb::NoteMap> StoreDb::Notes() const { return ReadNotes(rocksdb()); }

absl::Status StoreDb::Flush(std::span<const std::shared_ptr<Store>> stores) {
  for (const std::shared_ptr<Store>& store : stores) {
    VAQUITA_RETURN_IF_ERROR(store->Flush());
  }
  return absl::OkStatus();
}

absl::Status StoreDb::FlushSharedStores() {
  VAQUITA_RETURN_IF_ERROR(FlushNotes(rocksdb()));
  const auto nonces = nonces_->store();
  return nonces != nullptr ? nonces->Flush() : absl::OkStatus();
}

CompactionPlan StoreDb::Plan(const Store& store, CompactionKind kind) const {
  return PlanCompaction(store, kind, options(), clock()->NowMs());
}

int64_t StoreDb::CompactionBytes(const Store& store, CompactionKind kind) const { return Plan(store, kind).bytes; }

absl::StatusOr<bool> StoreDb::Compact(const std::shared_ptr<Store>& store, CompactionKind kind) {
  std::lock_guard lock(*store->compaction_mutex());
  const CompactionPlan plan = Plan(*store, kind);
  if (plan.files.empty() || *store->compactions_held()) return false;
  VAQUITA_RETURN_IF_ERROR(RunCompaction(plan, store.get()));
  return true;
}

bool StoreDb::NeedsCompaction(const Store& store, CompactionKind* kind) const {
  const CompactionPlan plan = Plan(store, CompactionKind::kMinor);
  *kind = plan.major ? CompactionKind::kMajor : CompactionKind::kMinor;
  return !plan.files.empty();
}

absl::StatusOr<std::shared_ptr<Store>> StoreDb::Link(std::span<const std::shared_ptr<Store>> from, StoreSpec to) {
  if (registry_->Find(to.name) != nullptr) {
    const std::string leftover[] = {to.name};
    VAQUITA_RETURN_IF_ERROR(Drop(leftover));
  }
  std::lock_guard lock(stores_change_);
  VAQUITA_RETURN_IF_ERROR(DropUnregistered());
  Opening opening = Prepare(std::move(to));
  opening.descriptor.options.num_levels = kMergeLevels;
  VAQUITA_ASSIGN_OR_RETURN(rocksdb::ColumnFamilyHandle* const handle,
                           LinkStores(rocksdb(), from, opening.descriptor.name, opening.descriptor.options));
  // Somebody may keep files, and then RocksDB's sync was put off.
  const rocksdb::Status synced = database_->syncs.SyncManifest();
  VAQUITA_ASSIGN_OR_RETURN(const auto made, RegisterNew(FromRocksDb(synced, "link store " + opening.descriptor.name),
                                                        {std::move(opening.settings)}, {handle}));
  return made.front();
}

absl::StatusOr<std::unique_ptr<KeptFiles>> StoreDb::KeepFiles() {
  return database_->file_deletions.Keep(rocksdb(), &database_->syncs);
}

absl::StatusOr<std::vector<ExportedFile>> StoreDb::Export(const std::shared_ptr<Store>& store,
                                                          const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(const auto kept, KeepFiles());
  return ExportStore(*store, folder);
}

absl::StatusOr<std::vector<std::shared_ptr<Store>>> StoreDb::Import(std::vector<StoreImport> imports) {
  std::lock_guard lock(stores_change_);
  VAQUITA_RETURN_IF_ERROR(DropUnregistered());
  std::vector<std::shared_ptr<StoreSettings>> settings;
  Handles handles;
  const absl::Status status = WithOneSync("import stores", [&] {
    for (StoreImport& import : imports) {
      Opening opening = Prepare(std::move(import.to));
      const auto is_deep = [](const ExportedFile& file) { return file.level > 0; };
      if (std::ranges::any_of(import.files, is_deep)) opening.descriptor.options.num_levels = kMergeLevels;
      VAQUITA_ASSIGN_OR_RETURN(
          rocksdb::ColumnFamilyHandle* const handle,
          ImportStore(rocksdb(), import.folder, import.files, opening.descriptor.name, opening.descriptor.options));
      handles.push_back(handle);
      settings.push_back(std::move(opening.settings));
    }
    return absl::OkStatus();
  });
  return RegisterNew(status, std::move(settings), handles);
}

absl::Status StoreDb::AcceptDamage(const std::string& keep) {
  std::vector<StoreImport> imports;
  for (const auto& [name, store] : damage_->SetApartStores()) {
    const auto spec = set_apart_.find(name);
    if (spec == set_apart_.end() || registry_->Find(name) != nullptr) continue;
    imports.push_back({spec->second, DamageFolder(options_.path) + "/" + name, store.files});
  }
  if (!imports.empty()) VAQUITA_RETURN_IF_ERROR(Import(std::move(imports)).status());
  return damage_->Accept(keep);
}

}  // namespace vaquita
