// engine/append_marks.h: remembers how far the logs of a database were written, even if the process is killed.
//
// A log that ends early looks like one that a crash cut short. So the file <database>/MARKS has, for each log and each
// MANIFEST, how many bytes hold whole records, and how many of them were synced; and for each store the sequence
// numbers of its last write and of its last flushed one, and a fingerprint of its name. The process that owns the
// database has the file mapped into its memory: a mark costs a few stores, and the kernel keeps it when the process is
// killed. After a restart of the machine only synced bytes count. A missing or half written mark says nothing.
//
// Threads: any, but Wrap's file system expects one writer for a file, as RocksDB has it. Disk: docs/formats.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "rocksdb/file_system.h"

namespace vaquita {

// The name of the file in a database's folder.
inline constexpr std::string_view kMarksFile = "MARKS";

// A file whose bytes are only ever appended: a log, or a MANIFEST.
struct AppendedFile {
  bool manifest = false;
  uint64_t number = 0;

  friend auto operator<=>(const AppendedFile&, const AppendedFile&) = default;
};

struct AppendMark {
  int64_t whole_bytes = 0;  // all records up to here were written whole
  // Checksums of a few bytes at the file's beginning, and of the last of those bytes: no other file has both.
  uint32_t head_crc = 0;
  uint32_t head_bytes = 0;  // 0: not known
  uint32_t tail_crc = 0;
  uint32_t tail_bytes = 0;
  bool is_synced = false;  // some of it was
};

// Sequence numbers of a store's writes.
struct StoreMark {
  std::atomic<uint64_t> last = 0;     // the last write
  std::atomic<uint64_t> flushed = 0;  // the last write that a flush wrote to a file

  // Raises the number to `sequence`.
  static void Raise(std::atomic<uint64_t>* number, uint64_t sequence);
};
struct StoreSequences {
  uint64_t last = 0;
  uint64_t flushed = 0;
};

// The marks that an ended process left.
struct FoundMarks {
  bool same_boot = false;   // the machine has run ever since: no written byte is lost
  bool other_boot = false;  // it was started again: any byte that was not synced may be lost, also of the marks
  std::map<AppendedFile, AppendMark> files;
  std::map<uint32_t, StoreSequences> stores;  // by column family; empty unless same_boot
  std::map<uint32_t, uint64_t> names;         // by column family: StoreFingerprint

  // Returns the file's mark; an empty one if it has none.
  AppendMark MarkOf(const AppendedFile& file) const {
    const auto found = files.find(file);
    return found == files.end() ? AppendMark() : found->second;
  }
};

// Returns a number that differs after every start of the machine; 0 if it is not known.
uint64_t BootId();

// Return whether the file at `path` begins, and goes on up to the mark, as it was written; true if nobody knows.
bool HeadFits(const std::string& path, const AppendMark& mark);
bool TailFits(const std::string& path, const AppendMark& mark);

// Returns a number that very probably differs for stores with different names.
uint64_t StoreFingerprint(std::string_view name);

// Parses the name alone of a log or a MANIFEST; false for other files.
bool ParseAppendedFile(std::string_view name, AppendedFile* file);
// "000012.log", "MANIFEST-000012".
std::string AppendedFileName(const AppendedFile& file);

class AppendMarks {
 public:
  AppendMarks() = default;
  ~AppendMarks();
  AppendMarks(const AppendMarks&) = delete;
  AppendMarks& operator=(const AppendMarks&) = delete;

  // Reads the marks in a database's folder. Returns none if the file is missing or its bytes are not marks.
  static FoundMarks Read(const std::string& database);

  // Begins to keep marks in a database's folder, starting with the `known` ones. REQUIRES: no other process has
  // it open.
  absl::Status Start(const std::string& database, const FoundMarks& known);

  // Returns a file system on top of `base` that marks what is appended through it. `this` outlives it.
  std::shared_ptr<rocksdb::FileSystem> Wrap(const std::shared_ptr<rocksdb::FileSystem>& base);

  // Returns the store's mark: the known one, or a new one whose last write is `last`. Null if there are too many
  // stores, or if Start failed.
  StoreMark* AddStore(uint32_t column_family, std::string_view name, uint64_t last);
  void RemoveStore(uint32_t column_family);

 private:
  class File;
  class MarkingFileSystem;
  struct Slot;
  struct Layout;

  Slot* AddFileLocked(const AppendedFile& file);
  size_t AddStoreLocked(uint32_t column_family, const StoreSequences& sequences, uint64_t name);
  void RemoveFile(const AppendedFile& file);

  std::mutex mutex_;
  Layout* layout_ = nullptr;
  std::map<AppendedFile, size_t> files_;
  std::vector<size_t> free_files_;
  std::unordered_map<uint32_t, size_t> stores_;
  std::vector<size_t> free_stores_;
};

}  // namespace vaquita
