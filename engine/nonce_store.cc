#include "engine/nonce_store.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/scanner_group.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNonceBatchBytes = kMiB;
// RocksDB flushes the store at a few times this size.
constexpr int64_t kFlushBytes = 4 * kMiB;
constexpr const char* kFileName = "000001.sst";
// A cell of this row without a qualifier says when nonces were lost. It sorts before all others.
constexpr std::string_view kFirstRow("\0", 1);
constexpr const char* kLostNote = "nonces_lost_ms";

std::string QualifierOf(const Nonce& nonce) {
  std::string qualifier;
  AppendBigEndian(nonce.group, &qualifier);
  AppendBigEndian(nonce.value, &qualifier);
  return qualifier;
}

std::string PrefixOf(const TableName& table) { return table.ToString() + '\0'; }

std::string RowOf(const TableName& table, std::string_view row) {
  std::string nonce_row = PrefixOf(table);
  nonce_row += row;
  return nonce_row;
}

// Returns the rows that the nonces of the region have.
RowRange RowsOf(const RegionInfo& region) {
  const std::string prefix = PrefixOf(region.table);
  RowRange rows;
  rows.start = prefix + region.start_key;
  rows.stop = region.end_key.empty() ? region.table.ToString() + '\1' : prefix + region.end_key;
  return rows;
}

FamilyDescriptor Family() {
  FamilyDescriptor family;
  family.name = NonceStore::kFamily;
  family.ttl_seconds = static_cast<int32_t>(kNonceMs / 1000);
  return family;
}

// A file of cells in ascending order, as a store's.
class CellFile {
 public:
  explicit CellFile(std::string path) : path_(std::move(path)), writer_(rocksdb::EnvOptions(), Uncompressed()) {}

  absl::Status Add(const CellKey& key, std::string_view value) {
    if (cells_++ == 0) VAQUITA_RETURN_IF_ERROR(FromRocksDb(writer_.Open(path_), "write " + path_));
    key_.clear();
    AppendCellKey(key, &key_);
    value_.clear();
    AppendStoredValue(value, kNoTtl, &value_);
    return FromRocksDb(writer_.Put(key_, value_), "write " + path_);
  }
  bool empty() const { return cells_ == 0; }
  absl::Status Finish() { return FromRocksDb(writer_.Finish(), "write " + path_); }

 private:
  static rocksdb::Options Uncompressed() {
    rocksdb::Options options;
    options.compression = rocksdb::kNoCompression;
    return options;
  }

  const std::string path_;
  rocksdb::SstFileWriter writer_;
  std::string key_, value_;
  int64_t cells_ = 0;
};

}  // namespace

StoreSpec NonceStore::Spec() {
  return {.name = std::string(kName), .family = Family(), .range = {}, .memstore_flush_bytes = kFlushBytes};
}

StoreSpec NonceStore::FormerSpec(const RegionInfo& region) {
  return {.name = region.EncodedName() + "/" + std::string(kFamily), .family = Family(), .range = region.range()};
}

absl::Status NonceStore::Open() {
  VAQUITA_ASSIGN_OR_RETURN(const StoreDb::NoteMap notes, db_->Notes());
  const auto lost = notes.find(kLostNote);
  if (lost != notes.end()) lost_until_ms_ = std::strtoll(lost->second.c_str(), nullptr, 10) + kNonceMs;
  const absl::Status damage = db_->DamageOf(kName);
  if (!damage.ok()) {
    spdlog::error("the nonces of operations are lost: {}", damage.ToString());
    VAQUITA_RETURN_IF_ERROR(Lose(db_->clock()->NowMs()));
    const std::string damaged[] = {std::string(kName)};
    VAQUITA_RETURN_IF_ERROR(db_->Drop(damaged));
  }
  store_ = db_->Find(kName);
  ready_ = store_ != nullptr;
  return absl::OkStatus();
}

// It is noted, so that another start within half an hour knows it.
absl::Status NonceStore::Lose(int64_t when_ms) {
  if (lost_until_ms_ >= when_ms + kNonceMs) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(db_->PutNotes({{kLostNote, std::to_string(when_ms)}}));
  lost_until_ms_ = when_ms + kNonceMs;
  return absl::OkStatus();
}

