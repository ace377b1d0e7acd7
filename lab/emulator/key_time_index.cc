#include "lab/emulator/key_time_index.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace vaquita::lab {

KeyTimeIndex::KeyTimeIndex(std::vector<uint32_t> arrivals) : size_(static_cast<uint32_t>(arrivals.size())) {
  const int width = size_ < 2 ? 1 : std::bit_width(size_ - 1);
  levels_.resize(width);
  std::vector<uint32_t> ones;
  for (int depth = 0; depth < width; ++depth) {
    Level& level = levels_[depth];
    level.bits.assign(size_ / 64 + 1, 0);
    level.ones_before.resize(level.bits.size());
    ones.clear();
    const int bit = width - 1 - depth;
    // A stable partition: those whose bit is 0 first.
    for (uint32_t i = 0; i < size_; ++i) {
      const uint32_t arrival = arrivals[i];
      if ((arrival >> bit & 1) != 0) {
        level.bits[i / 64] |= uint64_t{1} << i % 64;
        ones.push_back(arrival);
      } else {
        arrivals[level.zeros++] = arrival;
      }
    }
    std::copy(ones.begin(), ones.end(), arrivals.begin() + level.zeros);
    uint32_t before = 0;
    for (std::size_t word = 0; word < level.bits.size(); ++word) {
      level.ones_before[word] = before;
      before += static_cast<uint32_t>(std::popcount(level.bits[word]));
    }
  }
}

uint32_t KeyTimeIndex::CountBefore(RankRange ranks, uint32_t arrival) const {
  if (arrival >= size_) return ranks.size();
  uint32_t count = 0;
  const int width = static_cast<int>(levels_.size());
  for (int depth = 0; depth < width; ++depth) {
    const Level& level = levels_[depth];
    const uint32_t ones_first = level.OnesBefore(ranks.first);
    const uint32_t ones_end = level.OnesBefore(ranks.end);
    if ((arrival >> (width - 1 - depth) & 1) != 0) {
      count += ranks.size() - (ones_end - ones_first);  // those with a 0 here are all smaller
      ranks = {level.zeros + ones_first, level.zeros + ones_end};
    } else {
      ranks = {ranks.first - ones_first, ranks.end - ones_end};
    }
  }
  return count;
}

uint32_t KeyTimeIndex::NthArrival(RankRange ranks, uint32_t n) const {
  uint32_t arrival = 0;
  for (const Level& level : levels_) {
    const uint32_t ones_first = level.OnesBefore(ranks.first);
    const uint32_t ones_end = level.OnesBefore(ranks.end);
    const uint32_t zeros = ranks.size() - (ones_end - ones_first);
    arrival <<= 1;
    if (n < zeros) {
      ranks = {ranks.first - ones_first, ranks.end - ones_end};
    } else {
      n -= zeros;
      arrival |= 1;
      ranks = {level.zeros + ones_first, level.zeros + ones_end};
    }
  }
  return arrival;
}

uint32_t KeyTimeIndex::NthRank(RankRange ranks, ArrivalRange arrivals, uint32_t n) const {
  // The smallest rank up to which, inclusively, n + 1 points lie.
  uint32_t low = ranks.first;
  uint32_t high = ranks.end - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (Count({ranks.first, middle + 1}, arrivals) > n) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace vaquita::lab
