#include "base/test_disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "base/durable_files.h"
#include "base/status.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPageBytes = 4096;
constexpr uint64_t kCallsBetweenWriteBacks = 16;

absl::Status DiskError(const std::string& doing, int error) {
  return absl::UnavailableError(doing + ": " + std::strerror(error));
}

}  // namespace

TestDisk::TestDisk(std::string folder, const DiskFaults& faults, std::string left_out)
    : DiskStandIn(std::move(folder)), left_out_(std::move(left_out)), faults_(faults), random_(faults.seed) {
  NoteTree(folder_);
  Install(this);
}

TestDisk::~TestDisk() {
  Install(nullptr);
  ForgetAll();
  std::error_code ignored;
  if (off_) fs::remove_all(ImagePath(), ignored);
}

void TestDisk::SetFaults(const DiskFaults& faults) {
  std::lock_guard lock(mutex_);
  if (faults.seed != faults_.seed) random_.seed(faults.seed);
  faults_ = faults;
}

DiskFaults TestDisk::faults() const {
  std::lock_guard lock(mutex_);
  return faults_;
}

bool TestDisk::Chance(double chance) { return chance > 0 && std::uniform_real_distribution<>()(random_) < chance; }

// ---- calls

int TestDisk::Begin(Call call) {
  int64_t wait_ms = 0;
  {
    std::lock_guard lock(mutex_);
    if (call != Call::kRead && calls_left_ >= 0 && calls_left_-- == 0) cut_ = CutLocked();
    if (call != Call::kRead && random_() % kCallsBetweenWriteBacks == 0) WriteMappedPages();
    if (off_) return EIO;
    if ((call != Call::kRead || faults_.reads_fail) && Chance(faults_.fail)) return EIO;
    if (Chance(faults_.late)) wait_ms = faults_.delay_ms;
  }
  if (wait_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
  return 0;
}

size_t TestDisk::Stored(size_t bytes) {
  std::lock_guard lock(mutex_);
  return bytes > 0 && Chance(faults_.tear) ? random_() % bytes : bytes;
}

int TestDisk::Sync(const std::string& path) {
  std::lock_guard lock(mutex_);
  if (off_) return EIO;
  if (Chance(faults_.lie)) return 0;
  uint64_t number = 0;
  Node* const node = NodeAt(path, &number);
  if (node == nullptr) return 0;  // it was deleted meanwhile
  struct stat found {};
  if (node->is_folder) {
    NoteFolder(path, node);
    ForgetUnreachable();
  } else if (fstat(node->handle, &found) == 0) {
    node->synced_bytes = found.st_size;
  }
  return 0;
}

void TestDisk::NoteMapped(const std::string& path) {
  std::lock_guard lock(mutex_);
  uint64_t number = 0;
  if (Node* const node = NodeAt(path, &number)) node->is_mapped = true;
}

// ---- what is on the disk

// The kernel writes a part of the pages of mapped files.
void TestDisk::WriteMappedPages() {
  for (auto& [number, node] : nodes_) {
    if (!node.is_mapped) continue;
    const auto bytes = ReadFile("/proc/self/fd/" + std::to_string(node.handle));
    if (!bytes.ok()) continue;
    node.written.resize(bytes->size());
    for (size_t page = 0; page < bytes->size(); page += kPageBytes) {
      if (random_() % 2 == 0) node.written.replace(page, kPageBytes, *bytes, page, kPageBytes);
    }
  }
}

TestDisk::Node* TestDisk::NodeAt(const std::string& path, uint64_t* number) {
  // Closing such a handle releases no lock of the process on the file.
  const int handle = open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat found {};
  if (handle < 0 || fstat(handle, &found) != 0 || (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))) {
    if (handle >= 0) close(handle);
    return nullptr;
  }
  *number = found.st_ino;
  const auto [at, is_new] = nodes_.try_emplace(*number);
  if (is_new) {
    at->second.handle = handle;
    at->second.is_folder = S_ISDIR(found.st_mode);
  } else {
    close(handle);
  }
  return &at->second;
}

void TestDisk::NoteFolder(const std::string& path, Node* node) {
  node->entries.clear();
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    uint64_t number = 0;
    if (NodeAt(at->path().string(), &number) != nullptr) node->entries[at->path().filename().string()] = number;
  }
}

void TestDisk::NoteTree(const std::string& path) {
  uint64_t number = 0;
  Node* const node = NodeAt(path, &number);
  struct stat found {};
  if (node == nullptr) return;
  if (!node->is_folder) {
    if (fstat(node->handle, &found) == 0) node->synced_bytes = found.st_size;
    return;
  }
  NoteFolder(path, node);
  for (const auto& [name, child] : node->entries) {
    if (path != folder_ || name != left_out_) NoteTree(path + "/" + name);
  }
}

// Forgets deleted files that no synced folder names, so that their space is free again.
void TestDisk::ForgetUnreachable() {
  std::set<uint64_t> named;
  for (const auto& [number, node] : nodes_) {
    for (const auto& [name, child] : node.entries) named.insert(child);
  }
  std::erase_if(nodes_, [&](const auto& entry) {
    struct stat found {};
    const auto& [number, node] = entry;
    if (named.contains(number) || fstat(node.handle, &found) != 0 || found.st_nlink > 0) return false;
    close(node.handle);
    return true;
  });
}

