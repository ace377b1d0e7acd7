#include "engine/find_damage.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/log_reader.h"
#include "engine/needed_logs.h"
#include "engine/tolerant_open.h"
#include "rocksdb/write_batch.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBatchHeaderBytes = 12;  // the sequence number (8), the number of cells (4), little-endian

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

absl::StatusOr<std::set<AppendedFile>> ListLogs(const std::string& database) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(database));
  std::set<AppendedFile> logs;
  for (const std::string& name : names) {
    AppendedFile file;
    if (ParseAppendedFile(name, &file) && !file.manifest) logs.insert(file);
  }
  return logs;
}

// Returns the file's mark when other bytes of it turned out to be whole.
AppendMark Shortened(AppendMark mark, int64_t whole_bytes) {
  if (mark.whole_bytes != whole_bytes) mark.tail_bytes = 0;
  mark.whole_bytes = whole_bytes;
  return mark;
}

std::string DamagedAt(const AppendedFile& file, const LogDamagePlace& place) {
  return absl::StrCat(AppendedFileName(file), " is damaged at byte ", place.offset, ": ", place.what);
}

std::string Cut(const AppendedFile& file, int64_t bytes, const AppendMark& mark) {
  return absl::StrCat(AppendedFileName(file), " has ", bytes, " bytes instead of ", mark.whole_bytes);
}

// ---- the logs

// Reads all logs, the oldest first, and puts together which sequence numbers are missing.
class LogsVisitor final : public LogVisitor {
 public:
  // `promised_bytes`: so many bytes of the log must be there. Unless it is known, a bad record before whole ones is
  // damage.
  void BeginLog(const AppendedFile& log, std::optional<int64_t> promised_bytes = std::nullopt) {
    log_ = log;
    promised_bytes_ = promised_bytes;
    whole_bytes_ = 0;
    bad_.reset();
  }
  void Record(std::string_view record, int64_t end) override {
    if (record.size() < kBatchHeaderBytes) return Bad({end, "a record that is not a write", false});
    // A power cut may take any of the bytes that were not synced. RocksDB replays none behind the first that is
    // missing.
    if (bad_.has_value() && promised_bytes_.has_value() && bad_->offset >= *promised_bytes_) return;
    if (bad_.has_value()) OpenGap(bad_->offset, DamagedAt(log_, *bad_), false);
    bad_.reset();
    const uint64_t sequence = LittleEndian(record.substr(0, 8));
    CloseGaps(sequence);
    next_sequence_ = std::max(next_sequence_, sequence + LittleEndian(record.substr(8, 4)));
    whole_bytes_ = end;
  }
  void Bad(const LogDamagePlace& place) override {
    if (!bad_.has_value()) bad_ = place;
  }
  void EndLog(int64_t bytes, const AppendMark& mark) {
    // A torn tail behind the mark was acknowledged to nobody.
    if (bytes < mark.whole_bytes) {
      OpenGap(bytes, Cut(log_, bytes, mark), false);
    } else if (bad_.has_value() && bad_->offset < mark.whole_bytes) {
      OpenGap(bad_->offset, DamagedAt(log_, *bad_), false);
    }
  }
  void MissingLog(const AppendedFile& log) {
    BeginLog(log);
    OpenGap(0, AppendedFileName(log) + " is missing", false);
  }
  void ForeignLog(const AppendedFile& log) {
    BeginLog(log);
    OpenGap(0, AppendedFileName(log) + " is not the file that was written here", true);
  }
  int64_t whole_bytes() const { return whole_bytes_; }
  std::vector<LogGap> TakeGaps() { return std::move(gaps_); }

 private:
  void OpenGap(int64_t offset, std::string what, bool foreign) {
    gaps_.push_back({.log = log_.number,
                     .offset = offset,
                     .first_sequence = next_sequence_,
                     .foreign = foreign,
                     .what = std::move(what)});
  }
  void CloseGaps(uint64_t sequence) {
    for (LogGap& gap : gaps_) {
      if (gap.last_sequence == LogGap::kNoEnd) gap.last_sequence = sequence == 0 ? 0 : sequence - 1;
    }
  }

