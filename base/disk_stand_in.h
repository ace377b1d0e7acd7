// base/disk_stand_in.h: stands between the files of a folder and the disk, in tests.
//
// Only the test disk (base/test_disk.h) is one. Users of files know this interface alone, and without a test disk a
// call costs them one load. Threads: any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace vaquita {

class DiskStandIn {
 public:
  // Returns the one that is installed if `path` is its folder or below; otherwise null.
  static DiskStandIn* Of(std::string_view path) {
    DiskStandIn* const disk = installed_.load(std::memory_order_acquire);
    if (disk == nullptr || !path.starts_with(disk->folder_)) return nullptr;
    const std::string_view rest = path.substr(disk->folder_.size());
    return rest.empty() || rest.front() == '/' ? disk : nullptr;
  }
  // Counts the power cuts in this process. The machine's boot id stays the same; this does not.
  static uint64_t power_cuts() { return power_cuts_; }

  DiskStandIn(const DiskStandIn&) = delete;
  DiskStandIn& operator=(const DiskStandIn&) = delete;

  enum class Call { kRead, kWrite, kSync, kNames };
  // Begins a call. Returns an error number if it must fail; otherwise 0.
  virtual int Begin(Call call) = 0;
  // Returns how many of `bytes` bytes a write stores. If not all, it fails with an I/O error then.
  virtual size_t Stored(size_t bytes) = 0;
  // Ends the sync of a file or a folder, which does not reach the real disk. Returns an error number, or 0.
  virtual int Sync(const std::string& path) = 0;
  // Notes that the file's pages go to the disk at any time, because it is mapped into memory.
  virtual void NoteMapped(const std::string& path) = 0;

 protected:
  explicit DiskStandIn(std::string folder) : folder_(std::move(folder)) {}
  virtual ~DiskStandIn() = default;
  static void Install(DiskStandIn* disk) { installed_ = disk; }  // null: none
  static void CountPowerCut() { ++power_cuts_; }

  const std::string folder_;

 private:
  static inline std::atomic<DiskStandIn*> installed_ = nullptr;
  static inline std::atomic<uint64_t> power_cuts_ = 0;
};

}  // namespace vaquita
