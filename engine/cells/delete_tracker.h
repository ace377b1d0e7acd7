// engine/cells/delete_tracker.h: tells which cells of a row are masked by the delete markers seen so far.
//
// Feed it a row's markers in store order. A family's markers carry the empty qualifier, so they all come before the
// row's other columns; a column's markers come before the cells they mask. The caller decides which markers count (time
// range, TTL, KEEP_DELETED_CELLS). Source: org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker (2.6).
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "model/cell.h"

namespace vaquita {

class DeleteTracker {
 public:
  enum class Mask {
    kNone,
    kCell,          // this cell, by a marker for exactly its timestamp
    kRestOfColumn,  // this cell and every older one of its column
  };

  // Forgets everything: a new row begins.
  void StartRow() {
    has_family_ = false;
    has_column_ = false;
    family_versions_.clear();
  }
  // Forgets the column's own markers: another column of the same row begins.
  void StartColumn() { has_column_ = false; }

  // Returns whether nothing of the family that is as old as this, or older, can be seen or can matter.
  bool MasksFamily(int64_t timestamp_ms) const { return has_family_ && timestamp_ms <= family_ms_; }

  bool empty() const { return !has_family_ && !has_column_ && family_versions_.empty(); }

  // REQUIRES: IsDelete(type).
  void Add(CellType type, int64_t timestamp_ms);

  // Returns the effect of the markers on a put of the present column.
  Mask MaskOf(int64_t timestamp_ms) const;

 private:
  bool has_family_ = false;
  bool has_column_ = false;  // a kDelete or kDeleteColumn of the present column
  CellType column_type_ = CellType::kDelete;
  int64_t family_ms_ = 0;  // the newest kDeleteFamily
  int64_t column_ms_ = 0;
  std::vector<int64_t> family_versions_;  // timestamps of kDeleteFamilyVersion, descending
};

}  // namespace vaquita
