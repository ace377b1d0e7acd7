// lab/emulator/emulation.h: the emulator: what HBase's region servers do under a load: flushes, compactions, splits,
// moves.
//
// A discrete simulation. The load comes as a sample of its keys (lab/emulator/key_sample.h): between two of its points
// a region takes records at an even rate, so the smallest event is a flush, not a record. What is modelled, rule by
// rule and with HBase's classes, and what is not: docs/lab-emulator.md. Threads: Emulate() runs on the caller's; a run
// depends on its arguments alone. Cost: about a microsecond a flush; memory for the sample and some 500 bytes a region.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/emulator/hbase_settings.h"
#include "lab/emulator/key_sample.h"
#include "lab/records/record_choice.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

// Whose memstores and files are counted. They differ in what a cell takes, and in few rules (docs/lab-emulator.md).
enum class EmulatedSystem { kHBase, kVaquita };

// One family of the table. Every record writes all columns of all families.
struct EmulatedFamily {
  std::string name = "f";
  int columns = 1;
  double qualifier_bytes = 1;
  double value_bytes = 100;
};

struct EmulatedLoad {
  double records = 0;
  double duration_ms = 0;
  std::vector<EmulatedFamily> families = {EmulatedFamily()};
  double compressed_share = 1;  // a file's bytes after compression, of those before
  ReadPattern reads = ReadPattern::kUniform;
  int64_t ttl_ms = 0;             // of every family; 0: for ever
  int64_t table_flush_bytes = 0;  // the table's MEMSTORE_FLUSHSIZE and MAX_FILESIZE; 0: the site's
  int64_t table_max_file_bytes = 0;
};

struct EmulatedCluster {
  HBaseSettings settings;
  EmulatedSystem system = EmulatedSystem::kHBase;
  int servers = 1;
  int64_t heap_bytes = int64_t{30} << 30;  // of a server
  double disk_bytes_per_s = 200e6;         // that a flush writes, or a compaction that nothing throttles
  double split_ms = 650;                   // a region is away for so long when it splits ...
  double move_ms = 500;                    // ... or moves
};

// What regions, servers and the table count. Sizes in bytes.
struct EmulatedCounts {
  double records = 0;  // that were written
  double data_bytes = 0;
  int64_t files = 0;
  int64_t flushes = 0;  // of regions, as HBase counts them; a flush makes a file in each store that it takes
  double flushed_bytes = 0;
  int64_t minor_compactions = 0;
  int64_t major_compactions = 0;
  double compacted_bytes = 0;  // written by compactions
  int64_t splits = 0;
  int64_t moves = 0;
  double blocked_ms = 0;  // writes waited: memstores over the blocking size, or all of a server's over the limit

  // All bytes that were written to files, for each that was flushed; 0 before the first flush.
  double write_amplification() const {
    return flushed_bytes == 0 ? 0 : (flushed_bytes + compacted_bytes) / flushed_bytes;
  }
};

struct EmulatedRegionReport {
  std::string start_key;
  int server = 0;
  RankRange ranks;        // of the sample
  EmulatedCounts counts;  // since it was opened first; its parent's are not among them
  // Of all writes in an interval of the time line: the most that it, or what it split from, ever had.
  double hottest_share = 0;
  double last_write_ms = -1;  // -1: never
  bool left_behind = false;   // it takes no more writes
};

struct EmulatedServerReport {
  int regions = 0;
  EmulatedCounts counts;
  double hottest_share = 0;
  double memstore_bytes = 0;   // the most that its memstores took
  double cache_hit_ratio = 0;  // at the end, of what readers want and memstores do not have
  int64_t global_flushes = 0;  // because all memstores together were over the lower limit
};

// The state at the end of an interval, and what happened in it.
struct EmulatedMoment {
  double time_ms = 0;
  int64_t regions = 0;
  int64_t files = 0;
  double data_bytes = 0;
  int64_t flushes = 0;  // since the start, as are the next two
  int64_t compactions = 0;
  int64_t splits = 0;
  double hottest_region_share = 0;  // of the interval's writes
  std::vector<double> server_shares;
};

struct Emulation {
  EmulatedCounts total;
  std::vector<EmulatedRegionReport> regions;  // in key order, when everything has settled
  std::vector<EmulatedServerReport> servers;
  std::vector<EmulatedMoment> timeline;
  int64_t events = 0;
  double settled_ms = 0;   // after the start: when the last flush, compaction and split was done
  double split_bytes = 0;  // the size at which the table's regions split, without jitter; 0: never
};

// Runs `load`, whose keys `sample` stands for, on a table that begins with the regions of `splits`. `progress` (may be
// null) is told the share of the time that has passed, now and then. InvalidArgument for a load or cluster that makes
// no sense, with the value and what would be right.
absl::StatusOr<Emulation> Emulate(const EmulatedCluster& cluster, const EmulatedLoad& load, const KeySample& sample,
                                  const SplitKeys& splits, const std::function<void(double)>& progress = nullptr);

}  // namespace vaquita::lab
