// server/data_root/backup_masters.h: the waiting masters, each known by a locked folder in the data root.
//
// root/backup-masters/<server name>/ exists, with its lock held, while that master waits. A folder without a held lock
// is a leftover of an ended master, and is removed when it is found. Threads: any. Source: HBase has backup-masters in
// ZooKeeper.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/folder_lock.h"

namespace vaquita {

class BackupMaster {
 public:
  // Announces a waiting master, until the returned object is destroyed.
  static absl::StatusOr<std::unique_ptr<BackupMaster>> Announce(const std::string& root,
                                                                const std::string& server_name);
  ~BackupMaster();
  BackupMaster(const BackupMaster&) = delete;

 private:
  BackupMaster(std::string folder, std::unique_ptr<FolderLock> lock);
  const std::string folder_;
  const std::unique_ptr<FolderLock> lock_;
};

std::vector<std::string> ListBackupMasters(const std::string& root);  // by name

}  // namespace vaquita
