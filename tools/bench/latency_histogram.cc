#include "tools/bench/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vaquita::bench {
namespace {

constexpr int kHalfBits = 10;  // each power of two has 2^kHalfBits buckets

size_t BucketOf(int64_t ns) {
  const auto value = static_cast<uint64_t>(ns);
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - (kHalfBits + 1));
  return (static_cast<size_t>(shift) << kHalfBits) + (value >> shift);
}

int64_t LargestOf(size_t bucket) {
  if (bucket < (2U << kHalfBits)) return static_cast<int64_t>(bucket);
  const size_t shift = (bucket >> kHalfBits) - 1;
  return static_cast<int64_t>(((bucket - (shift << kHalfBits) + 1) << shift) - 1);
}

}  // namespace

void LatencyHistogram::Record(int64_t ns, uint64_t times) {
  ns = std::clamp<int64_t>(ns, 0, kMostNs);
  const size_t bucket = BucketOf(ns);
  if (bucket >= counts_.size()) counts_.resize(bucket + 1);
  counts_[bucket] += times;
  count_ += times;
  sum_ns_ += static_cast<double>(ns) * static_cast<double>(times);
  max_ns_ = std::max(max_ns_, ns);
}

void LatencyHistogram::Add(const LatencyHistogram& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ns_ += other.sum_ns_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

int64_t LatencyHistogram::AtPercent(double percent) const {
  // 99.9 percent of 1,000 are a little more than 999 in doubles.
  constexpr double kLess = 1 - 1e-12;
  const double wanted = std::ceil(percent / 100 * static_cast<double>(count_) * kLess);
  const auto rank = std::max<uint64_t>(1, static_cast<uint64_t>(wanted));
  uint64_t seen = 0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= rank) return std::min(LargestOf(i), max_ns_);
  }
  return max_ns_;
}

uint64_t LatencyHistogram::CountFrom(int64_t ns) const {
  uint64_t count = 0;
  for (size_t i = BucketOf(std::clamp<int64_t>(ns, 0, kMostNs)); i < counts_.size(); ++i) count += counts_[i];
  return count;
}

std::vector<std::pair<int64_t, uint64_t>> LatencyHistogram::Buckets() const {
  std::vector<std::pair<int64_t, uint64_t>> buckets;
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) buckets.emplace_back(std::min(LargestOf(i), max_ns_), counts_[i]);
  }
  return buckets;
}

}  // namespace vaquita::bench
