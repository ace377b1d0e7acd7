#include "engine/store.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/prefetch.h"
#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/cells/stored_row.h"
#include "engine/database.h"
#include "engine/rocksdb/midkey.h"
#include "engine/rocksdb/rocksdb_options.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/rocksdb/write_numbers.h"
#include "engine/write_counter.h"

namespace vaquita {
namespace {

std::string RowText(RowOrder order, const std::string& key) {
  std::string scratch, row_scratch;
  CellKey parsed;
  if (!ParseCellKey(key, &scratch, &parsed).ok()) return {};
  return std::string(RowOfStored(order, parsed.row, &row_scratch));
}

// The name alone of a table file's path, as SstFileMetaData has it.
std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// A store without unflushed cells has written nothing that a log could lose.
uint64_t LastUnflushedWrite(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) {
  uint64_t cells = 0;
  const bool known = db->GetIntProperty(handle, rocksdb::DB::Properties::kNumEntriesActiveMemTable, &cells);
  return known && cells == 0 ? 0 : db->GetLatestSequenceNumber();
}

}  // namespace

KeyBounds KeyBounds::Of(const StoreSpec& spec) {
  const RowRange range = StoredRange(spec.row_order, spec.range);
  return {FirstKey(range), EndKey(range)};
}

void FileCounters::AddFlush(int64_t bytes) {
  flushed_bytes += bytes;
  ++flushes;  // last, so that a reader who sees it sees the rest too; as below
}

void FileCounters::AddCompaction(bool major, int64_t bytes_read, int64_t bytes_written) {
  compacted_bytes_read += bytes_read;
  compacted_bytes_written += bytes_written;
  ++(major ? major_compactions : minor_compactions);
}

Store::Store(std::shared_ptr<Database> database, std::shared_ptr<StoreSettings> settings,
             rocksdb::ColumnFamilyHandle* handle)
    : database_(std::move(database)),
      settings_(std::move(settings)),
      handle_(handle),
      mark_(database_->marks.AddStore(handle->GetID(), handle->GetName(),
                                      LastUnflushedWrite(database_->rocksdb.get(), handle))),
      row_order_(settings_->spec().row_order),
      bounds_(KeyBounds::Of(settings_->spec())),
      memstore_(&database_->memstore_bytes) {}

// RocksDB ends the process when a handle outlives it; here the handle keeps its database.
Store::~Store() { database_->rocksdb->DestroyColumnFamilyHandle(handle_).PermitUncheckedError(); }

rocksdb::DB* Store::rocksdb() const { return database_->rocksdb.get(); }

CompactionRuns* Store::compactions() const { return database_->compactions.get(); }
WriteCounter* Store::write_counter() const { return &database_->write_counter; }

StoreMetrics Store::Metrics() const {
  std::unique_lock lock(counters_mutex_);
  StoreMetrics metrics{counters_.Read()};
  metrics.compacted_files_read = compacted_files_read_;
  metrics.dropped = dropped_;
  lock.unlock();
  metrics.store_files = file_count_;
  metrics.store_file_bytes = file_bytes_;
  metrics.memstore_bytes = memstore_.bytes();
  metrics.memstore_cells = memstore_.cells();
  metrics.last_major_compaction_ms = last_major_ms_;
  metrics.compacting = compacting_;
  return metrics;
}

rocksdb::ColumnFamilyMetaData Store::MetaData() const {
  rocksdb::ColumnFamilyMetaData data;
  rocksdb()->GetColumnFamilyMetaData(handle_, &data);
  return data;
}

bool Store::IsReference(const rocksdb::SstFileMetaData& file) const {
  return file.smallestkey < bounds_.lower || (!bounds_.upper.empty() && file.largestkey >= bounds_.upper);
}

std::vector<SortedRun> Store::Runs() const {
  std::vector<SortedRun> runs;
  const auto append = [&](int level, std::vector<rocksdb::SstFileMetaData> files) {
    SortedRun run{.level = level, .files = std::move(files)};
    for (const rocksdb::SstFileMetaData& file : run.files) {
      run.bytes += static_cast<int64_t>(file.size);
      run.reference |= IsReference(file);
    }
    runs.push_back(std::move(run));
  };
  // A deeper level is older; within level 0 RocksDB has the newest file first.
  const rocksdb::ColumnFamilyMetaData data = MetaData();
  for (auto level = data.levels.rbegin(); level != data.levels.rend(); ++level) {
    if (level->level > 0 && !level->files.empty()) append(level->level, level->files);
    if (level->level > 0) continue;
    for (auto file = level->files.rbegin(); file != level->files.rend(); ++file) append(0, {*file});
  }
  return runs;
}

std::vector<StoreFileInfo> Store::Files() const {
  std::vector<StoreFileInfo> infos;
  for (const SortedRun& run : Runs()) {
    for (const rocksdb::SstFileMetaData& file : run.files) {
      infos.push_back({.name = file.relative_filename,
                       .bytes = static_cast<int64_t>(file.size),
                       .entries = static_cast<int64_t>(file.num_entries),
                       .first_row = RowText(row_order_, file.smallestkey),
                       .last_row = RowText(row_order_, file.largestkey),
                       .reference = IsReference(file)});
    }
  }
  return infos;
}

bool Store::HasReferences() const {
  const std::vector<SortedRun> runs = Runs();
  return std::any_of(runs.begin(), runs.end(), [](const SortedRun& run) { return run.reference; });
}

absl::Status Store::Alter(const FamilyDescriptor& family) {
  const bool files_change =
      family.compression != spec().family.compression || family.block_size_bytes != spec().family.block_size_bytes;
  // Numbers that the memstore may have from an earlier time with the attribute are known once a file has them.
  if (family.NewVersionBehavior() && !spec().family.NewVersionBehavior()) VAQUITA_RETURN_IF_ERROR(Flush());
  settings_->Alter(family);
  if (!files_change) return absl::OkStatus();
  return FromRocksDb(rocksdb()->SetOptions(handle_, AlterableOptions(family)), "alter store " + spec().name);
}

absl::StatusOr<std::string> Store::Midkey() const {
  rocksdb::SstFileMetaData largest;
  for (const SortedRun& run : Runs()) {
    for (const rocksdb::SstFileMetaData& file : run.files) {
      if (file.size > largest.size) largest = file;
    }
  }
  if (largest.size == 0) return std::string();
  VAQUITA_ASSIGN_OR_RETURN(const std::string stored, FindMidkey(rocksdb(), handle_, largest));
  if (!StoredRange(row_order_, spec().range).Contains(stored)) return std::string();
  std::string scratch;
  return std::string(RowOfStored(row_order_, stored, &scratch));
}

StoreFileProperties Store::FileProperties(const std::string& name) const {
  std::lock_guard lock(files_mutex_);
  const auto at = properties_.find(name);
  return at == properties_.end() ? StoreFileProperties() : at->second;
}

void Store::OnFlushCompleted(const rocksdb::FlushJobInfo& flush) {
  if (mark_ != nullptr) StoreMark::Raise(&mark_->flushed, flush.largest_seqno);
  const rocksdb::TableProperties& file = flush.table_properties;
  seeks_past_dead_ = 0;
  RefreshFiles();
  ReconcileMemstore();
  const auto bytes = static_cast<int64_t>(file.data_size + file.index_size + file.filter_size);
  database_->counters.AddFlush(bytes);
  const std::lock_guard lock(counters_mutex_);
  counters_.AddFlush(bytes);  // last, so that who sees it sees the rest
}

void Store::OnCompactionFailed(bool was_interrupted) {
  compacting_ = false;
  if (was_interrupted) return;
  ++counters_.failed_compactions;
  ++database_->counters.failed_compactions;
}

void Store::OnCompactionEnded(const CompactionResult& result) {
  compacting_ = false;
  RefreshFiles();
  // A major compaction that left no file left no record of its time either.
  if (result.major) last_major_ms_ = settings_->clock()->NowMs();
  database_->counters.AddCompaction(result.major, result.bytes_read, result.bytes_written);
  const std::lock_guard lock(counters_mutex_);
  compacted_files_read_ += result.files_read;
  dropped_ += result.dropped;
  counters_.AddCompaction(result.major, result.bytes_read, result.bytes_written);  // last, so that who sees it sees all
}

void Store::PrefetchParts() const {
  constexpr size_t kHandleBytes = 192;  // RocksDB hides it
  Prefetch(settings_.get(), sizeof(StoreSettings));
  Prefetch(handle_, kHandleBytes);
}

void Store::PrefetchSpec() const { Prefetch(&spec(), sizeof(StoreSpec)); }

absl::Status Store::Flush() {
  rocksdb::FlushOptions flush;
  flush.allow_write_stall = true;  // a flush ends the stall
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(rocksdb()->Flush(flush, handle_), "flush store " + spec().name));
  VAQUITA_RETURN_IF_ERROR(AwaitFiles());
  RefreshFiles();
  ReconcileMemstore();
  return absl::OkStatus();
}

