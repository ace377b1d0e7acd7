// region/heat/key_heat.h: counts a region's reads and writes by ranges of its keys, finer than the region.
//
// A region begins with one range. KeyHeat::Adapt divides ranges that take too much of the load at the median of a few
// rows that were asked for, and joins neighbours that nobody asks for. Borders change nowhere else, so a picture of the
// counts over time has rows that stay where they are.
// Cost: a request takes an uncontended lock, a binary search over at most some dozen numbers, and three additions; a
// batch takes the lock once, and a scan does all of that once per range and not per row (KeyHeat::Reads). Threads: any.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/big_endian.h"

namespace vaquita {

// Requests of one range in some time. A scan counts as a read of each of its rows.
struct KeyCounts {
  int64_t reads = 0;
  int64_t writes = 0;
  int64_t bytes = 0;  // cells' bytes, read and written

  int64_t requests() const { return reads + writes; }
  KeyCounts& operator+=(const KeyCounts& other);
  friend bool operator==(const KeyCounts&, const KeyCounts&) = default;
};

class KeyHeat {
 public:
  // The region's keys are [start_key, end_key); an empty end is unbounded.
  KeyHeat(std::string start_key, std::string end_key);

  void CountRead(std::string_view row, int64_t bytes) { Count(row, {1, 0, bytes}); }
  void CountWrite(std::string_view row, int64_t bytes) { Count(row, {0, 1, bytes}); }
  struct Write {
    std::string_view row;
    int64_t bytes;
  };
  // The writes of one batch, with the lock taken once.
  void CountWrites(std::span<const Write> writes);

  // The reads of one scan, row by row in its direction: they are added to their range when the scan leaves it.
  // Threads: one at a time.
  class Reads {
   public:
    // `heat` may be null: then it counts nothing. `reversed`: the rows descend.
    Reads(KeyHeat* heat, bool reversed) : heat_(heat), reversed_(reversed) {}
    ~Reads() { Flush(); }
    Reads(const Reads&) = delete;
    Reads& operator=(const Reads&) = delete;

    void Add(std::string_view row, int64_t bytes) {
      if (heat_ == nullptr) return;
      if (!entered_ || Left(row)) Enter(row);
      ++reads_;
      bytes_ += bytes;
      // The row that stands for all of them, as a border perhaps: somewhere in the middle.
      if ((reads_ & (reads_ - 1)) == 0) row_.assign(row);
    }
    void Flush();

   private:
    void Enter(std::string_view row);
    // Returns whether `row` lies past the border. Most rows differ from it in their first bytes.
    bool Left(std::string_view row) const {
      if (!bounded_) return false;
      const uint64_t mark = row.size() >= sizeof(mark) ? GetBigEndian<uint64_t>(row.data()) : border_mark_;
      if (mark != border_mark_) return reversed_ == (mark < border_mark_);
      return reversed_ == (row < border_);
    }

    KeyHeat* const heat_;
    const bool reversed_;
    bool entered_ = false;
    bool bounded_ = false;      // the range that the scan is in has a border where the scan goes
    std::string border_;        // its start if reversed, otherwise its end
    uint64_t border_mark_ = 0;  // the border's first bytes
    std::string row_;           // one that was read there
    int64_t reads_ = 0, bytes_ = 0;
  };

  struct Range {
    std::string start;  // inclusive; it ends where the next one starts, or with the region
    KeyCounts counts;
  };

  // The side of a border to which earlier requests went. Keys that rise with time stay below.
  enum class Earlier { kBoth, kBelow, kAbove };
  struct Border {
    std::string key;
    Earlier earlier = Earlier::kBoth;
  };
  // Returns whether there was a request since the last Take. It takes no lock: of thousands of regions most are idle.
  bool counted() const { return counted_.load(std::memory_order_relaxed); }
  // Returns what was counted since the last Take, in key order, and starts anew. Empty if there was no request.
  std::vector<Range> Take();
  // Returns where the ranges begin, in order; the first border is the region's start.
  std::vector<Border> Borders() const;
  // Changes with the borders.
  int64_t version() const { return version_.load(std::memory_order_relaxed); }

  struct Limits {
    int64_t most_requests = 0;  // a range with more of them since the last Adapt is divided
    size_t most_ranges = 1;     // beyond it the coldest neighbours are joined
  };
  // Divides hot ranges and joins cold ones. To be called once a second, after Take.
  void Adapt(const Limits& limits);

 private:
  static constexpr size_t kSamples = 8;

  struct Counter {
    explicit Counter(std::string start) : start(std::move(start)) {}
    std::string start;
    Earlier earlier = Earlier::kBoth;
    std::string lowest, highest;                // rows that were asked for
    std::string lowest_before, highest_before;  // as they were at the last Adapt
    bool any = false, any_before = false;
    KeyCounts counts;                           // since the last Take
    int64_t seen = 0;                           // requests since the last Adapt
    uint64_t calls = 0;                         // calls of Count since the last Adapt
    double warmth = 0;                          // requests a second, decaying
    std::array<std::string, kSamples> samples;  // rows that those calls named
  };

  void Count(std::string_view row, const KeyCounts& counts);
  void CountLocked(std::string_view row, const KeyCounts& counts);
  size_t Find(std::string_view row) const;
  void UpdateMarks();
  void Sample(std::string_view row, Counter* counter);
  static Earlier EarlierThan(const Counter& counter, const std::string& border);
  void Divide(int64_t most_requests, size_t most_ranges);
  void Join(size_t most_ranges);
  uint64_t Random();

  const std::string end_key_;
  mutable std::mutex mutex_;
  std::vector<Counter> counters_;      // by start; never empty
  std::vector<uint64_t> marks_;        // all starts but the first: eight bytes behind those that they share
  size_t shared_ = 0;                  // the number of those bytes
  std::atomic<bool> counted_ = false;  // since the last Take; set under mutex_
  std::atomic<int64_t> version_ = 1;   // changes under mutex_
  uint64_t random_ = 0x9e3779b97f4a7c15;
};

}  // namespace vaquita
