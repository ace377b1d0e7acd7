#include "engine/cells/new_version_tracker.h"

namespace vaquita {

void NewVersionTracker::StartRow() {
  of_family_.Clear();
  pending_.clear();
  in_column_ = false;
  visible_ = 0;
}

void NewVersionTracker::EnterColumn(std::string_view qualifier) {
  if (in_column_ && qualifier == qualifier_) return;
  for (const Pending& marker : pending_) AddTo(&of_family_, marker.type, marker.timestamp_ms, marker.sequence);
  pending_.clear();
  of_column_.StartColumn(of_family_);
  visible_ = 0;
  in_column_ = true;
  qualifier_ = qualifier;
}

void NewVersionTracker::AddTo(PutCounts* counts, CellType type, int64_t timestamp_ms, int64_t sequence) {
  if (type == CellType::kDeleteFamily || type == CellType::kDeleteColumn) {
    counts->AddMarker(sequence, timestamp_ms);
  } else {
    counts->AddVersionDelete(sequence, timestamp_ms);
  }
}

void NewVersionTracker::Add(const CellView& cell, int64_t sequence) {
  if (cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteFamilyVersion) {
    if (!in_column_) return AddTo(&of_family_, cell.type, cell.timestamp_ms, sequence);
    pending_.push_back({cell.type, cell.timestamp_ms, sequence});  // among puts of the empty qualifier
  } else {
    EnterColumn(cell.qualifier);
  }
  AddTo(&of_column_, cell.type, cell.timestamp_ms, sequence);
}

bool NewVersionTracker::Masks(const CellView& cell, int64_t sequence) {
  EnterColumn(cell.qualifier);
  return of_column_.Masks(sequence, cell.timestamp_ms, max_versions_);
}

}  // namespace vaquita
