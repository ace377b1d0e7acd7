// lab/simulator/request_counts.h: the number of requests of each region in each slice of a run, for the heat map.
//
// A slice is a part of the run: some number of records, one after the other.
// Threads: one at a time; each worker counts for itself, and the counts are added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace vaquita::lab {

class RequestCounts {
 public:
  RequestCounts(int regions, int slices)
      : regions_(regions), slices_(slices), counts_(static_cast<size_t>(regions) * slices) {}

  int regions() const { return regions_; }
  int slices() const { return slices_; }

  // One count per region.
  std::span<uint64_t> Slice(int slice) { return {counts_.data() + static_cast<size_t>(slice) * regions_, size()}; }
  std::span<const uint64_t> Slice(int slice) const {
    return {counts_.data() + static_cast<size_t>(slice) * regions_, size()};
  }
  uint64_t At(int region, int slice) const { return Slice(slice)[region]; }

  uint64_t OfRegion(int region) const {
    uint64_t sum = 0;
    for (int slice = 0; slice < slices_; ++slice) sum += At(region, slice);
    return sum;
  }
  uint64_t OfSlice(int slice) const {
    const auto counts = Slice(slice);
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  }
  uint64_t Total() const { return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0}); }

  // REQUIRES: the same regions and slices.
  void Add(const RequestCounts& other) {
    for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }
  // Joins slices in pairs, when a run without a known end has used up its slices.
  void HalveSlices() {
    for (int slice = 0; slice < slices_; ++slice) {
      const auto to = Slice(slice);
      for (int i = 0; i < regions_; ++i) {
        const uint64_t first = 2 * slice < slices_ ? At(i, 2 * slice) : 0;
        const uint64_t second = 2 * slice + 1 < slices_ ? At(i, 2 * slice + 1) : 0;
        to[i] = first + second;
      }
    }
  }
  // Drops the slices from `slices` on.
  void KeepSlices(int slices) {
    slices_ = slices;
    counts_.resize(size() * slices);
  }

 private:
  size_t size() const { return static_cast<size_t>(regions_); }

  int regions_;
  int slices_;
  std::vector<uint64_t> counts_;  // a slice's regions one after the other
};

}  // namespace vaquita::lab
