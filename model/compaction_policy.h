// model/compaction_policy.h: selects the files of a store to compact, as HBase's ExploringCompactionPolicy does.
//
// A store's files stand from oldest to newest, and a compaction takes neighbours, so that the order is kept. Off-peak
// hours and bulk-loaded files are not modelled. Source: SortedCompactionPolicy, RatioBasedCompactionPolicy,
// ExploringCompactionPolicy (2.6). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/options.h"
#include "model/family_descriptor.h"
#include "model/store_metrics.h"

namespace vaquita {

struct CompactionCandidate {
  int64_t bytes = 0;
  bool reference = false;        // holds rows outside the store's range
  int64_t created_ms = 0;        // 0: unknown
  int64_t min_timestamp_ms = 0;  // the smallest of its cells
};

struct CompactionPolicy {
  int64_t min_files = 3;
  int64_t max_files = 10;
  double ratio = 1.2;
  int64_t min_bytes = 0;        // a selection smaller than this needs no ratio
  int64_t max_bytes = 0;        // a larger file or selection is left out, but for a forced major compaction
  int64_t blocking_files = 16;  // with this many files the store may be stuck
  int64_t major_period_ms = 0;  // jitter included; 0: no periodic major compaction
  int64_t ttl_ms = 0;           // the family's; 0: for ever

  // The settings for the store called `store_name`: the family's (FamilyOfStores), or the server's. Its jitter follows
  // from its name, so that a restart changes no period.
  static CompactionPolicy For(const Options& options, const FamilyDescriptor& family, std::string_view store_name,
                              int64_t memstore_flush_bytes);
};

// The candidates [first, first + count), and the kind of compaction.
struct CompactionSelection {
  size_t first = 0;
  size_t count = 0;
  bool all = false;    // every file: delete markers may go
  bool major = false;  // all files, because a major compaction was asked for or is due

  bool empty() const { return count == 0; }
};

// Selects from `files` (oldest first) what to compact now. kMajor selects all, because a user asked for it; kMinor
// applies the policy, which selects a periodic major compaction if one is due, and forces that of a store with fewer
// than min_files. `other_files` are those of the store that are no candidates, as they stand before a compaction that
// runs, or are what it will make: they too may make it stuck.
CompactionSelection SelectCompaction(const CompactionPolicy& policy, std::span<const CompactionCandidate> files,
                                     CompactionKind asked, int64_t now_ms, int64_t other_files = 0);

// Returns whether a periodic major compaction of exactly `files` is due.
bool MajorCompactionIsDue(const CompactionPolicy& policy, std::span<const CompactionCandidate> files, int64_t now_ms);

}  // namespace vaquita