  AppendedFile log_;
  std::optional<int64_t> promised_bytes_;
  int64_t whole_bytes_ = 0;  // up to here all is whole
  std::optional<LogDamagePlace> bad_;
  uint64_t next_sequence_ = 0;
  std::vector<LogGap> gaps_;
};

class FirstRecordVisitor final : public LogVisitor {
 public:
  void Record(std::string_view, int64_t) override {
    whole_ = whole_ || !seen_;
    seen_ = true;
  }
  void Bad(const LogDamagePlace&) override { seen_ = true; }
  bool is_whole() const { return whole_; }

 private:
  bool seen_ = false;
  bool whole_ = false;
};

// Finds the newest timestamp in the last write before the gap.
class TimestampFinder final : public LogVisitor, private rocksdb::WriteBatch::Handler {
 public:
  explicit TimestampFinder(uint64_t before_sequence) : before_(before_sequence) {}
  void Record(std::string_view record, int64_t) override {
    if (record.size() < kBatchHeaderBytes || LittleEndian(record.substr(0, 8)) >= before_) return;
    newest_ms_ = 0;
    rocksdb::WriteBatch(std::string(record)).Iterate(this).PermitUncheckedError();  // it may stop at what is no cell
  }
  void Bad(const LogDamagePlace&) override {}
  int64_t newest_ms() const { return newest_ms_; }

 private:
  rocksdb::Status PutCF(uint32_t column_family, const rocksdb::Slice& key, const rocksdb::Slice&) override {
    if (column_family != 0 && key.size() > kKeySuffixLength) {
      newest_ms_ = std::max(newest_ms_, KeyTimestamp({key.data(), key.size()}));
    }
    return rocksdb::Status::OK();
  }
  void LogData(const rocksdb::Slice&) override {}

  const uint64_t before_;
  int64_t newest_ms_ = 0;
};

void FindWhen(const std::string& database, LogGap* gap) {
  TimestampFinder finder(gap->first_sequence);
  const auto read = ReadLog(database + "/" + AppendedFileName({false, gap->log}), &finder);
  if (read.ok() && !gap->foreign) gap->since_ms = finder.newest_ms();
}

// Says whether a log is whole, but begins otherwise than what was written here. A damaged beginning is no whole record.
absl::StatusOr<bool> IsForeign(const std::string& path, const AppendMark& mark) {
  if (HeadFits(path, mark)) return false;
  FirstRecordVisitor first;
  VAQUITA_RETURN_IF_ERROR(ReadLog(path, &first).status());
  return first.is_whole();
}

// Every log that is there or that was there, the oldest first.
std::set<AppendedFile> AllLogs(std::set<AppendedFile> logs, const FoundMarks& marks) {
  for (const auto& [file, mark] : marks.files) {
    if (!file.manifest && mark.whole_bytes > 0) logs.insert(file);
  }
  return logs;
}

// Forgets marks of logs that were deleted before the machine stopped: nobody knows when it wrote the marks to the disk.
// All logs are needed if the database cannot be opened.
void ForgetDeletedLogs(const std::string& database, const std::set<AppendedFile>& present, FoundMarks* marks) {
  const auto is_missing = [&](const auto& mark) { return !mark.first.manifest && !present.contains(mark.first); };
  if (marks->same_boot || std::none_of(marks->files.begin(), marks->files.end(), is_missing)) return;
  const auto open = OpenToLook(database);
  uint64_t needed = 0;
  if (!open.ok() || !open->db->GetIntProperty(rocksdb::DB::Properties::kMinLogNumberToKeep, &needed)) return;
  std::erase_if(marks->files, [&](const auto& mark) { return is_missing(mark) && mark.first.number < needed; });
}

uint64_t FlushedThrough(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) {
  uint64_t sequence = 0;
  ForEachLiveFile(db, handle, [&](const auto& file, int32_t) { sequence = std::max(sequence, file.largest_seqno); });
  return sequence;
}

}  // namespace

