// base/ephemeral_folder.h: a data folder that is removed when its server ends.
//
// It is in TMPDIR, or in /tmp. A server that was killed leaves its folder behind, so a server that makes such a folder
// first removes those that nobody has locked. Many servers may start at once: a folder gets its name when it is locked,
// and one without a lock is left alone for an hour. Threads: any.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/folder_lock.h"

namespace vaquita {

class EphemeralFolder {
 public:
  // Returns Unavailable, naming the place, if the folder cannot be made there.
  static absl::StatusOr<std::unique_ptr<EphemeralFolder>> Make();
  ~EphemeralFolder();  // removes it; a failure is logged as a warning
  EphemeralFolder(const EphemeralFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  EphemeralFolder(std::string path, std::unique_ptr<FolderLock> lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  const std::string path_;
  const std::unique_ptr<FolderLock> lock_;
};

}  // namespace vaquita
