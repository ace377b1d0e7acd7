#include "engine/append_marks.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/disk_stand_in.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "base/whole_number.h"
#include "engine/crc32c.h"

namespace vaquita {
namespace {

constexpr size_t kFileSlots = 2048;
constexpr size_t kStoreSlots = 8192;
constexpr size_t kPageBytes = 4096;  // the kernel writes so many at once
constexpr size_t kEndBytes = 64;     // a head or a tail has at most so many
constexpr char kMagic[8] = {'V', 'Q', 'M', 'A', 'R', 'K', 'S', '2'};
constexpr uint64_t kManifestBit = uint64_t{1} << 63;

std::string MarksPath(const std::string& database) { return absl::StrCat(database, "/", AbslText(kMarksFile)); }

uint64_t Key(const AppendedFile& file) { return (file.number + 1) | (file.manifest ? kManifestBit : 0); }
AppendedFile FileOf(uint64_t key) { return {(key & kManifestBit) != 0, (key & ~kManifestBit) - 1}; }

bool HasBytes(const std::string& path, int64_t offset, uint32_t bytes, uint32_t crc) {
  if (bytes == 0) return true;
  std::string text(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset);
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  return file.good() && Crc32c(text) == crc;
}

}  // namespace

struct AppendMarks::Slot {
  std::atomic<uint64_t> key;  // 0: free
  std::atomic<uint64_t> whole_bytes;
  std::atomic<uint64_t> synced_bytes;
  std::atomic<uint32_t> head_crc;
  std::atomic<uint32_t> tail_crc;
  std::atomic<uint8_t> head_bytes;
  std::atomic<uint8_t> tail_bytes;
  std::atomic<uint32_t> check;  // checksum of the fields above

  uint32_t Check() const {
    const uint64_t words[] = {key, whole_bytes, synced_bytes, uint64_t{head_crc} << 32 | tail_crc,
                              uint64_t{head_bytes} << 8 | tail_bytes};
    return ~Crc32c({reinterpret_cast<const char*>(words), sizeof words});
  }
  void Set(const AppendMark& mark, uint64_t synced) {
    whole_bytes.store(static_cast<uint64_t>(mark.whole_bytes), std::memory_order_relaxed);
    synced_bytes.store(synced, std::memory_order_relaxed);
    head_crc.store(mark.head_crc, std::memory_order_relaxed);
    head_bytes.store(static_cast<uint8_t>(mark.head_bytes), std::memory_order_relaxed);
    tail_crc.store(mark.tail_crc, std::memory_order_relaxed);
    tail_bytes.store(static_cast<uint8_t>(mark.tail_bytes), std::memory_order_relaxed);
    check.store(Check(), std::memory_order_relaxed);
  }
  bool valid() const { return key != 0 && check == Check(); }
  // Only the synced bytes count after a restart of the machine.
  AppendMark Get(bool same_boot) const {
    AppendMark mark{.whole_bytes = static_cast<int64_t>(same_boot ? whole_bytes : synced_bytes)};
    mark.is_synced = synced_bytes > 0;
    if (mark.whole_bytes == 0) return mark;
    mark.head_crc = head_crc;
    mark.head_bytes = head_bytes;
    if (static_cast<uint64_t>(mark.whole_bytes) != whole_bytes) return mark;
    mark.tail_crc = tail_crc;
    mark.tail_bytes = tail_bytes;
    return mark;
  }
};

struct AppendMarks::Layout {
  struct StoreSlot {
    std::atomic<uint64_t> column_family;  // plus 1; 0: free
    StoreMark mark;
    std::atomic<uint64_t> name;  // StoreFingerprint; 0: not known
  };

