// engine/cells/new_version_tracker.h: tells which puts of a row are masked where the order of writes counts
// (NEW_VERSION_BEHAVIOR).
//
// A marker masks only puts that came before it. A put that markers or newer versions masked when it was one version too
// many stays masked, even if a version before it is deleted later. Feed it a row's cells in store order, with the
// number of each write in the order of writes; cells of before the family had the attribute have 0. Each key
// comes once. Source:
// org.apache.hadoop.hbase.regionserver.querymatcher.NewVersionBehaviorTracker (2.6), but for the empty qualifier, whose
// puts a family's markers mask as others. Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cells/put_counts.h"
#include "model/cell.h"

namespace vaquita {

class NewVersionTracker {
 public:
  // `max_versions` is the family's, not the reader's.
  explicit NewVersionTracker(int32_t max_versions) : max_versions_(max_versions) {}
  NewVersionTracker(const NewVersionTracker&) = delete;
  NewVersionTracker& operator=(const NewVersionTracker&) = delete;

  void StartRow();

  // REQUIRES: IsDelete(cell.type).
  void Add(const CellView& cell, int64_t sequence);
  // Returns whether the put is masked, and counts it for the cells after it. Call it once for each put.
  bool Masks(const CellView& cell, int64_t sequence);
  // Counts a put of the present column that the reader gets. Returns how many there are by now.
  int32_t CountVisible() { return ++visible_; }

 private:
  void EnterColumn(std::string_view qualifier);
  static void AddTo(PutCounts* counts, CellType type, int64_t timestamp_ms, int64_t sequence);

  // A family's marker that came while the row's first column was under way.
  struct Pending {
    CellType type;
    int64_t timestamp_ms;
    int64_t sequence;
  };

  const int32_t max_versions_;
  PutCounts of_family_;
  PutCounts of_column_;           // the family's for each column, and the column's own
  std::vector<Pending> pending_;  // in of_column_, and not yet in of_family_
  int32_t visible_ = 0;

  bool in_column_ = false;  // the last cell is of a column; false: only of the family
  std::string qualifier_;
};

}  // namespace vaquita
