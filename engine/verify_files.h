// engine/verify_files.h: reads every block of store files and every record of logs, to find damage that no reader has
// met yet.
//
// Threads: any. REQUIRES: nobody has the database open.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

struct BadFile {
  std::string file;   // its name
  std::string store;  // empty for a log
  std::string what;
};

// Reads all files of a database. A folder without a database has none. DataLoss if nothing of it can be used.
absl::StatusOr<std::vector<BadFile>> VerifyDatabase(const std::string& database);

// Reads every block of one store file. DataLoss, with the path and what is wrong.
absl::Status VerifyStoreFile(const std::string& path);

}  // namespace vaquita