absl::Status NonceStore::TakeFormer(std::span<const RegionOfTable> regions) {
  std::vector<std::string> former;
  StoreBatch batch;
  for (const RegionOfTable& region : regions) {
    std::string name = FormerSpec(region.info).name;
    const bool is_damaged = !db_->DamageOf(name).ok();
    if (is_damaged) VAQUITA_RETURN_IF_ERROR(Lose(db_->clock()->NowMs()));
    const auto store = db_->Find(name);
    if (store == nullptr && !is_damaged) continue;
    if (store != nullptr) VAQUITA_RETURN_IF_ERROR(CopyFormer(region.info, store, &batch));
    former.push_back(std::move(name));
  }
  if (former.empty()) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(db_->Write(&batch, Durability::kFsyncWal));
  VAQUITA_RETURN_IF_ERROR(db_->Drop(former));
  spdlog::info("the nonces of {} regions are now in one store", former.size());
  return absl::OkStatus();
}

// Writes what `batch` cannot hold. The last batch is the caller's to write.
absl::Status NonceStore::CopyFormer(const RegionInfo& region, const std::shared_ptr<Store>& store, StoreBatch* batch) {
  VAQUITA_RETURN_IF_ERROR(Ready());
  StoreScanOptions read;
  read.now_ms = db_->clock()->NowMs();
  ScannerGroup scanners;
  const auto bounds = BoundsOfRows(RowOrder::kBytes, region.range(), /*reversed=*/false);
  VAQUITA_RETURN_IF_ERROR(scanners.Open(*db_, {&store, 1}, bounds, {std::move(read)}));
  CellView cell;
  for (; scanners[0].Valid(); scanners[0].NextRow()) {
    while (scanners[0].NextCell(&cell)) {
      batch->Add(*store_, RowOf(region.table, cell.row), cell.qualifier, cell.timestamp_ms, cell.type, cell.value);
      if (batch->bytes() < kNonceBatchBytes) continue;
      VAQUITA_RETURN_IF_ERROR(db_->Write(batch, Durability::kFsyncWal));
      batch->Clear();
    }
  }
  return scanners.status();
}

absl::Status NonceStore::Ready(const CallContext& context) {
  if (ready_.load(std::memory_order_acquire)) return absl::OkStatus();
  if (context.short_waits) return WouldWait();
  std::lock_guard lock(making_);
  if (ready_) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(auto made, db_->Create({Spec()}));
  std::lock_guard publish(mutex_);
  store_ = std::move(made.front());
  ready_.store(true, std::memory_order_release);
  return absl::OkStatus();
}

void NonceStore::Add(const TableName& table, std::string_view row, const Nonce& nonce, int64_t now_ms,
                     int64_t newest_ms, StoreBatch* batch) const {
  std::string value;
  AppendBigEndian(static_cast<uint64_t>(newest_ms), &value);
  batch->Add(*store_, RowOf(table, row), QualifierOf(nonce), now_ms, CellType::kPut, value);
}

absl::StatusOr<std::optional<int64_t>> NonceStore::Find(const TableName& table, std::string_view row,
                                                        const Nonce& nonce) const {
  const int64_t now_ms = db_->clock()->NowMs();
  if (now_ms < lost_until_ms_) {
    return Error(ErrorKind::kCorruptHFile,
                 absl::StrCat("damaged files had the nonces of operations, so it is not known whether this one was "
                              "done before; it can be done in ",
                              (lost_until_ms_ - now_ms) / 1000 + 1, " s"));
  }
  if (!ready_.load(std::memory_order_acquire)) return std::nullopt;
  StoreScanOptions read;
  read.query.qualifiers = {QualifierOf(nonce)};
  read.now_ms = now_ms;
  ScannerGroup scanners;
  const auto bounds = BoundsOfRow(RowOrder::kBytes, RowOf(table, row));
  VAQUITA_RETURN_IF_ERROR(scanners.Open(*db_, {&store_, 1}, bounds, {std::move(read)}));
  CellView cell;
  if (!scanners[0].Valid() || !scanners[0].NextCell(&cell)) {
    VAQUITA_RETURN_IF_ERROR(scanners.status());
    return std::nullopt;
  }
  if (cell.value.size() != sizeof(uint64_t)) {
    return Error(ErrorKind::kCorruptHFile, absl::StrCat("read store ", std::string(kName), ": a nonce has ",
                                                        cell.value.size(), " bytes instead of ", sizeof(uint64_t)));
  }
  return static_cast<int64_t>(GetBigEndian<uint64_t>(cell.value.data()));
}

