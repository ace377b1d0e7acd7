// server/master/balancer/normalizer_plan.h: plans splits and merges for regions of a table that are too large or too
// small.
//
// A region larger than twice the average is split; neighbours that together are no larger than the average are merged.
// The average follows the table's attributes (NORMALIZER_TARGET_REGION_SIZE_MB, else the table's size /
// NORMALIZER_TARGET_REGION_COUNT), or is the real one. Sizes are of store files, in whole MB.
// Source: SimpleRegionNormalizer, RegionNormalizerWorker (2.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/region_info.h"
#include "model/table_descriptor.h"

namespace vaquita::balancer {

// HBase's properties; a table's attribute or configuration of the same name overrides those marked *.
struct NormalizerSettings {
  bool enabled_by_default = false;        // hbase.table.normalization.enabled: for tables without NORMALIZATION_ENABLED
  bool split_enabled = true;              // hbase.normalizer.split.enabled *
  bool merge_enabled = true;              // hbase.normalizer.merge.enabled *
  int64_t merge_min_region_count = 3;     // hbase.normalizer.merge.min.region.count *
  int64_t merge_min_region_age_days = 3;  // hbase.normalizer.merge.min_region_age.days *
  int64_t merge_min_region_size_mb = 1;   // hbase.normalizer.merge.min_region_size.mb *
  int64_t merge_most_regions = 100;       // hbase.normalizer.merge.merge_request_max_number_of_regions
  int64_t plans_size_limit_mb = std::numeric_limits<int64_t>::max();  // hbase.normalizer.plans_size_limit.mb
};

// The master's switches for all splits and merges (splitormerge_switch).
struct SplitMergeSwitches {
  bool split = true;
  bool merge = true;
};

struct SizedRegion {
  RegionInfo info;
  int64_t size_mb = -1;  // -1: not known
  bool open = true;      // open and not in transition
};

struct Normalization {
  enum class Kind { kSplit, kMerge } kind = Kind::kSplit;
  std::vector<size_t> regions;  // indexes of the region to split, or of the neighbours to merge
  int64_t size_mb = 0;          // sum of the regions' sizes
  std::string reason;           // with figures

  friend bool operator==(const Normalization& a, const Normalization& b) {
    return a.kind == b.kind && a.regions == b.regions;
  }
};

// Returns whether the periodic normalizer works on the table: only if the table or hbase.table.normalization.enabled
// turns it on, and never on system tables.
bool IsNormalized(const TableDescriptor& table, const NormalizerSettings& settings);

// `regions` are the table's, by start key, without those split or merged. Splits come first, then merges; if the limit
// on their size cuts them, they are shuffled by `seed`, so that merges get their turn.
std::vector<Normalization> MakeNormalizerPlan(const TableDescriptor& table, const std::vector<SizedRegion>& regions,
                                              const NormalizerSettings& settings, SplitMergeSwitches switches,
                                              int64_t now_ms, uint64_t seed);

// Returns a line for each.
std::string NormalizerPlanText(const std::vector<SizedRegion>& regions, const std::vector<Normalization>& plan);

}  // namespace vaquita::balancer
