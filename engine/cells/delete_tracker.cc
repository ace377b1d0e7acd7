#include "engine/cells/delete_tracker.h"

#include <algorithm>
#include <functional>

namespace vaquita {

void DeleteTracker::Add(CellType type, int64_t timestamp_ms) {
  // A family marker masks all that is older, so an older marker of any kind has nothing left to mask.
  if (has_family_ && timestamp_ms <= family_ms_) return;
  switch (type) {
    case CellType::kDeleteFamily:
      has_family_ = true;
      family_ms_ = timestamp_ms;
      return;
    case CellType::kDeleteFamilyVersion:
      family_versions_.push_back(timestamp_ms);
      return;
    case CellType::kDelete:
    case CellType::kDeleteColumn:
      if (has_column_ && type < column_type_) return;  // the column's marker is there already and masks more
      has_column_ = true;
      column_type_ = type;
      column_ms_ = timestamp_ms;
      return;
    case CellType::kPut:
      return;
  }
}

DeleteTracker::Mask DeleteTracker::MaskOf(int64_t timestamp_ms) const {
  if (has_family_ && timestamp_ms <= family_ms_) return Mask::kRestOfColumn;
  if (!family_versions_.empty() &&
      std::binary_search(family_versions_.begin(), family_versions_.end(), timestamp_ms, std::greater<>())) {
    return Mask::kCell;
  }
  if (!has_column_) return Mask::kNone;
  if (column_type_ == CellType::kDeleteColumn) return Mask::kRestOfColumn;
  return timestamp_ms == column_ms_ ? Mask::kCell : Mask::kNone;
}

}  // namespace vaquita
