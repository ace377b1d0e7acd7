// base/ephemeral_folder.h: a data folder that is gone when its server is.
//
// It is in TMPDIR, or /tmp, and removed at the end. A server that was killed leaves its folder behind, so each one that
// makes such a folder first removes those that nobody has locked. Many may start at once: a folder has its name only
// when it is locked, and what is being made under another name is left alone for an hour. Threads: any.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/folder_lock.h"

namespace vaquita {

class EphemeralFolder {
 public:
  // Unavailable, naming the place, if it cannot be made there.
  static absl::StatusOr<std::unique_ptr<EphemeralFolder>> Make();
  ~EphemeralFolder();  // removes it; what fails is a warning in the log
  EphemeralFolder(const EphemeralFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  EphemeralFolder(std::string path, std::unique_ptr<FolderLock> lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  const std::string path_;
  const std::unique_ptr<FolderLock> lock_;
};

}  // namespace vaquita
