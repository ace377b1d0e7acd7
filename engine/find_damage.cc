#include "engine/find_damage.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/crc32c.h"
#include "engine/log_reader.h"
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

struct FilesInFolder {
  bool any = false;  // the folder has a database's file
  std::set<AppendedFile> appended;
};

absl::StatusOr<FilesInFolder> ListFiles(const std::string& database) {
  FilesInFolder files;
  std::error_code error;
  for (fs::directory_iterator it(database, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    AppendedFile file;
    const bool is_appended = ParseAppendedFile(name, &file);
    if (is_appended) files.appended.insert(file);
    files.any = files.any || is_appended || name == "CURRENT" || absl::EndsWith(name, ".sst");
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return absl::UnavailableError(absl::StrCat("list ", database, ": ", error.message()));
  }
  return files;
}

bool HasBytes(const std::string& path, int64_t offset, uint32_t bytes, uint32_t crc) {
  if (bytes == 0) return true;
  std::string text(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset);
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  return file.good() && Crc32c(text) == crc;
}

bool HeadFits(const std::string& path, const AppendMark& mark) {
  return HasBytes(path, 0, mark.head_bytes, mark.head_crc);
}
bool TailFits(const std::string& path, const AppendMark& mark) {
  return HasBytes(path, mark.whole_bytes - int64_t{mark.tail_bytes}, mark.tail_bytes, mark.tail_crc);
}

AppendMark MarkOf(const FoundMarks& marks, const AppendedFile& file) {
  const auto found = marks.files.find(file);
  return found == marks.files.end() ? AppendMark() : found->second;
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

// ---- the MANIFEST

class ManifestVisitor final : public LogVisitor {
 public:
  void Record(std::string_view, int64_t end) override {
    whole_bytes_ = end;
    if (bad_.has_value()) records_behind_ = true;
  }
  void Bad(const LogDamagePlace& place) override {
    if (!bad_.has_value()) bad_ = place;
  }

  // Returns the damage that is more than a torn tail behind the mark, or null.
  const LogDamagePlace* Damage(const AppendMark& mark) const {
    if (!bad_.has_value()) return nullptr;
    return records_behind_ || bad_->offset < mark.whole_bytes || whole_bytes_ == 0 ? &*bad_ : nullptr;
  }

 private:
  int64_t whole_bytes_ = 0;
  bool records_behind_ = false;
  std::optional<LogDamagePlace> bad_;
};

absl::Status CheckManifest(const std::string& database, const FilesInFolder& files, const FoundMarks& marks) {
  const auto unusable = [&](std::string_view what) {
    return absl::DataLossError(absl::StrCat("database ", database, " is damaged: ", AbslText(what)));
  };
  const auto current = ReadFile(database + "/CURRENT");
  if (!current.ok()) return unusable("CURRENT is missing or cannot be read, and other files are there");
  AppendedFile manifest;
  const bool names_one = current->ends_with('\n') &&
                         ParseAppendedFile(std::string_view(*current).substr(0, current->size() - 1), &manifest) &&
                         manifest.manifest;
  if (!names_one) return unusable("CURRENT is damaged: it does not name a MANIFEST");
  const std::string name = AppendedFileName(manifest);
  if (!files.appended.contains(manifest)) return unusable(name + ", which CURRENT names, is missing");
  const AppendMark mark = MarkOf(marks, manifest);
  ManifestVisitor visitor;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t bytes, ReadLog(database + "/" + name, &visitor));
  if (bytes < mark.whole_bytes) return unusable(Cut(manifest, bytes, mark));
  if (const LogDamagePlace* place = visitor.Damage(mark)) return unusable(DamagedAt(manifest, *place));
  if (bytes == 0) return unusable(name + " is empty");
  if (!HeadFits(database + "/" + name, mark) || !TailFits(database + "/" + name, mark))
    return unusable(name + " is not the file that was written here");
  return absl::OkStatus();
}

// ---- the logs

// Reads all logs, the oldest first, and puts together which sequence numbers are missing.
class LogsVisitor final : public LogVisitor {
 public:
  void BeginLog(const AppendedFile& log) {
    log_ = log;
    whole_bytes_ = 0;
    bad_.reset();
    // Writes that are missing at the end of the log before have numbers, too.
    log_sequence_ = has_open_gap() ? 0 : next_sequence_;
  }
  void Record(std::string_view record, int64_t end) override {
    if (record.size() < kBatchHeaderBytes) return Bad({end, "a record that is no write", false});
    if (bad_.has_value()) OpenGap(bad_->offset, DamagedAt(log_, *bad_), false);
    bad_.reset();
    const uint64_t sequence = LittleEndian(record.substr(0, 8));
    if (log_sequence_ == 0 && !has_open_gap()) log_sequence_ = sequence;
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
                     .log_sequence = log_sequence_,
                     .first_sequence = next_sequence_,
                     .foreign = foreign,
                     .what = std::move(what)});
  }
  bool has_open_gap() const { return !gaps_.empty() && gaps_.back().last_sequence == LogGap::kNoEnd; }
  void CloseGaps(uint64_t sequence) {
    for (LogGap& gap : gaps_) {
      if (gap.last_sequence == LogGap::kNoEnd) gap.last_sequence = sequence == 0 ? 0 : sequence - 1;
    }
  }

  AppendedFile log_;
  int64_t whole_bytes_ = 0;  // up to here all is whole
  std::optional<LogDamagePlace> bad_;
  uint64_t log_sequence_ = 0;
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
std::set<AppendedFile> AllLogs(const FilesInFolder& files, const FoundMarks& marks) {
  std::set<AppendedFile> logs;
  for (const AppendedFile& file : files.appended) {
    if (!file.manifest) logs.insert(file);
  }
  for (const auto& [file, mark] : marks.files) {
    if (!file.manifest && mark.whole_bytes > 0) logs.insert(file);
  }
  return logs;
}

