// engine/damage_record.h: the known damage of a database, stored in its folder.
//
// A damaged log is gone once its stores were flushed; what it lost must still be known then. So <database>/damage/ has
// the file RECORD, a line for each place in a log and for each store that may have lost cells, links to the damaged
// logs, and the good files of stores that lost a file. `vaquita fsck --repair --accept-data-loss` ends it.
// Threads: one at a time. Disk: docs/formats.md.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"

namespace vaquita {

// Writes that a log may have lost.
struct LogGap {
  static constexpr uint64_t kNoEnd = std::numeric_limits<uint64_t>::max();

  uint64_t log = 0;             // its number
  int64_t offset = 0;           // place of the first bad byte
  uint64_t first_sequence = 0;  // numbers of the lost cells
  uint64_t last_sequence = kNoEnd;
  int64_t since_ms = 0;  // the newest timestamp in the last write before the gap; 0 if it is not known
  bool foreign = false;  // the file is another database's: none of it is to be replayed
  std::string what;      // "000012.log is damaged at byte 345: checksum mismatch"
};

// Says what was lost, in words with numbers.
std::string DescribeGap(const LogGap& gap);

struct DamagedStore {
  std::string why;
  bool set_apart = false;           // the database has it no more: its good files are in damage/<store>/
  std::vector<ExportedFile> files;  // those
};

struct DamageRecord {
  std::vector<LogGap> gaps;
  std::map<std::string, DamagedStore, std::less<>> stores;

  bool empty() const { return gaps.empty() && stores.empty(); }
  // Returns whether a gap at this place in the log is known that is as large. A known one may be larger: where nothing
  // followed it, later writes have ended it since.
  bool Has(const LogGap& gap) const;

  // Reads the record of a database; without one it is empty. DataLoss if it cannot be read.
  static absl::StatusOr<DamageRecord> Load(const std::string& database);
  // Replaces it, durably.
  absl::Status Save(const std::string& database) const;
};

// Returns the path of a database's folder damage/.
std::string DamageFolder(const std::string& database);

}  // namespace vaquita
