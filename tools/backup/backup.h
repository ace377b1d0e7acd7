// tools/backup/backup.h: backups of a server or a cluster while it runs, and their restoration (docs/backup.md).
//
// A backup is a folder or a tar archive with BACKUP.json, which describes it, and a snapshot of each table as it lies
// in a data folder (docs/formats.md). The restoration makes a data folder whose tables are clones of the snapshots.
// Threads: one.
#pragma once

#include <string>

namespace vaquita::backup {

struct BackupArguments {
  std::string address = "127.0.0.1:16040";  // the cluster's (client/connection.h)
  std::string data_path;                    // its data folder
  std::string to;                           // a new folder, or a new file NAME.tar
};

// `vaquita backup`: writes all namespaces, user tables and snapshots, and the switches that are off. What was
// acknowledged before it began is in it. Returns the exit code.
int RunBackup(const BackupArguments& arguments);

struct RestoreArguments {
  std::string from;       // a backup
  std::string data_path;  // a new data folder, or an empty one
};

// `vaquita restore`: makes a data folder of a backup. Returns the exit code; after an error the folder is removed.
int RunRestore(const RestoreArguments& arguments);

}  // namespace vaquita::backup
