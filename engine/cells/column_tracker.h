// engine/cells/column_tracker.h: decides for each cell whether a read sees it, and whether a flush or compaction may
// drop it.
//
// Feed it the cells of one store in store order, row by row; it answers for each cell. It keeps HBase's rules for
// versions, minimum versions, TTL of the family and of the cell, the four delete markers, KEEP_DELETED_CELLS, time
// ranges, asked-for columns and raw scans. A delete masks the puts at or before its timestamp even if they came later,
// unless the family has NEW_VERSION_BEHAVIOR (engine/cells/new_version_tracker.h).
// Each key comes once: of two writes of the same row, column, timestamp and type RocksDB yields the later one. Source:
// ScanQueryMatcher and its subclasses (NormalUser, Raw, Minor/Major compaction), ScanDeleteTracker,
// ScanWildcardColumnTracker, ExplicitColumnTracker (HBase 2.6, hbase-server regionserver.querymatcher). Threads: one at
// a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cells/delete_tracker.h"
#include "engine/cells/new_version_tracker.h"
#include "model/cell.h"
#include "model/cell_filter.h"
#include "model/family_descriptor.h"

namespace vaquita {

// Tells the store scanner how to go on after a cell.
enum class Verdict {
  kInclude,
  kIncludeNextCol,  // include, then leave this column
  kIncludeNextRow,  // include, then leave this row of the store
  kSkip,
  kNextCol,
  kNextRow,
  kSeekHint,  // the filter has a hint for the next cell
};

// A family's limits on versions and age at one moment.
struct VersionRules {
  VersionRules(const FamilyDescriptor& family, int64_t now_ms);

  // Returns whether the family's TTL is over. The newest min_versions versions live on even then.
  bool Expired(int64_t timestamp_ms) const { return timestamp_ms < oldest_unexpired_ms; }
  // Returns whether the family's TTL is over and no minimum of versions can save the cell or an older one.
  bool ExpiredForGood(int64_t timestamp_ms) const { return min_versions <= 0 && Expired(timestamp_ms); }
  // Returns whether the cell's own TTL is over.
  bool CellExpired(int64_t timestamp_ms, int64_t ttl_ms) const {
    // Wraps around as Java does: a TTL that reaches beyond the end of time is over at once.
    return ttl_ms != kNoTtl && static_cast<int64_t>(static_cast<uint64_t>(timestamp_ms) + ttl_ms) < now_ms;
  }

  int32_t min_versions;
  int32_t max_versions;
  int64_t oldest_unexpired_ms;
  int64_t now_ms;
};

// Counts the versions of each column.
class VersionCounter {
 public:
  void StartColumn() { count_ = 0; }
  // Counts a cell that no marker masks. Returns false if it is expired or one version too many, as are all cells after
  // it in its column. Delete markers (in raw scans and in compactions that keep them) take the version of the put
  // before them.
  bool Keeps(const VersionRules& rules, CellType type, int64_t timestamp_ms) {
    if (!IsDelete(type)) ++count_;
    return count_ <= rules.max_versions && (count_ <= rules.min_versions || !rules.Expired(timestamp_ms));
  }
  int32_t count() const { return count_; }

 private:
  int32_t count_ = 0;
};

// A read's request to one store.
struct TrackerQuery {
  std::vector<std::string> qualifiers;  // ascending, distinct; empty means every column. Empty if raw, as in HBase.
  int32_t max_versions = 1;
  TimeRange time_range;
  bool raw = false;              // delete markers and deleted cells are seen too
  CellFilter* filter = nullptr;  // not owned; outlives the tracker
};

// The reader's side of the rules.
class ReadTracker {
 public:
  ReadTracker(const FamilyDescriptor& family, TrackerQuery query, int64_t now_ms);

  // Begins a new row.
  void StartRow();

