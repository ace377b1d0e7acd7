// server/data_root/backup_masters.h: the masters that wait, known by a locked folder of each in the data root.
//
// root/backup-masters/<server name>/ is there, with its lock held, while that master waits. What nobody holds was left
// by one that ended, and goes when it is found. Threads: any. Source: HBase has backup-masters in ZooKeeper.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/folder_lock.h"

namespace vaquita {

class BackupMaster {
 public:
  // Known until it is destroyed.
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
