#include "tools/bench/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/records/random_number.h"

namespace vaquita::bench {
namespace {

// Latencies from 1 ns to about a minute, as many of each magnitude.
std::vector<int64_t> SomeLatencies(uint64_t count) {
  std::vector<int64_t> latencies;
  for (uint64_t i = 0; i < count; ++i) {
    latencies.push_back(static_cast<int64_t>(std::exp2(lab::RandomFraction(lab::RandomNumber(1, i)) * 36)));
  }
  return latencies;
}

TEST(LatencyHistogramTest, PercentilesAreThoseOfTheSortedValuesToThreeDigits) {
  std::vector<int64_t> latencies = SomeLatencies(20'000);
  LatencyHistogram histogram;
  for (const int64_t latency : latencies) histogram.Record(latency);
  std::sort(latencies.begin(), latencies.end());
  for (const double percent : {0.01, 1.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
    const auto rank = static_cast<size_t>(std::ceil(percent / 100 * 20'000 - 1e-6)) - 1;
    EXPECT_GE(histogram.AtPercent(percent), latencies[rank]) << percent;
    EXPECT_LE(static_cast<double>(histogram.AtPercent(percent)), static_cast<double>(latencies[rank]) * 1.001 + 1)
        << percent;
  }
  EXPECT_EQ(histogram.count(), 20'000);
  EXPECT_EQ(histogram.max_ns(), latencies.back());
}

TEST(LatencyHistogramTest, ThousandthsAreCountedExactly) {
  LatencyHistogram histogram;
  for (int i = 0; i < 999; ++i) histogram.Record(1000);
  histogram.Record(1'000'000);
  EXPECT_EQ(histogram.AtPercent(99.9), 1000);
  EXPECT_GT(histogram.AtPercent(99.91), 990'000);
}

TEST(LatencyHistogramTest, SmallValuesAreExactAndLongOnesCountAsAnHour) {
  LatencyHistogram histogram;
  histogram.Record(2047);
  EXPECT_EQ(histogram.AtPercent(50), 2047);
  histogram.Record(2 * LatencyHistogram::kMostNs);
  EXPECT_EQ(histogram.max_ns(), LatencyHistogram::kMostNs);
  EXPECT_EQ(LatencyHistogram().AtPercent(99), 0);
}

TEST(LatencyHistogramTest, ASumIsAsIfAllHadBeenRecordedInOne) {
  LatencyHistogram all, odd, even;
  const std::vector<int64_t> latencies = SomeLatencies(1000);
  for (size_t i = 0; i < latencies.size(); ++i) {
    all.Record(latencies[i]);
    (i % 2 == 0 ? even : odd).Record(latencies[i]);
  }
  odd.Add(even);
  EXPECT_EQ(odd.Buckets(), all.Buckets());
  EXPECT_EQ(odd.count(), 1000);
  EXPECT_NEAR(odd.MeanNs(), all.MeanNs(), 1e-6 * all.MeanNs());
}

TEST(LatencyHistogramTest, BucketsRecordAgainAsTheSame) {
  LatencyHistogram histogram, again;
  for (const int64_t latency : SomeLatencies(1000)) histogram.Record(latency);
  for (const auto& [ns, count] : histogram.Buckets()) again.Record(ns, count);
  EXPECT_EQ(again.Buckets(), histogram.Buckets());
}

}  // namespace
}  // namespace vaquita::bench