  // Judges the next cell of the row. Cells that an earlier verdict skips may be left out. `new_column`: this is the
  // first cell of its column. Cells of the empty qualifier are not skipped while a marker of the family that matters
  // may still come there. `write_number`: see engine/write_counter.h; only families for which NeedsWriteNumbers
  // need it.
  Verdict Match(const CellView& cell, bool new_column, int64_t write_number = 0) {
    if (new_column) {
      deletes_.StartColumn();
      versions_.StartColumn();
      filtered_count_ = 0;
    }
    const Verdict verdict = new_versions_ == nullptr ? Judge(cell) : JudgeByOrder(cell, write_number);
    if (!cell.qualifier.empty() || deletes_.MasksFamily(cell.timestamp_ms)) return verdict;
    if (verdict == Verdict::kNextCol) return Verdict::kSkip;
    return verdict == Verdict::kIncludeNextCol ? Verdict::kInclude : verdict;
  }
  bool NeedsWriteNumbers() const { return new_versions_ != nullptr; }

  // Returns the column that follows kNextCol and kIncludeNextCol: the next one that was asked for, or null if any
  // column after the cell's will do.
  const std::string* NextQualifier() const;

 private:
  Verdict Judge(const CellView& cell);
  Verdict JudgeByOrder(const CellView& cell, int64_t write_number);
  Verdict FindAskedColumn(const CellView& cell);
  Verdict MatchAskedColumn(const CellView& cell);
  Verdict MergeFilterAnswer(const CellView& cell, Verdict verdict, FilterCode answer);
  Verdict LimitVersionsAfterFilter(const CellView& cell, Verdict verdict);
  bool SeesMarker(int64_t timestamp_ms) const;

  bool AsksColumns() const { return !query_.qualifiers.empty(); }
  bool AllColumnsDone() const { return AsksColumns() && asked_ == query_.qualifiers.size(); }
  void NextAskedColumn();
  void DoneWithColumn(const CellView& cell);
  Verdict NextRowOrColumn(const CellView& cell);

  const TrackerQuery query_;
  const KeepDeletedCells keep_deleted_cells_;
  VersionRules rules_;
  int32_t max_versions_after_filter_;

  std::unique_ptr<NewVersionTracker>
      new_versions_;  // instead of the next two; null: the family has no NEW_VERSION_BEHAVIOR
  DeleteTracker deletes_;
  VersionCounter versions_;
  size_t asked_ = 0;            // the column of query_.qualifiers that is looked for
  int32_t asked_count_ = 0;     // versions of it that were found
  int32_t filtered_count_ = 0;  // versions of the present column that passed the filter
};

// The part of a store's files that a compaction rewrites, which limits what it may drop.
enum class CompactionScope {
  kFlush,  // drops what kMinor does
  kMinor,  // some of the store's files: delete markers stay, for they may mask cells in the other files
  kMajor,  // all files: markers go too, unless KEEP_DELETED_CELLS keeps them
};

// The compaction's side of the rules.
class CompactionTracker {
 public:
  enum class Fate {
    kKeep,
    kDrop,        // this cell
    kDropToSkip,  // this cell and every later one before *skip_until
  };
  enum class Reason {
    kMarker,       // it is a delete marker
    kDeleted,      // a marker hides it
    kVersions,     // one version too many
    kExpired,      // the family's TTL is over
    kCellExpired,  // the cell's own TTL is over
    kOutside,      // not in the range
  };
  // Cells outside `range`, of stored rows, go. `family` is copied.
  CompactionTracker(const FamilyDescriptor& family, const RowRange& range, CompactionScope scope, int64_t now_ms);
  ~CompactionTracker();
  // REQUIRES: keys ascending. Cells that kDropToSkip leads past may be fed or left out. It may be started in the middle
  // of a row; then it only keeps more. A malformed key is kept.
  Fate Next(std::string_view encoded_key, std::string_view stored_value, std::string* skip_until);
  // Returns why the last cell goes. REQUIRES: Next did not answer kKeep.
  Reason reason() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vaquita
