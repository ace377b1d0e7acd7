// base/folder_lock.h: one server per data folder.
//
// The lock is an flock on <folder>/LOCK. The file holds the owner's process id, which a refused server reports. The
// system releases the lock when the process ends in any way. Ownership: the lock is held until destruction.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace vaquita {

class FolderLock {
 public:
  // Returns FailedPrecondition, naming the folder and the owner, if another server has the lock.
  static absl::StatusOr<std::unique_ptr<FolderLock>> Take(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  const int fd_;
};

}  // namespace vaquita
