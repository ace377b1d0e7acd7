// server/fsck/fsck.h: checks a stopped data root, and repairs it on request.
//
// Threads: one. Errors: as DataRoot::Open, if the root could not be checked. Source: HBaseFsck, HBCK2.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "server/fsck/finding.h"

namespace vaquita::fsck {

struct FsckOptions {
  std::string path;  // the data root
  bool repair = false;
  bool deep = false;                 // reads every block of every store file and every record of every log
  bool accept_data_loss = false;     // allows repairs that accept lost data
  const Options* options = nullptr;  // outlives the call
  Clock* clock = nullptr;
};

struct FsckReport {
  std::vector<Finding> found;
  std::vector<std::string> done;  // repairs, in order, failed ones too; also in root/sideline/<when>/repairs.log
  std::vector<Finding> left;      // all findings, if no repair was requested
  absl::Status error;             // why a check after a repair, or the log, failed; `left` is then of before
};

absl::StatusOr<FsckReport> CheckDataRoot(const FsckOptions& options);

}  // namespace vaquita::fsck