void TestDisk::ForgetAll() {
  for (const auto& [number, node] : nodes_) close(node.handle);
  nodes_.clear();
}

// ---- power cuts

absl::Status TestDisk::CutPower() {
  std::lock_guard lock(mutex_);
  if (!off_) cut_ = CutLocked();
  return cut_;
}

void TestDisk::CutPowerAfter(int64_t calls) {
  std::lock_guard lock(mutex_);
  calls_left_ = calls;
}

bool TestDisk::is_off() const {
  std::lock_guard lock(mutex_);
  return off_;
}

absl::Status TestDisk::CutLocked() {
  off_ = true;
  calls_left_ = -1;
  VAQUITA_RETURN_IF_ERROR(RemoveAll(ImagePath()));
  return CopySurvivorsLocked(ImagePath());
}

absl::Status TestDisk::CopySurvivors(const std::string& to) {
  std::lock_guard lock(mutex_);
  return CopySurvivorsLocked(to);
}

absl::Status TestDisk::CopySurvivorsLocked(const std::string& to) {
  CountPowerCut();
  names_ = static_cast<Names>(random_() % 3);
  uint64_t root = 0;
  if (NodeAt(folder_, &root) == nullptr) return absl::NotFoundError("the test disk's folder " + folder_ + " is gone");
  std::map<uint64_t, std::string> copied;
  return CopyFolder(root, to, &copied);
}

void TestDisk::SyncAll() {
  std::lock_guard lock(mutex_);
  ForgetAll();
  NoteTree(folder_);
}

// Returns the names that a folder has after the power cut.
std::map<std::string, uint64_t> TestDisk::Surviving(const Node& folder) {
  std::map<std::string, uint64_t> synced = folder.entries;
  if (names_ == Names::kSynced || (names_ == Names::kMixed && random_() % 2 == 0)) return synced;
  Node now{.handle = folder.handle, .is_folder = true};
  NoteFolder("/proc/self/fd/" + std::to_string(folder.handle), &now);
  return now.entries;
}

absl::Status TestDisk::CopyFolder(uint64_t number, const std::string& to, std::map<uint64_t, std::string>* copied) {
  std::error_code error;
  if (!fs::create_directory(to, error)) return DiskError("create " + to, error.value());
  const bool is_root = copied->empty();
  copied->try_emplace(number, to);
  for (const auto& [name, child] : Surviving(nodes_.at(number))) {
    const std::string path = to + "/" + name;
    const auto node = nodes_.find(child);
    if (node == nodes_.end() || (is_root && name == left_out_)) continue;
    const auto [first, is_first] = copied->try_emplace(child, path);
    if (node->second.is_folder) {
      // A folder that was moved from an unsynced folder to a synced one may have two names.
      if (is_first) VAQUITA_RETURN_IF_ERROR(CopyFolder(child, path, copied));
    } else if (is_first) {
      VAQUITA_RETURN_IF_ERROR(CopyFile(node->second, path));
    } else {
      fs::create_hard_link(first->second, path, error);
      if (error) return DiskError("link " + path, error.value());
    }
  }
  return absl::OkStatus();
}

absl::Status TestDisk::CopyFile(const Node& node, const std::string& to) {
  std::string bytes = node.written;
  if (!node.is_mapped) {
    VAQUITA_ASSIGN_OR_RETURN(bytes, ReadFile("/proc/self/fd/" + std::to_string(node.handle)));
    bytes = SurvivingBytes(std::move(bytes), node.synced_bytes);
  }
  std::ofstream file(to, std::ios::binary);
  file << bytes;
  return file.flush() ? absl::OkStatus() : absl::UnavailableError("write " + to);
}

std::string TestDisk::SurvivingBytes(std::string bytes, int64_t synced) {
  const auto size = static_cast<int64_t>(bytes.size());
  synced = std::min(size, synced);
  switch (random_() % 3) {
    case 0:
      bytes.resize(static_cast<size_t>(synced));
      return bytes;
    case 1:
      bytes.resize(static_cast<size_t>(synced) + random_() % static_cast<uint64_t>(size - synced + 1));
      return bytes;
    default:
      break;
  }
  for (int64_t page = synced / kPageBytes * kPageBytes; page < size; page += kPageBytes) {
    if (random_() % 2 == 0) continue;
    std::fill(bytes.begin() + std::max(page, synced), bytes.begin() + std::min(size, page + kPageBytes), '\0');
  }
  return bytes;
}

absl::Status TestDisk::PowerOn() {
  std::lock_guard lock(mutex_);
  if (!off_) return absl::FailedPreconditionError("the power of the test disk is on");
  VAQUITA_RETURN_IF_ERROR(cut_);
  ForgetAll();
  std::error_code error;
  fs::remove_all(folder_, error);
  if (!error) fs::rename(ImagePath(), folder_, error);
  if (error) return DiskError("replace " + folder_, error.value());
  NoteTree(folder_);
  off_ = false;
  return absl::OkStatus();
}

}  // namespace vaquita
