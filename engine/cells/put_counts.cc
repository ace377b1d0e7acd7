#include "engine/cells/put_counts.h"

#include <algorithm>

namespace vaquita {
namespace {

constexpr size_t kMostInABlock = 512;

// The end of all deletions has the greatest number. Only a damaged or foreign file has a write with it.
int64_t BeforeTheEnd(int64_t number) { return std::min(number, std::numeric_limits<int64_t>::max() - 1); }

}  // namespace

void PutCounts::Clear() {
  blocks_.clear();
  blocks_.push_back({std::make_shared<std::vector<Deletion>>(1, Deletion{{kNever, kNever}, kLeast, 0, 0})});
  Measure(&blocks_.front());
  family_ = nullptr;
  version_deletes_.clear();
  markers_.clear();
  reaches_.clear();
  starts_.clear();
  time_ = 0;
}

void PutCounts::StartColumn(const PutCounts& family) {
  blocks_ = family.blocks_;
  family_ = &family;
  version_deletes_.clear();
  markers_.clear();
  reaches_.clear();
  starts_.clear();
  time_ = family.time_;
}

// Returns where the first deletion at or after `place` is. REQUIRES: there is one.
PutCounts::At PutCounts::Find(const Place& place) const {
  const auto block = std::partition_point(blocks_.begin(), blocks_.end(),
                                          [&place](const Block& candidate) { return candidate.last < place; });
  const auto& deletions = *block->deletions;
  const auto found = std::partition_point(deletions.begin(), deletions.end(),
                                          [&place](const Deletion& candidate) { return candidate.place < place; });
  return {static_cast<size_t>(block - blocks_.begin()), static_cast<size_t>(found - deletions.begin())};
}

std::vector<PutCounts::Deletion>& PutCounts::Own(Block* block) {
  if (block->deletions.use_count() > 1) block->deletions = std::make_shared<std::vector<Deletion>>(*block->deletions);
  return *block->deletions;
}

void PutCounts::Measure(Block* block) {
  block->first = block->deletions->front().place;
  block->last = block->deletions->back().place;
  block->greatest = kLeast;
  block->least_number = kNever;
  block->latest_ms = kLeast;
  for (const Deletion& deletion : *block->deletions) {
    block->greatest = std::max(block->greatest, deletion.count);
    block->least_number = std::min(block->least_number, deletion.place.second);
    block->latest_ms = std::max(block->latest_ms, deletion.marker_ms);
  }
}

void PutCounts::Insert(const At& at, const Deletion& deletion) {
  Block* block = &blocks_[at.block];
  std::vector<Deletion>& deletions = Own(block);
  deletions.insert(deletions.begin() + static_cast<ptrdiff_t>(at.index), deletion);
  deletions[at.index].count -= block->count;
  if (deletions.size() > kMostInABlock) {
    const auto middle = deletions.begin() + kMostInABlock / 2;
    Block second{std::make_shared<std::vector<Deletion>>(middle, deletions.end()), block->count};
    deletions.erase(middle, deletions.end());
    Measure(&second);
    blocks_.insert(blocks_.begin() + static_cast<ptrdiff_t>(at.block) + 1, std::move(second));
    block = &blocks_[at.block];
  }
  Measure(block);
}

void PutCounts::Erase(const At& at) {
  Block& block = blocks_[at.block];
  std::vector<Deletion>& deletions = Own(&block);
  deletions.erase(deletions.begin() + static_cast<ptrdiff_t>(at.index));
  if (deletions.empty()) {
    blocks_.erase(blocks_.begin() + static_cast<ptrdiff_t>(at.block));
  } else {
    Measure(&block);
  }
}

// The marker has no puts yet, nor the deletions of a marker with the same number.
void PutCounts::AddMarker(int64_t number, int64_t timestamp_ms) {
  number = BeforeTheEnd(number);
  At at = Find({number, kLeast});
  while ((*this)[at].place.first == number) {
    Erase(at);
    at = Find({number, kLeast});
  }
  // Puts from the marker before it to this one go through this one first from now on, and do not count in it.
  const bool first = at.block == 0 && at.index == 0;
  auto start = starts_.begin();
  if (!first) {
    const At before =
        at.index > 0 ? At{at.block, at.index - 1} : At{at.block - 1, blocks_[at.block - 1].deletions->size() - 1};
    start = starts_.upper_bound((*this)[before].place.first);
  }
  while (start != starts_.end() && *start <= number) start = starts_.erase(start);
  Insert(at, {{number, kNever}, timestamp_ms, 0, ++time_});
  markers_[number] = time_;
}

// A put that counts in the next deletion counts in this one too if it is older.
void PutCounts::AddVersionDelete(int64_t number, int64_t timestamp_ms) {
  number = BeforeTheEnd(number);
  const int64_t marker = (*this)[Find({number, kLeast})].place.first;
  const At next = Find({marker, number});
  const Deletion& after = (*this)[next];
  const int64_t last_start = std::min(after.place.second, marker);
  const auto newer = static_cast<int64_t>(
      (last_start == kNever ? starts_.size() : starts_.order_of_key(last_start + 1)) - starts_.order_of_key(number));
  const int64_t count = after.count + blocks_[next.block].count - newer;
  ++time_;
  version_deletes_.insert({timestamp_ms, {{marker, number}, time_}});
  if (after.place.second == number) Erase(next);
  Insert(Find({marker, number}), {{marker, number}, kLeast, count, time_});
  starts_.erase(number);
}

// Returns whether the marker of the deletion was replaced by another one with the same number.
bool PutCounts::Replaced(const VersionDelete& deleted) const {
  const auto marker = markers_.find(deleted.place.first);
  return marker != markers_.end() && marker->second > deleted.added_at;
}

// Returns the place of the first deletion of just this version that comes after the put.
PutCounts::Place PutCounts::FirstDelete(int64_t number, int64_t timestamp_ms) const {
  Place first{kNever, kNever};
  for (const PutCounts* counts : {this, family_}) {
    if (counts == nullptr) continue;
    const auto [begin, end] = counts->version_deletes_.equal_range(timestamp_ms);
    for (auto at = begin; at != end; ++at) {
      const VersionDelete& deleted = at->second;
      if (deleted.place.second < number || counts->Replaced(deleted) || Replaced(deleted)) continue;
      first = std::min(first, deleted.place);
    }
  }
  return first;
}

// Returns the deletions in which an earlier put of the same write counts. A marker that came since then has counted
// none, and is the last that a put can get to now.
PutCounts::Reach PutCounts::EarlierReach(int64_t number) const {
  const auto found = reaches_.find(number);
  if (found == reaches_.end()) return {{kLeast, kLeast}, kLeast};
  Reach reach = found->second;
  const auto marker = markers_.lower_bound(number);
  if (marker != markers_.end() && marker->second > reach.at) reach.last = std::min(reach.last, {marker->first, kLeast});
  return reach;
}

bool PutCounts::Masks(int64_t number, int64_t timestamp_ms, int64_t max_versions) {
  number = BeforeTheEnd(number);
  const Place deleted = FirstDelete(number, timestamp_ms);
  const Reach earlier = EarlierReach(number);
  ++time_;
  Place last{kLeast, kLeast};
  bool starts = false;
  const auto end = [&](bool masked) {
    if (starts) starts_.insert(number);
    if (last.first != kLeast) reaches_[number] = {std::max(last, earlier.last), time_};
    return masked;
  };
  bool first = true;
  At at = Find({(*this)[Find({number, kLeast})].place.first, number});
  for (; at.block < blocks_.size(); ++at.block, at.index = 0) {
    Block& block = blocks_[at.block];
    const bool none_counts = earlier.last < block.first;
    if (at.index == 0 && !first && block.least_number > number && block.latest_ms < timestamp_ms &&
        block.last < deleted && block.greatest + block.count < max_versions &&
        (none_counts || block.last <= earlier.last)) {
      block.count += none_counts ? 1 : 0;
      last = block.last;
      continue;
    }
    for (; at.index < block.deletions->size(); ++at.index) {
      const Deletion deletion = (*block.deletions)[at.index];
      const auto [marker, own_number] = deletion.place;
      if (own_number < number) continue;
      if (deletion.count + block.count >= max_versions) return end(true);
      if (deletion.place > earlier.last || (own_number == number && deletion.added_at > earlier.at)) {
        block.greatest = std::max(block.greatest, ++Own(&block)[at.index].count);
        starts = starts || first;
      }
      first = false;
      last = deletion.place;
      const bool is_end = own_number == kNever;
      if (is_end ? timestamp_ms <= deletion.marker_ms : last == deleted) return end(true);
    }
  }
  return end(false);
}

}  // namespace vaquita
