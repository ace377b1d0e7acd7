// lab/emulator/key_time_index.h: a load's sample as points in the plane of key and time. It counts the points of a
// rectangle.
//
// Each point has a rank (its place in key order) and an arrival (its place in time), both from 0 and each used once. A
// region is a range of ranks, a store file the points that arrived there in a range of time. So the emulator asks here
// how much of a file each half of a split gets, which key is in the file's middle, and when a region's next point
// arrives, without touching the points. Cost: log2(points) steps a question, points x log2(points) x 1.5 bits of memory
// (a wavelet matrix). Threads: immutable; any.
#pragma once

#include <cstdint>
#include <vector>

namespace vaquita::lab {

struct RankRange {
  uint32_t first = 0;
  uint32_t end = 0;
  uint32_t size() const { return end - first; }
};

struct ArrivalRange {
  uint32_t first = 0;
  uint32_t end = 0;
};

class KeyTimeIndex {
 public:
  // arrival_of_rank[r] is the arrival of the point with rank r.
  explicit KeyTimeIndex(std::vector<uint32_t> arrival_of_rank);

  uint32_t size() const { return size_; }
  // Returns the number of points of `ranks` that arrive before `arrival`.
  uint32_t CountBefore(RankRange ranks, uint32_t arrival) const;
  uint32_t Count(RankRange ranks, ArrivalRange arrivals) const {
    return CountBefore(ranks, arrivals.end) - CountBefore(ranks, arrivals.first);
  }
  // Returns the arrival of the n-th point (from 0) that arrives in `ranks`. REQUIRES: n < ranks.size().
  uint32_t NthArrival(RankRange ranks, uint32_t n) const;
  // Returns the rank of the rectangle's n-th point (from 0) in key order. REQUIRES: n < Count(ranks, arrivals).
  uint32_t NthRank(RankRange ranks, ArrivalRange arrivals, uint32_t n) const;

 private:
  // One bit of every arrival, in the order that the bits above it leave them in.
  struct Level {
    std::vector<uint64_t> bits;
    std::vector<uint32_t> ones_before;  // each word of bits
    uint32_t zeros = 0;
    uint32_t OnesBefore(uint32_t place) const {
      const uint64_t word = bits[place / 64] & ((uint64_t{1} << place % 64) - 1);
      return ones_before[place / 64] + static_cast<uint32_t>(__builtin_popcountll(word));
    }
  };

  uint32_t size_ = 0;
  std::vector<Level> levels_;  // the highest bit first
};

}  // namespace vaquita::lab
