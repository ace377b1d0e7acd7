// engine/column_tracker.h: the one place that decides what becomes of a cell: which cells a read sees, and which ones a flush
// or compaction may drop.
//
// Feed it the cells of one store in store order, row by row; it answers for each cell. It keeps HBase's rules for versions, minimum
// versions, TTL of the family and of the cell, the four delete markers, KEEP_DELETED_CELLS, time ranges, asked-for
// columns and raw scans. A delete masks the puts at or before its timestamp even if they came later.
// Source: ScanQueryMatcher and its subclasses (NormalUser, Raw, Minor/Major compaction), ScanDeleteTracker,
// ScanWildcardColumnTracker, ExplicitColumnTracker (HBase 2.6, hbase-server regionserver.querymatcher).
// It works on encoded keys (engine/cell_key.h), so that the common cell costs comparisons and no copy.
// Threads: none of its own; one owner.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cell.h"
#include "engine/cell_filter.h"
#include "engine/cell_key.h"
#include "engine/family_descriptor.h"

namespace vaquita {

// What the store scanner or compaction does after a cell.
enum class Verdict {
  kInclude,
  kIncludeNextCol,  // include; nothing more of this column
  kIncludeNextRow,  // include; nothing more of this row in this store
  kSkip,
  kNextCol,
  kNextRow,
  kSeekHint,  // the filter has a hint for the next cell
};

// The reader's side of the rules.
struct TrackerQuery {
  std::vector<std::string> qualifiers;  // ascending, distinct; empty means every column
  int32_t max_versions = 1;
  TimeRange time_range;
  bool raw = false;          // delete markers and deleted cells are seen too
  CellFilter* filter = nullptr;  // not owned; outlives the tracker
};

// The compaction's side: what a flush or compaction of a store may drop.
enum class CompactionScope {
  kFlush,  // as kMinor
  kMinor,  // some of the store's files: delete markers stay, and what they mask beyond these files
  kMajor,  // all files: markers go too, unless KEEP_DELETED_CELLS keeps them
};

class CompactionTracker {
 public:
  enum class Fate {
    kKeep,
    kDrop,          // this cell
    kDropToSkip,    // this cell and every later one before *skip_until
  };
  // Cells outside `range` go. `family` is copied.
  CompactionTracker(const FamilyDescriptor& family, const RowRange& range, CompactionScope scope, int64_t now_ms);
  ~CompactionTracker();
  // REQUIRES: keys ascending. It may be started in the middle of a row; then it only keeps more.
  Fate Next(std::string_view encoded_key, std::string_view stored_value, std::string* skip_until);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vaquita