absl::StatusOr<std::vector<ExportedFile>> NonceStore::Export(const RegionInfo& region,
                                                             const std::string& folder) const {
  const auto store = this->store();
  const int64_t now_ms = db_->clock()->NowMs();
  const bool are_lost = now_ms < lost_until_ms_;
  std::vector<ExportedFile> files;
  if (store == nullptr && !are_lost) return files;
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) return absl::UnavailableError(absl::StrCat("create ", folder, ": ", error.message()));
  const std::string path = folder + "/" + kFileName;
  CellFile file(path);
  if (are_lost) VAQUITA_RETURN_IF_ERROR(file.Add({.row = kFirstRow, .timestamp_ms = lost_until_ms_ - kNonceMs}, ""));
  if (store != nullptr) {
    const size_t prefix = PrefixOf(region.table).size();
    StoreScanOptions read;
    read.now_ms = now_ms;
    ScannerGroup scanners;
    const auto bounds = BoundsOfRows(RowOrder::kBytes, RowsOf(region), /*reversed=*/false);
    VAQUITA_RETURN_IF_ERROR(scanners.Open(*db_, {&store, 1}, bounds, {std::move(read)}));
    CellView cell;
    for (; scanners[0].Valid(); scanners[0].NextRow()) {
      while (scanners[0].NextCell(&cell)) {
        VAQUITA_RETURN_IF_ERROR(
            file.Add({cell.row.substr(prefix), cell.qualifier, cell.timestamp_ms, cell.type}, cell.value));
      }
    }
    VAQUITA_RETURN_IF_ERROR(scanners.status());
  }
  if (file.empty()) {
    fs::remove(folder, error);
    return files;
  }
  VAQUITA_RETURN_IF_ERROR(file.Finish());
  const auto bytes = fs::file_size(path, error);
  if (error) return absl::UnavailableError(absl::StrCat("read ", path, ": ", error.message()));
  files.push_back({.name = kFileName, .bytes = static_cast<int64_t>(bytes)});
  return files;
}

absl::Status NonceStore::Import(const RegionInfo& region, const std::string& folder,
                                const std::vector<ExportedFile>& files) {
  if (files.empty()) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(Ready());
  const int64_t forgotten_ms = db_->clock()->NowMs() - kNonceMs;
  StoreBatch batch;
  for (const ExportedFile& file : files) {
    const std::string path = folder + "/" + file.name;
    rocksdb::SstFileReader reader{rocksdb::Options()};
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(reader.Open(path), "read " + path));
    const std::unique_ptr<rocksdb::Iterator> at(reader.NewIterator(rocksdb::ReadOptions()));
    std::string scratch;
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      CellKey key;
      std::string_view value;
      int64_t ttl_ms = kNoTtl;
      VAQUITA_RETURN_IF_ERROR(Annotate(ParseCellKey(at->key().ToStringView(), &scratch, &key), "read " + path));
      if (!ParseStoredValue(at->value().ToStringView(), &value, &ttl_ms)) {
        return Error(ErrorKind::kCorruptHFile, "read " + path + ": a nonce has no value");
      }
      if (key.qualifier.empty()) {
        VAQUITA_RETURN_IF_ERROR(Lose(key.timestamp_ms));
        continue;
      }
      if (key.timestamp_ms <= forgotten_ms || !region.ContainsRow(key.row)) continue;
      batch.Add(*store_, RowOf(region.table, key.row), key.qualifier, key.timestamp_ms, key.type, value);
      if (batch.bytes() < kNonceBatchBytes) continue;
      VAQUITA_RETURN_IF_ERROR(db_->Write(&batch, Durability::kFsyncWal));
      batch.Clear();
    }
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(at->status(), "read " + path));
  }
  return db_->Write(&batch, Durability::kFsyncWal);
}

std::shared_ptr<Store> NonceStore::store() const {
  std::lock_guard lock(mutex_);
  return store_;
}

}  // namespace vaquita