  char magic[8];
  std::atomic<uint64_t> boot_id;
  char unused[48];
  Slot files[kFileSlots];
  StoreSlot stores[kStoreSlots];
};

uint64_t BootId() {
  const auto id = ReadFile("/proc/sys/kernel/random/boot_id");
  if (!id.ok() || id->size() < 16) return 0;
  return StoreFingerprint(*id) + DiskStandIn::power_cuts();
}

FoundMarks AppendMarks::Read(const std::string& database) {
  FoundMarks found;
  const auto bytes = ReadFile(MarksPath(database));
  // The machine stopped before the kernel had written the beginning of new marks.
  found.other_boot = bytes.ok() && bytes->find_first_not_of('\0') >= std::min(bytes->size(), kPageBytes);
  if (!bytes.ok() || bytes->size() != sizeof(Layout) || std::memcmp(bytes->data(), kMagic, sizeof kMagic) != 0) {
    return found;
  }
  // The bytes in memory that is aligned as the marks are.
  const auto storage = std::make_unique<std::atomic<uint64_t>[]>(sizeof(Layout) / sizeof(uint64_t));
  std::memcpy(static_cast<void*>(storage.get()), bytes->data(), sizeof(Layout));
  const auto* const layout = reinterpret_cast<const Layout*>(storage.get());
  const uint64_t boot_id = BootId();
  found.same_boot = boot_id != 0 && layout->boot_id == boot_id;
  found.other_boot = boot_id != 0 && layout->boot_id != boot_id;
  for (const Slot& slot : layout->files) {
    if (slot.valid()) found.files[FileOf(slot.key)] = slot.Get(found.same_boot);
  }
  for (const Layout::StoreSlot& store : layout->stores) {
    if (store.column_family == 0) continue;
    const auto column_family = static_cast<uint32_t>(store.column_family - 1);
    if (found.same_boot) found.stores[column_family] = {store.mark.last, store.mark.flushed};
    if (store.name != 0) found.names[column_family] = store.name;
  }
  return found;
}

uint64_t StoreFingerprint(std::string_view name) {
  return uint64_t{Crc32c(name)} << 32 | Crc32c(name.substr(std::min<size_t>(1, name.size()))) | 1;
}

bool HeadFits(const std::string& path, const AppendMark& mark) {
  return HasBytes(path, 0, mark.head_bytes, mark.head_crc);
}
bool TailFits(const std::string& path, const AppendMark& mark) {
  return HasBytes(path, mark.whole_bytes - int64_t{mark.tail_bytes}, mark.tail_bytes, mark.tail_crc);
}

bool ParseAppendedFile(std::string_view name, AppendedFile* file) {
  constexpr std::string_view kManifest = "MANIFEST-", kLog = ".log";
  file->manifest = name.starts_with(kManifest);
  if (file->manifest) {
    name.remove_prefix(kManifest.size());
  } else if (name.ends_with(kLog)) {
    name.remove_suffix(kLog.size());
  } else {
    return false;
  }
  return ReadWholeNumber(name, &file->number);
}

std::string AppendedFileName(const AppendedFile& file) {
  std::string number = absl::StrCat(file.number);
  if (number.size() < 6) number.insert(0, 6 - number.size(), '0');
  return file.manifest ? "MANIFEST-" + number : number + ".log";
}

absl::Status AppendMarks::Start(const std::string& database, const FoundMarks& known) {
  const std::string path = MarksPath(database);
  // A new file, so that the one of an earlier life stays whole until this one is.
  const std::string draft = path + ".new";
  const int fd = open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  // Allocated, not sparse: a store into a page that the full disk has no room for would end the process.
  int error = fd < 0 ? errno : posix_fallocate(fd, 0, sizeof(Layout));
  void* mapped = MAP_FAILED;
  if (error == 0) {
    mapped = mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) error = errno;
  }
  if (fd >= 0) close(fd);
  if (error != 0) return absl::UnavailableError(absl::StrCat("create ", draft, ": ", std::strerror(error)));

  std::lock_guard lock(mutex_);
  layout_ = static_cast<Layout*>(mapped);
  for (size_t i = kFileSlots; i > 0; --i) free_files_.push_back(i - 1);
  for (size_t i = kStoreSlots; i > 0; --i) free_stores_.push_back(i - 1);
  for (const auto& [file, mark] : known.files) {
    Slot* const slot = AddFileLocked(file);
    if (slot != nullptr) slot->Set(mark, static_cast<uint64_t>(mark.whole_bytes));
  }
  for (const auto& [column_family, sequences] : known.stores) AddStoreLocked(column_family, sequences, 0);
  layout_->boot_id = BootId();
  std::memcpy(layout_->magic, kMagic, sizeof kMagic);
  VAQUITA_RETURN_IF_ERROR(RenamePath(draft, path));
  if (DiskStandIn* const disk = DiskStandIn::Of(path)) disk->NoteMapped(path);
  return absl::OkStatus();
}

AppendMarks::~AppendMarks() {
  if (layout_ != nullptr) munmap(layout_, sizeof(Layout));
}

AppendMarks::Slot* AppendMarks::AddFileLocked(const AppendedFile& file) {
  if (layout_ == nullptr || free_files_.empty()) return nullptr;
  const size_t at = free_files_.back();
  free_files_.pop_back();
  files_[file] = at;
  Slot& slot = layout_->files[at];
  slot.check = slot.Check() + 1;  // not valid until it is set
  slot.key = Key(file);
  return &slot;
}

void AppendMarks::RemoveFile(const AppendedFile& file) {
  std::lock_guard lock(mutex_);
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  layout_->files[found->second].key = 0;
  free_files_.push_back(found->second);
  files_.erase(found);
}

StoreMark* AppendMarks::AddStore(uint32_t column_family, std::string_view name, uint64_t last) {
  std::lock_guard lock(mutex_);
  const auto found = stores_.find(column_family);
  if (found == stores_.end()) {
    if (layout_ == nullptr || free_stores_.empty()) return nullptr;
    return &layout_->stores[AddStoreLocked(column_family, {.last = last}, StoreFingerprint(name))].mark;
  }
  layout_->stores[found->second].name = StoreFingerprint(name);
  return &layout_->stores[found->second].mark;
}

