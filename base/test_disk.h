// base/test_disk.h: a disk that fails, for tests: ours, and those of users (docs/test-control.md).
//
// While a test disk is installed, the files below its folder are on it: RocksDB's
// (engine/rocksdb/disk_stand_in_files.h) and those of base/durable_files.h. Calls fail, stop half way, wait or lie
// about their syncs at random. A power cut takes away what was not synced:
// - A file keeps the bytes that it had at its last sync. Later bytes are lost, kept up to a random place, or kept with
//   zeros in place of some pages.
// - A folder has the names that it had at its own last sync: new files and folders are gone, renames and deletions are
//   undone. Sometimes all changes of names were written by themselves, and only the files' bytes are lost.
// - A file that is mapped into memory has, page by page, what it had at some moment before.
//
// Syncs do not reach the real disk while a test disk is installed.
// Threads: any. One test disk at a time; it outlives all users of its folder. The random choices follow the seed, in
// the order of the calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "base/disk_stand_in.h"

namespace vaquita {

struct DiskFaults {
  uint64_t seed = 0;
  // Chances, from 0 to 1, for each call:
  double fail = 0;  // it does nothing, and ends with an I/O error
  bool reads_fail = true;
  double tear = 0;  // a write stores only its beginning, and ends with an I/O error
  double lie = 0;   // a sync does nothing, and says that it succeeded
  double late = 0;  // it waits for `delay_ms` first
  int64_t delay_ms = 10;
};

class TestDisk final : public DiskStandIn {
 public:
  // Installs the disk. All that is in `folder`, which exists, counts as synced. What is below `left_out`, a name in the
  // folder, is not part of what survives a power cut.
  explicit TestDisk(std::string folder, const DiskFaults& faults = {}, std::string left_out = "");
  ~TestDisk() override;

  void SetFaults(const DiskFaults& faults);  // goes on with the random numbers if the seed is the same
  DiskFaults faults() const;

  int Begin(Call call) override;
  size_t Stored(size_t bytes) override;
  int Sync(const std::string& path) override;
  void NoteMapped(const std::string& path) override;

  // Cuts the power: calls fail from now on, and what was not synced is lost.
  absl::Status CutPower();
  // Cuts the power in the call that changes something after `calls` others.
  void CutPowerAfter(int64_t calls);
  bool is_off() const;
  // Gives the folder the content that survived. REQUIRES: nobody uses the folder.
  absl::Status PowerOn();

  // Counts a power cut, and copies what survives it to `to`, which is not there yet. Calls go on to succeed, so that
  // the folder's user can close it before it gets that content.
  absl::Status CopySurvivors(const std::string& to);
  // All that is in the folder counts as synced. REQUIRES: nobody uses the folder.
  void SyncAll();

 private:
  enum class Names { kSynced, kAll, kMixed };  // the names that survive
  // A file or folder by its number, which nobody else gets while `handle` is open. Names may lead to it or not.
  struct Node {
    int handle = -1;
    bool is_folder = false;
    int64_t synced_bytes = 0;                 // a file's bytes at its last sync
    std::map<std::string, uint64_t> entries;  // a folder's names, as synced
    bool is_mapped = false;
    std::string written;  // a mapped file's bytes on the disk
  };

  Node* NodeAt(const std::string& path, uint64_t* number);
  void NoteFolder(const std::string& path, Node* node);
  void NoteTree(const std::string& path);
  void ForgetUnreachable();
  void ForgetAll();
  void WriteMappedPages();
  absl::Status CutLocked();
  absl::Status CopySurvivorsLocked(const std::string& to);
  absl::Status CopyFolder(uint64_t number, const std::string& to, std::map<uint64_t, std::string>* copied);
  absl::Status CopyFile(const Node& node, const std::string& to);
  std::string SurvivingBytes(std::string bytes, int64_t synced);
  std::map<std::string, uint64_t> Surviving(const Node& folder);
  bool Chance(double chance);
  std::string ImagePath() const { return folder_ + ".after-power-cut"; }

  const std::string left_out_;
  mutable std::mutex mutex_;
  DiskFaults faults_;
  std::mt19937_64 random_;
  Names names_ = Names::kSynced;
  bool off_ = false;
  absl::Status cut_;         // the result of the last power cut
  int64_t calls_left_ = -1;  // until the power is cut; -1: it is not
  std::map<uint64_t, Node> nodes_;
};

}  // namespace vaquita
