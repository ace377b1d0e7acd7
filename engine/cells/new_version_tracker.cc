#include "engine/cells/new_version_tracker.h"

#include <algorithm>
#include <iterator>

namespace vaquita {

// The puts with larger numbers are not copied: after this deletion an older put may be visible again.
void NewVersionTracker::Node::AddVersionDelete(int64_t timestamp_ms, int64_t sequence) {
  deletes[timestamp_ms].insert(sequence);
  const Sequences& next = puts.lower_bound(sequence)->second;
  puts[sequence] = Sequences(next.begin(), next.lower_bound(sequence));
}

void NewVersionTracker::StartRow() {
  of_column_.clear();
  of_family_.clear();
  of_family_.emplace(kNever, Node());
  in_column_ = false;
  visible_ = 0;
}

// Returns the last put's number if this one has its key: it is older, and masked. Otherwise kNever.
int64_t NewVersionTracker::EnterCell(const CellView& cell, int64_t sequence) {
  if (!in_column_ || cell.qualifier != qualifier_) {
    of_column_ = of_family_;
    visible_ = 0;
    in_column_ = true;
    qualifier_ = cell.qualifier;
  } else if (!IsDelete(last_type_) && last_type_ == cell.type && last_timestamp_ms_ == cell.timestamp_ms) {
    return last_sequence_;
  }
  last_timestamp_ms_ = cell.timestamp_ms;
  last_sequence_ = sequence;
  last_type_ = cell.type;
  return kNever;
}

void NewVersionTracker::AddTo(Nodes* nodes, const CellView& cell, int64_t sequence) {
  if (cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteColumn) {
    Node node;
    node.timestamp_ms = cell.timestamp_ms;
    (*nodes)[sequence] = std::move(node);
  } else {
    nodes->lower_bound(sequence)->second.AddVersionDelete(cell.timestamp_ms, sequence);
  }
}

void NewVersionTracker::Add(const CellView& cell, int64_t sequence) {
  if (cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteFamilyVersion) {
    AddTo(&of_family_, cell, sequence);
    if (in_column_) AddTo(&of_column_, cell, sequence);  // among puts of the empty qualifier
    return;
  }
  EnterCell(cell, sequence);
  AddTo(&of_column_, cell, sequence);
}

bool NewVersionTracker::Masks(const CellView& cell, int64_t sequence) {
  const int64_t same_key = EnterCell(cell, sequence);
  for (auto at = of_column_.lower_bound(sequence); at != of_column_.end(); ++at) {
    Node& node = at->second;
    int64_t deleted = kNever;
    if (const auto same_time = node.deletes.find(cell.timestamp_ms); same_time != node.deletes.end()) {
      const auto later = same_time->second.lower_bound(sequence);
      if (later != same_time->second.end()) deleted = *later;
    }
    const int64_t until = std::min(same_key, deleted);
    for (auto puts = node.puts.lower_bound(sequence); puts != node.puts.end() && puts->first <= until; ++puts) {
      if (puts->second.size() >= max_versions_) return true;
      puts->second.insert(sequence);
    }
    if (deleted < kNever || cell.timestamp_ms <= node.timestamp_ms) return true;
  }
  return same_key < kNever;
}

}  // namespace vaquita
