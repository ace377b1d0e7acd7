// lab/emulator/hbase_settings.h: the settings of HBase that the emulator uses, with HBase 2.6's defaults.
//
// They are HBase's, not Vaquita's (base/options.h): a region server's memory is a heap here, and the hbase-site.xml of
// a real cluster is read as HBase reads it. Threads: plain data. Source: hbase-default.xml, HConstants,
// CompactionConfiguration, FlushLargeStoresPolicy, MemorySizeUtil, PressureAwareCompactionThroughputController (2.6).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/site_file.h"

namespace vaquita::lab {

struct HBaseSettings {
  // Memstores
  int64_t memstore_flush_bytes = 128 << 20;
  int64_t memstore_block_multiplier = 4;
  double global_memstore_share = 0.4;  // share of the heap
  double global_lower_limit = 0.95;    // share of global_memstore_share
  int64_t family_flush_least_bytes = 16 << 20;
  std::string flush_policy = "FlushAllLargeStoresPolicy";
  int64_t periodic_flush_ms = 3'600'000;  // 0 or less: none
  int64_t periodic_flush_spread_s = 300;
  int64_t wake_ms = 10'000;
  int64_t flush_threads = 2;

  // Store files
  int64_t compaction_min_files = -1;       // hbase.hstore.compaction.min; -1: by its old name
  int64_t compaction_threshold_files = 3;  // hbase.hstore.compactionThreshold, the old name
  int64_t compaction_max_files = 10;
  double compaction_ratio = 1.2;
  // -1: hbase-default.xml's 128 MiB, whatever the flush size; Vaquita's default is the flush size.
  int64_t compaction_min_bytes = -1;
  int64_t compaction_max_bytes = std::numeric_limits<int64_t>::max();
  int64_t blocking_store_files = 16;
  int64_t blocking_wait_ms = 90'000;
  int64_t major_period_ms = 604'800'000;  // 0: none
  double major_jitter = 0.5;
  int64_t compaction_check_wakes = 1000;
  int64_t small_compaction_threads = 1;
  int64_t large_compaction_threads = 1;
  // -1: hbase-default.xml's 2.5 GiB; Vaquita's default is 2 x compaction_max_files x the memstore flush size.
  int64_t compaction_throttle_bytes = -1;
  int64_t compaction_least_bytes_per_s = 50 << 20;
  int64_t compaction_most_bytes_per_s = 100 << 20;
  int64_t compaction_tune_ms = 60'000;

  // The time until a compaction's old files are archived. References among them keep a region from splitting until then
  // (HStore.hasReferences, HBASE-20940).
  int64_t archive_ms = 120'000;

  // Regions
  int64_t max_file_bytes = int64_t{10} << 30;
  double max_file_jitter = 0.25;
  std::string split_policy = "SteppingSplitPolicy";
  int64_t first_split_bytes = -1;  // -1: 2 x the memstore flush size
  bool split_by_region_size = false;
  int64_t region_limit = 1000;  // a server with more regions does not split any

  // Balancer and cache
  int64_t balancer_period_ms = 300'000;
  double regions_slop = 0.2;
  double block_cache_share = 0.4;  // share of the heap

  // Returns the fewest files of a compaction, as CompactionConfiguration reads the two names: never below two.
  int64_t least_files_to_compact() const;
};

// Applies the properties that the emulator uses, and returns their number; a real cluster's file has many others. A
// property with an empty value counts as absent, as in hbase-default.xml.
// Returns InvalidArgument, with the property's name and what would be right, if HBase would not take the value or if
// the emulator does not have the policy.
absl::StatusOr<int> ApplySite(const std::vector<SiteProperty>& properties, HBaseSettings* settings);

// Returns whether the emulator uses the property.
bool IsHBaseSetting(std::string_view name);

}  // namespace vaquita::lab