// When several flushes end at the same time, RocksDB can report one as done before its list of files has the new file.
// An export or a split would then miss that file.
absl::Status Store::AwaitFiles() const {
  // The properties are of the current version, the list of files is of the one that readers have been given.
  while (true) {
    rocksdb::TablePropertiesCollection tables;
    VAQUITA_RETURN_IF_ERROR(
        FromRocksDb(rocksdb()->GetPropertiesOfAllTables(handle_, &tables), "flush store " + spec().name));
    size_t listed = 0;
    for (const auto& level : MetaData().levels) {
      for (const auto& file : level.files) listed += tables.count(file.directory + "/" + file.relative_filename);
    }
    if (listed == tables.size()) return absl::OkStatus();
    std::this_thread::yield();
  }
}

void Store::RefreshFiles() {
  std::lock_guard lock(files_mutex_);
  int64_t count = 0, bytes = 0;
  bool known = true;
  for (const SortedRun& run : Runs()) {
    count += static_cast<int64_t>(run.files.size());
    bytes += run.bytes;
    for (const auto& file : run.files) known &= properties_.contains(file.relative_filename);
  }
  file_count_ = count;
  file_bytes_ = bytes;
  if (known && properties_.size() == static_cast<size_t>(count)) return;

  rocksdb::TablePropertiesCollection tables;
  if (!rocksdb()->GetPropertiesOfAllTables(handle_, &tables).ok()) return;
  properties_.clear();
  for (const auto& [path, table] : tables) {
    const StoreFileProperties file = ReadStoreFileProperties(*table);
    if (file.major) last_major_ms_ = std::max(last_major_ms_.load(), file.created_ms);
    write_counter()->RaiseTo(MaxWriteNumber(*table));
    properties_.emplace(FileName(path), file);
  }
}

