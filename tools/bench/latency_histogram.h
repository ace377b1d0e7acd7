// tools/bench/latency_histogram.h: counts latencies in HdrHistogram's layout: three significant digits from a
// nanosecond to an hour.
//
// Values up to 2,047 have a bucket each; above, each power of two is divided into 1,024 buckets. So a percentile is at
// most 0.1% above the value that was recorded. Units: nanoseconds; longer values count as one hour. Source:
// HdrHistogram, which Debian 12 has for other languages only. Threads: one at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace vaquita::bench {

class LatencyHistogram {
 public:
  static constexpr int64_t kMostNs = 3'600'000'000'000;

  void Record(int64_t ns, uint64_t times = 1);
  void Add(const LatencyHistogram& other);

  uint64_t count() const { return count_; }
  int64_t max_ns() const { return max_ns_; }
  double MeanNs() const { return count_ == 0 ? 0 : sum_ns_ / static_cast<double>(count_); }
  // Returns the smallest recorded value, to three digits, that at least `percent` of all values do not exceed. 0 if
  // there are none.
  int64_t AtPercent(double percent) const;
  // Returns how many values are `ns` or more, to three digits.
  uint64_t CountFrom(int64_t ns) const;
  // Returns the buckets that are not empty, as their largest value and their count.
  std::vector<std::pair<int64_t, uint64_t>> Buckets() const;

 private:
  std::vector<uint64_t> counts_;  // grows with the largest value
  uint64_t count_ = 0;
  double sum_ns_ = 0;
  int64_t max_ns_ = 0;
};

}  // namespace vaquita::bench
