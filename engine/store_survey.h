// engine/store_survey.h: surveys a database's folder without changing it.
//
// It serves checks of folders that no server has open, and of those that StoreDb::Open refuses. It replays the log into
// memory and writes nothing. Threads: any. REQUIRES: a DatabaseLock, so that the folder stays as it is seen.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"

namespace vaquita {

struct SurveyedStore {
  std::string name;
  bool empty = true;                             // it has no cell, not even a marker
  std::string first_row;                         // among its cells, markers too; those in lost files as far as is known
  std::string last_row;                          //
  std::vector<uint64_t> files;                   // inodes: hard links of one file have the same
  bool has_memstore = false;                     // cells that are only in the log
  bool unreadable = false;                       // a damaged block, in no bad file, may hide some of those rows
  std::map<std::string, std::string> bad_files;  // by name: why, such as "store file 000010.sst is missing"
  std::string damage;                            // why it may have lost cells; empty if it has not
};

// A folder without a database has no stores. DataLoss: CURRENT or the MANIFEST is damaged (manifest_check.h). `notes`,
// unless null, gets the database's notes (StoreDb::Notes).
absl::StatusOr<std::vector<SurveyedStore>> SurveyStores(const std::string& path, StoreDb::NoteMap* notes = nullptr);

// Returns whether a crash left links of a split, a merge or an import there. The next open removes them.
bool HasUnusedLinks(const std::string& path);

// While it is held nobody opens the database. FailedPrecondition, in one line: a process has it open.
class DatabaseLock {
 public:
  static absl::StatusOr<std::unique_ptr<DatabaseLock>> Take(const std::string& path);
  virtual ~DatabaseLock() = default;
};

}  // namespace vaquita
