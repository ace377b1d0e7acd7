// base/folder_lock.h: one server per data folder.
//
// An flock on <folder>/LOCK, which holds the owner's process id for whoever is refused. The system lets go of it when
// the process ends, however it ends. Ownership: the lock is held until destruction.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace vaquita {

class FolderLock {
 public:
  // FailedPrecondition, in one line that names the folder and the owner, when another server has it.
  static absl::StatusOr<std::unique_ptr<FolderLock>> Take(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  const int fd_;
};

}  // namespace vaquita
