// tools/backup/backup_index.h: BACKUP.json, which says what is in a backup. It is written last.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/master_switch.h"

namespace vaquita::backup {

inline constexpr char kIndexFile[] = "BACKUP.json";
inline constexpr int kBackupFormat = 1;

struct BackupIndex {
  struct Table {
    std::string name;      // "t" or "ns:t"
    std::string snapshot;  // in the backup
    bool disabled = false;
  };

  std::string version;  // the program's
  std::string cluster_id;
  int64_t begun_ms = 0;  // since the epoch
  int64_t ended_ms = 0;
  std::vector<NamespaceDescriptor> namespaces;  // but default and hbase
  std::vector<Table> tables;
  std::vector<std::string> snapshots;  // the cluster's own
  std::vector<MasterSwitch> switched_off;
  // A table or snapshot that could not be copied.
  struct Missing {
    std::string what;  // "table t", "snapshot s"
    std::string why;
  };
  std::vector<Missing> missing;
  std::map<std::string, int64_t> files;  // sizes by path
};

std::string ToJson(const BackupIndex& index);
// Returns InvalidArgument, saying why, for text that is no index, and for one of a later format.
absl::StatusOr<BackupIndex> ParseIndex(std::string_view json);

}  // namespace vaquita::backup