absl::StatusOr<LogCheck> CheckLogs(const std::string& database) {
  LogCheck check;
  if (!HasDatabase(database)) return check;
  VAQUITA_ASSIGN_OR_RETURN(const std::set<AppendedFile> present, ListLogs(database));
  check.marks = AppendMarks::Read(database);
  VAQUITA_ASSIGN_OR_RETURN(check.manifest, CheckManifest(database, check.marks));
  if (check.manifest.damage.empty()) ForgetDeletedLogs(database, present, &check.marks);
  LogsVisitor visitor;
  std::map<AppendedFile, AppendMark> whole;
  for (const AppendedFile& log : AllLogs(present, check.marks)) {
    const AppendMark mark = check.marks.MarkOf(log);
    const std::string path = database + "/" + AppendedFileName(log);
    if (!present.contains(log)) {
      visitor.MissingLog(log);
      continue;
    }
    VAQUITA_ASSIGN_OR_RETURN(const bool foreign, IsForeign(path, mark));
    if (foreign) {
      visitor.ForeignLog(log);
      continue;
    }
    const bool is_known = check.marks.files.contains(log) || check.marks.other_boot;
    visitor.BeginLog(log, is_known ? std::optional(mark.whole_bytes) : std::nullopt);
    VAQUITA_ASSIGN_OR_RETURN(const int64_t bytes, ReadLog(path, &visitor));
    visitor.EndLog(bytes, mark);
    whole[log] = Shortened(mark, visitor.whole_bytes());
  }
  check.gaps = visitor.TakeGaps();
  for (LogGap& gap : check.gaps) FindWhen(database, &gap);
  check.marks.files = std::move(whole);
  return check;
}

absl::StatusOr<std::map<std::string, std::string>> StoresWithLostCells(const std::string& database,
                                                                       const std::vector<LogGap>& gaps,
                                                                       const FoundMarks& marks) {
  VAQUITA_ASSIGN_OR_RETURN(const NeededLogs needed_logs, ReadNeededLogs(database));
  VAQUITA_ASSIGN_OR_RETURN(const OpenDatabase open, OpenToLook(database));
  std::map<std::string, std::string> stores;
  for (rocksdb::ColumnFamilyHandle* handle : open.handles) {
    if (handle->GetName() == rocksdb::kDefaultColumnFamilyName) continue;
    const auto needed = needed_logs.find(handle->GetID());
    const auto mark = marks.stores.find(handle->GetID());
    const bool is_known = mark != marks.stores.end();
    uint64_t flushed = FlushedThrough(open.db.get(), handle);
    if (is_known) flushed = std::max(flushed, mark->second.flushed);
    for (const LogGap& gap : gaps) {
      const bool wrote_nothing_since = is_known && mark->second.last < gap.first_sequence;
      const bool flushed_log = needed != needed_logs.end() && needed->second > gap.log;
      // The files that it was made of may have numbers of another database; what it wrote since has higher ones.
      const bool has_flushed = flushed_log || (gap.last_sequence != LogGap::kNoEnd && flushed >= gap.last_sequence);
      if (!wrote_nothing_since && !has_flushed) stores.emplace(handle->GetName(), DescribeGap(gap));
    }
  }
  return stores;
}

absl::StatusOr<std::map<std::string, std::string>> StoresWithBadFiles(const std::string& database) {
  VAQUITA_ASSIGN_OR_RETURN(const OpenDatabase open, OpenToLook(database));
  std::map<std::string, std::string> stores;
  absl::Status read;
  for (rocksdb::ColumnFamilyHandle* handle : open.handles) {
    ForEachLiveFile(open.db.get(), handle, [&](const rocksdb::SstFileMetaData& file, int32_t) {
      uint64_t inode = 0;
      const absl::Status checked = CheckStoreFile(file, &inode);
      if (absl::IsUnavailable(checked)) read.Update(checked);
      if (!absl::IsDataLoss(checked)) return;
      std::string& why = stores[handle->GetName()];
      absl::StrAppend(&why, why.empty() ? "" : "; ", checked.message());
    });
  }
  VAQUITA_RETURN_IF_ERROR(read);
  return stores;
}

}  // namespace vaquita
