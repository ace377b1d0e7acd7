// engine/find_damage.h: looks for damage in a database's folder that a crash does not leave.
//
// A crash leaves a torn last record in a log, and nothing else. All other damage is told apart by the logs' checksums
// and by the marks (append_marks.h). Nothing here changes the folder. Threads: any. REQUIRES: nobody has it open.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/append_marks.h"
#include "engine/damage_record.h"
#include "engine/manifest_check.h"

namespace vaquita {

struct LogCheck {
  std::vector<LogGap> gaps;  // in the order of the logs
  FoundMarks marks;          // for the files that are whole now
  ManifestCheck manifest;
};

// Checks that CURRENT, the MANIFEST and the logs are as they were written. Without the MANIFEST nothing of the database
// can be used. A folder without any file of a database is whole.
absl::StatusOr<LogCheck> CheckLogs(const std::string& database);

// Says which stores may have lost cells in `gaps`. The others wrote nothing meanwhile, or it is in their files.
absl::StatusOr<std::map<std::string, std::string>> StoresWithLostCells(const std::string& database,
                                                                       const std::vector<LogGap>& gaps,
                                                                       const FoundMarks& marks);

// Says which stores have files that are missing or damaged, and what is wrong with them. Data blocks are not read.
absl::StatusOr<std::map<std::string, std::string>> StoresWithBadFiles(const std::string& database);

}  // namespace vaquita
