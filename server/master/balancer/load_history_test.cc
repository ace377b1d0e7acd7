#include "server/master/balancer/load_history.h"

#include "gtest/gtest.h"

namespace vaquita::balancer {
namespace {

constexpr int64_t kMiB = 1024 * 1024;

// One report a second, each with these reads.
RegionLoad ReadsFrom(const std::vector<int64_t>& reads) {
  LoadHistory history;
  for (size_t i = 0; i < reads.size(); ++i) {
    history.Add("r", {.time_ms = 1000 * static_cast<int64_t>(i), .read_requests = reads[i]});
  }
  return history.Of("r");
}

// TestStochasticLoadBalancer.testRegionLoadCost, testRegionLoadCostWhenDecrease.
TEST(LoadHistory, RequestsAreARate) {
  EXPECT_DOUBLE_EQ(ReadsFrom({1, 2, 3, 4}).read_requests, 1);
  EXPECT_NEAR(ReadsFrom({1, 2, 1, 4}).read_requests, 1.67, 0.01);  // the counter began again at 0
  EXPECT_EQ(ReadsFrom({100}).read_requests, 0);                    // one report says nothing of a rate
  EXPECT_EQ(ReadsFrom({}).read_requests, 0);
}

TEST(LoadHistory, StoreFilesAreAnAverageAndTheMemstoreIsWhatItGrowsInAMinute) {
  LoadHistory history;
  for (int64_t i = 1; i < 5; ++i) {
    history.Add("r", {.time_ms = i * 10'000, .store_bytes = i * kMiB, .memstore_bytes = i * kMiB});
  }
  EXPECT_DOUBLE_EQ(history.Of("r").store_mb, 2.5);
  EXPECT_DOUBLE_EQ(history.Of("r").memstore_mb, 6);
}

TEST(LoadHistory, OldReportsAreForgotten) {
  LoadHistory history;
  for (int64_t i = 0; i < 100; ++i) history.Add("r", {.time_ms = i * 1000, .store_bytes = i * kMiB});
  EXPECT_DOUBLE_EQ(history.Of("r").store_mb, (85 + 99) / 2.0);  // the last fifteen
  history.Add("r", {.time_ms = 99'000, .store_bytes = 0});      // the same report twice
  EXPECT_DOUBLE_EQ(history.Of("r").store_mb, (85 + 99) / 2.0);
  history.ForgetBefore(99'000);
  EXPECT_GT(history.Of("r").store_mb, 0);
  history.ForgetBefore(99'001);
  EXPECT_EQ(history.Of("r").store_mb, 0);
}

}  // namespace
}  // namespace vaquita::balancer
