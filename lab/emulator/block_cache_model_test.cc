#include "lab/emulator/block_cache_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <list>
#include <random>
#include <unordered_map>
#include <vector>

namespace vaquita::lab {
namespace {

// Returns the hit ratio by simulating an LRU cache.
double Simulated(const std::vector<double>& weights, size_t cache_blocks) {
  std::mt19937 random(1);
  std::discrete_distribution<int> draw(weights.begin(), weights.end());
  std::list<int> newest_first;
  std::unordered_map<int, std::list<int>::iterator> cached;
  int hits = 0;
  constexpr int kWarmUp = 100'000, kRequests = 300'000;
  for (int i = 0; i < kWarmUp + kRequests; ++i) {
    const int block = draw(random);
    const auto at = cached.find(block);
    if (at != cached.end()) {
      if (i >= kWarmUp) ++hits;
      newest_first.splice(newest_first.begin(), newest_first, at->second);
      continue;
    }
    newest_first.push_front(block);
    cached[block] = newest_first.begin();
    if (cached.size() > cache_blocks) {
      cached.erase(newest_first.back());
      newest_first.pop_back();
    }
  }
  return static_cast<double>(hits) / kRequests;
}

TEST(BlockCacheModelTest, AgreesWithASimulatedLruCache) {
  for (const double skew : {0.0, 0.6, 0.99, 1.2}) {
    std::vector<double> weights;
    std::vector<BlockGroup> groups;
    for (int block = 1; block <= 5000; ++block) {
      weights.push_back(std::pow(block, -skew));
      groups.push_back({.blocks = 1, .requests = weights.back()});
    }
    for (const size_t cache_blocks : {50u, 500u, 2500u}) {
      EXPECT_NEAR(LruHitRatio(groups, cache_blocks), Simulated(weights, cache_blocks), 0.01)
          << "skew " << skew << ", cache of " << cache_blocks;
    }
  }
}

TEST(BlockCacheModelTest, UniformRequestsHitByTheCachesShare) {
  const BlockGroup all{.blocks = 1e6, .requests = 1};
  EXPECT_NEAR(LruHitRatio({&all, 1}, 1e5), 0.1, 1e-6);
  EXPECT_EQ(LruHitRatio({&all, 1}, 2e6), 1);
}

}  // namespace
}  // namespace vaquita::lab
