#include "engine/salvage.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "engine/append_marks.h"
#include "engine/cells/cell_key.h"
#include "engine/damage_record.h"
#include "engine/find_damage.h"
#include "engine/log_reader.h"
#include "engine/rocksdb/store_file_properties.h"
#include "rocksdb/db.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/write_batch.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBatchHeader = 12;

// A store file, and who wrote it.
struct WrittenFile {
  std::string name;
  std::string store;
  uint32_t column_family = 0;
  int64_t created_ms = 0;
  std::unique_ptr<rocksdb::SstFileReader> reader;
  bool is_own = false;  // written in this database: the number is one of its own

  bool operator<(const WrittenFile& other) const {
    return std::tie(created_ms, name) < std::tie(other.created_ms, other.name);
  }
};

// The store files below the folder damage/: of stores that were taken out of the database.
absl::StatusOr<std::vector<std::string>> FilesSetApart(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator at(DamageFolder(folder), error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".sst") names.push_back(at->path().string().substr(folder.size() + 1));
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return absl::UnavailableError(absl::StrCat("list ", DamageFolder(folder), ": ", error.message()));
  }
  return names;
}

// The files that can be opened, in the order in which they were written; the others go to `*bad`.
absl::StatusOr<std::vector<WrittenFile>> OpenFiles(const std::string& folder, std::vector<std::string>* bad) {
  const auto identity = ReadFile(folder + "/IDENTITY");
  VAQUITA_ASSIGN_OR_RETURN(auto names, ListFolder(folder));
  std::erase_if(names, [](const std::string& name) { return !absl::EndsWith(name, ".sst"); });
  VAQUITA_ASSIGN_OR_RETURN(auto set_apart, FilesSetApart(folder));
  std::move(set_apart.begin(), set_apart.end(), std::back_inserter(names));
  std::vector<WrittenFile> files;
  for (const std::string& name : names) {
    auto reader = std::make_unique<rocksdb::SstFileReader>(rocksdb::Options());
    const rocksdb::Status opened = reader->Open(folder + "/" + name);
    const auto properties = opened.ok() ? reader->GetTableProperties() : nullptr;
    if (properties == nullptr || properties->column_family_name.empty()) {
      bad->push_back(absl::StrCat("store file ", name, " cannot be read: ", opened.ToString()));
      continue;
    }
    files.push_back({.name = name,
                     .store = properties->column_family_name,
                     .column_family = static_cast<uint32_t>(properties->column_family_id),
                     .created_ms = ReadStoreFileProperties(*properties).created_ms,
                     .reader = std::move(reader),
                     .is_own = identity.ok() && properties->db_id == *identity});
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Calls `visit(key, value)` with each entry of the file; an error of `visit` is returned in place of the file's.
template <typename Visit>
absl::Status ForEachEntry(const WrittenFile& file, Visit visit, std::vector<std::string>* bad) {
  rocksdb::ReadOptions read;
  read.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(file.reader->NewIterator(read));
  for (at->SeekToFirst(); at->Valid(); at->Next())
    VAQUITA_RETURN_IF_ERROR(visit(at->key().ToStringView(), at->value().ToStringView()));
  if (!at->status().ok()) {
    bad->push_back(absl::StrCat("store file ", file.name, " of ", file.store,
                                " cannot be read to its end: ", at->status().ToString()));
  }
  return absl::OkStatus();
}

// The new database would forget what is known to be lost.
absl::Status ReportKnownDamage(const std::string& folder, std::vector<std::string>* bad) {
  const auto record = DamageRecord::Load(folder);
  if (absl::IsDataLoss(record.status())) bad->push_back(std::string(record.status().message()));
  if (!record.ok()) return absl::IsDataLoss(record.status()) ? absl::OkStatus() : record.status();
  for (const auto& [name, store] : record->stores) {
    bad->push_back(absl::StrCat("store ", name, " had lost cells before: ", store.why));
  }
  return absl::OkStatus();
}

// Reads the writes of one log after the other.
class LogEntries : public LogVisitor, private rocksdb::WriteBatch::Handler {
 public:
  void Record(std::string_view record, int64_t) override {
    if (record.size() < kBatchHeader || !status_.ok()) return;
    rocksdb::WriteBatch(std::string(record)).Iterate(this).PermitUncheckedError();
  }
  void Bad(const LogDamagePlace&) override {}  // the check of the logs tells it
  const absl::Status& status() const { return status_; }

 protected:
  virtual absl::Status Put(uint32_t column_family, std::string_view key, std::string_view value) = 0;
  virtual void Remove(uint32_t column_family, std::string_view key) {}

 private:
  rocksdb::Status PutCF(uint32_t column_family, const rocksdb::Slice& key, const rocksdb::Slice& value) override {
    status_ = Put(column_family, key.ToStringView(), value.ToStringView());
    return status_.ok() ? rocksdb::Status::OK() : rocksdb::Status::Aborted();
  }
  rocksdb::Status DeleteCF(uint32_t column_family, const rocksdb::Slice& key) override {
    Remove(column_family, key.ToStringView());
    return rocksdb::Status::OK();
  }
  rocksdb::Status MarkNoop(bool) override { return rocksdb::Status::OK(); }
  void LogData(const rocksdb::Slice&) override {}

  absl::Status status_;
};

absl::Status ReadLogs(const std::string& folder, LogEntries* entries, size_t* logs, std::vector<std::string>* bad) {
  VAQUITA_ASSIGN_OR_RETURN(const LogCheck check, CheckLogs(folder));
  for (const LogGap& gap : check.gaps) bad->push_back(DescribeGap(gap));
  for (const auto& [log, mark] : check.marks.files) {  // all that are there and belong here, the oldest first
    ++*logs;
    VAQUITA_RETURN_IF_ERROR(ReadLog(folder + "/" + AppendedFileName(log), entries).status());
    VAQUITA_RETURN_IF_ERROR(entries->status());
  }
  return absl::OkStatus();
}

class NoteEntries final : public LogEntries {
 public:
  explicit NoteEntries(StoreDb::NoteMap* notes) : notes_(notes) {}

 private:
  absl::Status Put(uint32_t column_family, std::string_view key, std::string_view value) override {
    if (column_family == 0) (*notes_)[std::string(key)] = value;
    return absl::OkStatus();
  }
  void Remove(uint32_t column_family, std::string_view key) override {
    if (column_family == 0) notes_->erase(std::string(key));
  }

  StoreDb::NoteMap* const notes_;
};

class CellEntries final : public LogEntries {
 public:
  using Names = std::unordered_map<uint32_t, std::string>;
  CellEntries(Names names, const SalvageVisit& visit, SalvageReport* report)
      : names_(std::move(names)), visit_(visit), report_(*report) {}

  absl::Status Visit(std::string_view store, std::string_view key, std::string_view value) {
    CellKey cell;
    CellView view;
    if (!ParseCellKey(key, &scratch_, &cell).ok() || !ParseStoredValue(value, &view.value, &view.ttl_ms)) {
      return absl::OkStatus();  // no cell of ours
    }
    view.family = store.substr(store.find('/') + 1);
    view.row = cell.row;
    view.qualifier = cell.qualifier;
    view.timestamp_ms = cell.timestamp_ms;
    view.type = cell.type;
    ++report_.cells;
    return visit_(store, view);
  }

 private:
  absl::Status Put(uint32_t column_family, std::string_view key, std::string_view value) override {
    if (column_family == 0) return absl::OkStatus();
    const auto name = names_.find(column_family);
    if (name != names_.end()) return Visit(name->second, key, value);
    ++report_.nameless_cells;
    return absl::OkStatus();
  }

  const Names names_;
  const SalvageVisit& visit_;
  SalvageReport& report_;
  std::string scratch_;
};

// The marks say it best; a file that was written here says it of its own store.
CellEntries::Names NamesOfNumbers(const std::string& folder, const std::vector<std::string>& stores,
                                  const std::vector<WrittenFile>& files) {
  std::map<uint64_t, std::string> candidates;
  for (const std::string& store : stores) candidates[StoreFingerprint(store)] = store;
  for (const WrittenFile& file : files) candidates[StoreFingerprint(file.store)] = file.store;
  CellEntries::Names names;
  for (const auto& [column_family, fingerprint] : AppendMarks::Read(folder).names) {
    const auto found = candidates.find(fingerprint);
    if (found != candidates.end()) names[column_family] = found->second;
  }
  for (const WrittenFile& file : files) {
    if (file.is_own) names.emplace(file.column_family, file.store);
  }
  return names;
}

}  // namespace

absl::StatusOr<StoreDb::NoteMap> SalvageNotes(const std::string& folder) {
  StoreDb::NoteMap notes;
  std::vector<std::string> bad;  // told by who salvages the cells
  VAQUITA_ASSIGN_OR_RETURN(const auto files, OpenFiles(folder, &bad));
  for (const WrittenFile& file : files) {
    if (file.store != rocksdb::kDefaultColumnFamilyName || !file.is_own) continue;
    const auto visit = [&](std::string_view key, std::string_view value) {
      notes[std::string(key)] = value;
      return absl::OkStatus();
    };
    VAQUITA_RETURN_IF_ERROR(ForEachEntry(file, visit, &bad));
  }
  NoteEntries entries(&notes);
  size_t logs = 0;
  VAQUITA_RETURN_IF_ERROR(ReadLogs(folder, &entries, &logs, &bad));
  return notes;
}

absl::StatusOr<SalvageReport> SalvageCells(const std::string& folder, const std::vector<std::string>& stores,
                                           const SalvageVisit& visit) {
  SalvageReport report;
  VAQUITA_RETURN_IF_ERROR(ReportKnownDamage(folder, &report.bad));
  VAQUITA_ASSIGN_OR_RETURN(const auto files, OpenFiles(folder, &report.bad));
  CellEntries entries(NamesOfNumbers(folder, stores, files), visit, &report);
  for (const WrittenFile& file : files) {
    if (file.store == rocksdb::kDefaultColumnFamilyName) continue;
    ++report.store_files;
    const auto of_file = [&](std::string_view key, std::string_view value) {
      return entries.Visit(file.store, key, value);
    };
    VAQUITA_RETURN_IF_ERROR(ForEachEntry(file, of_file, &report.bad));
  }
  VAQUITA_RETURN_IF_ERROR(ReadLogs(folder, &entries, &report.logs, &report.bad));
  return report;
}

}  // namespace vaquita
