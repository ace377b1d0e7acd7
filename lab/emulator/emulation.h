// lab/emulator/emulation.h: emulates HBase's region servers under a load: flushes, compactions, splits, moves.
//
// A discrete simulation. The load comes as a sample of its keys (lab/emulator/key_sample.h): between two of its points
// a region takes records at an even rate, so the smallest event is a flush, not a record. docs/lab-emulator.md lists
// the modelled rules, with HBase's classes, and the parts that are left out. Threads: Emulate() runs on the caller's; a
// run depends on its arguments alone. Cost: about a microsecond a flush; memory for the sample and some 500 bytes a
// region. A run has at most a million balances and 10 million checks for compactions, 100,000 of one server: shorter
// periods in the settings are taken as longer ones.
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

// The system to emulate. The two differ in the size of a cell, and in few rules (docs/lab-emulator.md).
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
  double compressed_share = 1;  // size after compression / size before
  ReadPattern reads = ReadPattern::kUniform;
  int64_t ttl_ms = 0;             // every family's; 0: for ever
  int64_t table_flush_bytes = 0;  // the table's MEMSTORE_FLUSHSIZE and MAX_FILESIZE; 0: the site's
  int64_t table_max_file_bytes = 0;
};

struct EmulatedCluster {
  HBaseSettings settings;
  EmulatedSystem system = EmulatedSystem::kHBase;
  int servers = 1;
  int64_t heap_bytes = int64_t{30} << 30;  // per server
  double disk_bytes_per_s = 200e6;         // speed of a flush, or of a compaction without a throttle
  double split_ms = 650;                   // a splitting region is offline for this time ...
  double move_ms = 500;                    // ... and a moving one for this
};

// Counters of regions, servers and the table. Sizes in bytes.
struct EmulatedCounts {
  double records = 0;  // written records
  double data_bytes = 0;
  int64_t files = 0;
  int64_t flushes = 0;  // by region, as HBase counts them; a flush makes a file in each store that it takes
  double flushed_bytes = 0;
  int64_t minor_compactions = 0;
  int64_t major_compactions = 0;
  double compacted_bytes = 0;  // written by compactions
  int64_t splits = 0;
  int64_t moves = 0;
  double blocked_ms = 0;  // writes waited: memstores over the blocking size, or all of a server's over the limit

  // Returns the bytes written to files / the bytes flushed; 0 before the first flush.
  double write_amplification() const {
    return flushed_bytes == 0 ? 0 : (flushed_bytes + compacted_bytes) / flushed_bytes;
  }
};

struct EmulatedRegionReport {
  std::string start_key;
  int server = 0;
  RankRange ranks;        // its part of the sample
  EmulatedCounts counts;  // since it was opened first; its parent's are not among them
  // The largest share of all writes that it, or its parent, had in an interval of the time line.
  double hottest_share = 0;
  double hottest_ratio = 0;   // likewise, as a multiple of an even share
  double last_write_ms = -1;  // -1: never
  bool left_behind = false;   // it takes no more writes
};

struct EmulatedServerReport {
  int regions = 0;
  EmulatedCounts counts;
  double hottest_share = 0;
  double memstore_bytes = 0;   // the largest size of its memstores
  double cache_hit_ratio = 0;  // at the end, for reads that memstores do not answer
  int64_t global_flushes = 0;  // because all memstores together were over the lower limit
};

// The state at the end of an interval, and the events in it.
struct EmulatedMoment {
  double time_ms = 0;
  int64_t regions = 0;
  int64_t files = 0;
  double data_bytes = 0;
  int64_t flushes = 0;  // since the start, as are the next two
  int64_t compactions = 0;
  int64_t splits = 0;
  double hottest_region_share = 0;  // share of the interval's writes
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

// Runs `load`, whose keys `sample` represents, on a table that begins with the regions of `splits`. `progress` (may be
// null) is called now and then with the share of the time that has passed. Returns InvalidArgument, with the value and
// what would be right, if the load or the cluster makes no sense.
absl::StatusOr<Emulation> Emulate(const EmulatedCluster& cluster, const EmulatedLoad& load, const KeySample& sample,
                                  const SplitKeys& splits, const std::function<void(double)>& progress = nullptr);

}  // namespace vaquita::lab