// REQUIRES: a slot is free.
size_t AppendMarks::AddStoreLocked(uint32_t column_family, const StoreSequences& sequences, uint64_t name) {
  const size_t at = free_stores_.back();
  free_stores_.pop_back();
  stores_[column_family] = at;
  Layout::StoreSlot& slot = layout_->stores[at];
  slot.mark.last = sequences.last;
  slot.mark.flushed = sequences.flushed;
  slot.name = name;
  slot.column_family = uint64_t{column_family} + 1;
  return at;
}

void AppendMarks::RemoveStore(uint32_t column_family) {
  std::lock_guard lock(mutex_);
  const auto found = stores_.find(column_family);
  if (found == stores_.end()) return;
  layout_->stores[found->second].column_family = 0;
  free_stores_.push_back(found->second);
  stores_.erase(found);
}

void StoreMark::Raise(std::atomic<uint64_t>* number, uint64_t sequence) {
  uint64_t before = number->load(std::memory_order_relaxed);
  while (before < sequence && !number->compare_exchange_weak(before, sequence, std::memory_order_relaxed)) {
  }
}

// Marks what is appended to one file. RocksDB flushes a log after each record. Threads: one appends and flushes while
// another one syncs (engine/rocksdb/delayed_syncs.h).
class AppendMarks::File final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  File(std::unique_ptr<rocksdb::FSWritableFile>&& file, Slot* slot)
      : FSWritableFileOwnerWrapper(std::move(file)), slot_(slot) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    return Appended(data, FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& verification, rocksdb::IODebugContext* debug) override {
    return Appended(data, FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
  }
  rocksdb::IOStatus Flush(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus flushed = FSWritableFileOwnerWrapper::Flush(options, debug);
    if (!flushed.ok() || mark_.whole_bytes == bytes_) return flushed;
    mark_.whole_bytes = bytes_;
    mark_.tail_crc = Crc32c({tail_, mark_.tail_bytes});
    std::lock_guard lock(slot_mutex_);
    slot_->Set(mark_, slot_->synced_bytes);
    return flushed;
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    const uint64_t whole_bytes = WholeBytes();  // those that come during the sync may not be on the disk
    return Synced(whole_bytes, FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    const uint64_t whole_bytes = WholeBytes();
    return Synced(whole_bytes, FSWritableFileOwnerWrapper::Fsync(options, debug));
  }

 private:
  rocksdb::IOStatus Appended(const rocksdb::Slice& data, rocksdb::IOStatus status) {
    if (!status.ok() || data.empty()) return status;
    if (bytes_ == 0) {
      mark_.head_bytes = static_cast<uint32_t>(std::min(data.size(), kEndBytes));
      mark_.head_crc = Crc32c({data.data(), mark_.head_bytes});
    }
    bytes_ += static_cast<int64_t>(data.size());
    mark_.tail_bytes = static_cast<uint32_t>(std::min(data.size(), kEndBytes));
    std::memcpy(tail_, data.data() + data.size() - mark_.tail_bytes, mark_.tail_bytes);
    return status;
  }
  uint64_t WholeBytes() {
    std::lock_guard lock(slot_mutex_);
    return slot_->whole_bytes;
  }
  // `bytes` were whole when the sync began.
  rocksdb::IOStatus Synced(uint64_t bytes, rocksdb::IOStatus status) {
    if (!status.ok()) return status;
    std::lock_guard lock(slot_mutex_);
    slot_->Set(slot_->Get(/*same_boot=*/true), bytes);
    return status;
  }

  std::mutex slot_mutex_;  // guards the slot
  Slot* const slot_;
  int64_t bytes_ = 0;
  AppendMark mark_;  // as the slot has it, but for the tail's length
  char tail_[kEndBytes];
};

class AppendMarks::MarkingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  MarkingFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, AppendMarks* marks)
      : FileSystemWrapper(base), marks_(marks) {}
  const char* Name() const override { return "vaquita.AppendMarks"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
    AppendedFile appended;
    if (!status.ok() || !ParseAppendedFile(NameOf(path), &appended)) return status;
    marks_->RemoveFile(appended);
    std::lock_guard lock(marks_->mutex_);
    Slot* const slot = marks_->AddFileLocked(appended);
    if (slot == nullptr) return status;
    slot->Set({}, 0);
    *file = std::make_unique<File>(std::move(*file), slot);
    return status;
  }

  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    AppendedFile appended;
    // Before the file goes: a mark without its file says that somebody else removed it.
    if (ParseAppendedFile(NameOf(path), &appended)) marks_->RemoveFile(appended);
    return target()->DeleteFile(path, options, debug);
  }

 private:
  static std::string_view NameOf(const std::string& path) { return std::string_view(path).substr(path.rfind('/') + 1); }

  AppendMarks* const marks_;
};

std::shared_ptr<rocksdb::FileSystem> AppendMarks::Wrap(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return std::make_shared<MarkingFileSystem>(base, this);
}

}  // namespace vaquita