uint64_t FlushedThrough(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) {
  uint64_t sequence = 0;
  ForEachLiveFile(db, handle, [&](const auto& file) { sequence = std::max(sequence, file.largest_seqno); });
  return sequence;
}

}  // namespace

absl::StatusOr<LogCheck> CheckLogs(const std::string& database) {
  LogCheck check;
  VAQUITA_ASSIGN_OR_RETURN(const FilesInFolder files, ListFiles(database));
  if (!files.any) return check;
  check.marks = AppendMarks::Read(database);
  VAQUITA_RETURN_IF_ERROR(CheckManifest(database, files, check.marks));
  LogsVisitor visitor;
  std::map<AppendedFile, AppendMark> whole;
  for (const AppendedFile& log : AllLogs(files, check.marks)) {
    const AppendMark mark = MarkOf(check.marks, log);
    const std::string path = database + "/" + AppendedFileName(log);
    if (!files.appended.contains(log)) {
      visitor.MissingLog(log);
      continue;
    }
    VAQUITA_ASSIGN_OR_RETURN(const bool foreign, IsForeign(path, mark));
    if (foreign) {
      visitor.ForeignLog(log);
      continue;
    }
    visitor.BeginLog(log);
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
  VAQUITA_ASSIGN_OR_RETURN(const OpenDatabase open, OpenToLook(database));
  std::map<std::string, std::string> stores;
  for (rocksdb::ColumnFamilyHandle* handle : open.handles) {
    if (handle->GetName() == rocksdb::kDefaultColumnFamilyName) continue;
    const auto mark = marks.stores.find(handle->GetID());
    const bool is_known = mark != marks.stores.end();
    uint64_t flushed = FlushedThrough(open.db.get(), handle);
    if (is_known) flushed = std::max(flushed, mark->second.flushed);
    for (const LogGap& gap : gaps) {
      const bool wrote_nothing_since = is_known && mark->second.last < gap.first_sequence;
      // A flush begins a new log: a store that flushed a write of this log or a later one has flushed all of this log.
      const bool flushed_log = gap.log_sequence > 0 && flushed >= gap.log_sequence;
      const bool has_flushed = flushed_log || (gap.last_sequence != LogGap::kNoEnd && flushed >= gap.last_sequence);
      if (!wrote_nothing_since && !has_flushed) stores.emplace(handle->GetName(), DescribeGap(gap));
    }
  }
  return stores;
}

absl::StatusOr<std::map<std::string, std::string>> StoresWithBadFiles(const std::string& database) {
  VAQUITA_ASSIGN_OR_RETURN(const OpenDatabase open, OpenToLook(database));
  std::map<std::string, std::string> stores;
  for (rocksdb::ColumnFamilyHandle* handle : open.handles) {
    ForEachLiveFile(open.db.get(), handle, [&](const rocksdb::SstFileMetaData& file) {
      uint64_t inode = 0;
      const absl::Status checked = CheckStoreFile(file, &inode);
      if (checked.ok()) return;
      std::string& why = stores[handle->GetName()];
      absl::StrAppend(&why, why.empty() ? "" : "; ", checked.message());
    });
  }
  return stores;
}

}  // namespace vaquita
