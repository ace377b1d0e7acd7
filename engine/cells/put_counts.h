// engine/cells/put_counts.h: counts the puts of a column that were visible before each of its deletions, where the
// order of writes counts (engine/cells/new_version_tracker.h).
//
// HBase's tracker keeps the puts themselves: for each marker of whole columns or families, and within that for each
// deletion of single versions, the set of the puts that came before it. That takes puts times deletions. Here each
// deletion has a number only. They are in blocks, in the order in which a put goes through them: by marker, and then by
// number. A put counts in a run of them, so most blocks are counted as a whole. Time for a put: by the square root of
// the deletions. Memory: by the sum of deletions and puts. Source:
// org.apache.hadoop.hbase.regionserver.querymatcher.NewVersionBehaviorTracker (2.6). Threads: one at a time.
#pragma once

#include <cstdint>
#include <ext/pb_ds/assoc_container.hpp>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace vaquita {

class PutCounts {
 public:
  PutCounts() { Clear(); }
  // Forgets everything: a new row begins.
  void Clear();
  // Begins a column with its family's deletions. `family` does not change until the next call.
  void StartColumn(const PutCounts& family);

  // Adds a marker of the whole column or family, or a deletion of the version at `timestamp_ms`. `number`: of its
  // write; here and below, the greatest that there is counts as the one before it.
  void AddMarker(int64_t number, int64_t timestamp_ms);
  void AddVersionDelete(int64_t number, int64_t timestamp_ms);
  // Returns whether the put is masked, by a deletion or by `max_versions` others that were visible, and counts it.
  bool Masks(int64_t number, int64_t timestamp_ms, int64_t max_versions);

 private:
  using Place = std::pair<int64_t, int64_t>;  // a marker's number, and a deletion's before it or kNever: the marker
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

  struct Deletion {
    Place place;
    int64_t marker_ms;  // kLeast: a deletion of a single version, or no marker but the end
    int64_t count;      // visible puts, without the block's
    int64_t added_at;
  };
  struct Block {
    std::shared_ptr<std::vector<Deletion>> deletions;  // shared with the family's until changed
    int64_t count = 0;                                 // in addition to each deletion's
    // The deletions' first and last places, greatest count, least number and latest marker.
    Place first{};
    Place last{};
    int64_t greatest = kLeast;
    int64_t least_number = kNever;
    int64_t latest_ms = kLeast;
  };
  struct At {
    size_t block;
    size_t index;
  };
  struct VersionDelete {
    Place place;
    int64_t added_at;
  };
  // The deletions in which a put counts: those up to a place that were there at a time.
  struct Reach {
    Place last{};
    int64_t at;
  };
  using Numbers = __gnu_pbds::tree<int64_t, __gnu_pbds::null_type, std::less<int64_t>, __gnu_pbds::rb_tree_tag,
                                   __gnu_pbds::tree_order_statistics_node_update>;

  At Find(const Place& place) const;
  const Deletion& operator[](const At& at) const { return (*blocks_[at.block].deletions)[at.index]; }
  static std::vector<Deletion>& Own(Block* block);
  static void Measure(Block* block);
  void Insert(const At& at, const Deletion& deletion);
  void Erase(const At& at);
  Place FirstDelete(int64_t number, int64_t timestamp_ms) const;
  bool Replaced(const VersionDelete& deleted) const;
  Reach EarlierReach(int64_t number) const;

  std::vector<Block> blocks_;
  const PutCounts* family_ = nullptr;                      // has the deletions of single versions in all columns
  std::multimap<int64_t, VersionDelete> version_deletes_;  // by timestamp; without the family's
  std::map<int64_t, int64_t> markers_;                     // numbers, and when they were added; without the family's
  std::map<int64_t, Reach> reaches_;                       // by the number of the puts: one write may have several
  Numbers starts_;  // numbers of puts that count in the first deletion that they go through
  int64_t time_ = 0;
};

}  // namespace vaquita
