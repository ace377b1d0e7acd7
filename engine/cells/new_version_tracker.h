// engine/cells/new_version_tracker.h: tells which puts of a row are masked where the order of writes counts
// (NEW_VERSION_BEHAVIOR).
//
// A marker masks only puts that came before it. A put that markers or newer versions masked when it was one version too
// many stays masked, even if a version before it is deleted later. Feed it a row's cells in store order, with the
// number of each write in the order of writes; cells of before the family had the attribute have 0. Source:
// org.apache.hadoop.hbase.regionserver.querymatcher.NewVersionBehaviorTracker (2.6), but for the empty qualifier, whose
// puts a family's markers mask as others. Threads: one at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "model/cell.h"

namespace vaquita {

class NewVersionTracker {
 public:
  // `max_versions` is the family's, not the reader's.
  explicit NewVersionTracker(int32_t max_versions) : max_versions_(static_cast<size_t>(max_versions)) { StartRow(); }

  void StartRow();

  // REQUIRES: IsDelete(cell.type).
  void Add(const CellView& cell, int64_t sequence);
  // Returns whether the put is masked, and counts it for the cells after it. Call it once for each put.
  bool Masks(const CellView& cell, int64_t sequence);
  // Counts a put of the present column that the reader gets. Returns how many there are by now.
  int32_t CountVisible() { return ++visible_; }

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  using Sequences = std::set<int64_t>;

  // Has everything that came before one marker of whole columns or families, and after the marker before that. The last
  // node has no marker.
  struct Node {
    int64_t timestamp_ms = std::numeric_limits<int64_t>::min();
    std::map<int64_t, Sequences> deletes;  // the numbers of deletions of single versions, by timestamp
    std::map<int64_t, Sequences> puts = {{kNever, Sequences()}};  // visible before each of these deletes
    void AddVersionDelete(int64_t timestamp_ms, int64_t sequence);
  };
  using Nodes = std::map<int64_t, Node>;  // by the marker's number

  int64_t EnterCell(const CellView& cell, int64_t sequence);
  static void AddTo(Nodes* nodes, const CellView& cell, int64_t sequence);

  const size_t max_versions_;
  Nodes of_family_;
  Nodes of_column_;  // a copy of the family's for each column, and the column's own
  int32_t visible_ = 0;

  bool in_column_ = false;  // the last cell is of a column; false: only of the family
  std::string qualifier_;
  int64_t last_timestamp_ms_ = 0;
  int64_t last_sequence_ = 0;
  CellType last_type_ = CellType::kPut;
};

}  // namespace vaquita