void Store::ReconcileMemstore() {
  uint64_t waiting = 0;
  if (rocksdb()->GetIntProperty(handle_, rocksdb::DB::Properties::kNumImmutableMemTable, &waiting)) {
    memstore_.Flushed(waiting);
  }
}

void Store::RecoverMemstore() {
  uint64_t cells = 0;
  if (!rocksdb()->GetIntProperty(handle_, rocksdb::DB::Properties::kNumEntriesActiveMemTable, &cells) || cells == 0)
    return;
  // RocksDB estimates the number of cells in a range, and their bytes from their mean size; only the mean is taken from
  // there.
  const std::string everything_below(1, '\xff');
  uint64_t sampled_cells = 0, sampled_bytes = 0;
  rocksdb()->GetApproximateMemTableStats(handle_, rocksdb::Range("", everything_below), &sampled_cells, &sampled_bytes);
  if (sampled_cells == 0) {
    // All rows begin with 0xff, or the memtable is one for exports, which makes no estimates.
    sampled_cells = cells;
    rocksdb()->GetIntProperty(handle_, rocksdb::DB::Properties::kCurSizeActiveMemTable, &sampled_bytes);
  }
  const double mean = static_cast<double>(sampled_bytes) / static_cast<double>(sampled_cells);
  memstore_.Add(static_cast<int64_t>(mean * static_cast<double>(cells)), static_cast<int64_t>(cells));
}

}  // namespace vaquita
