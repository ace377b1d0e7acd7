#include "lab/emulator/key_time_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace vaquita::lab {
namespace {

// Asks what can be counted by looking at every point, too.
TEST(KeyTimeIndexTest, AgreesWithLookingAtEveryPoint) {
  for (const uint32_t size : {1u, 2u, 3u, 63u, 64u, 65u, 500u}) {
    std::mt19937 random(size);
    std::vector<uint32_t> arrival_of_rank(size);
    std::iota(arrival_of_rank.begin(), arrival_of_rank.end(), 0);
    std::shuffle(arrival_of_rank.begin(), arrival_of_rank.end(), random);
    const KeyTimeIndex index(arrival_of_rank);
    for (int round = 0; round < 200; ++round) {
      RankRange ranks{static_cast<uint32_t>(random() % (size + 1)), static_cast<uint32_t>(random() % (size + 1))};
      if (ranks.first > ranks.end) std::swap(ranks.first, ranks.end);
      ArrivalRange arrivals{static_cast<uint32_t>(random() % (size + 1)), static_cast<uint32_t>(random() % (size + 1))};
      if (arrivals.first > arrivals.end) std::swap(arrivals.first, arrivals.end);

      std::vector<uint32_t> times, inside;
      for (uint32_t rank = ranks.first; rank < ranks.end; ++rank) {
        times.push_back(arrival_of_rank[rank]);
        if (arrival_of_rank[rank] >= arrivals.first && arrival_of_rank[rank] < arrivals.end) inside.push_back(rank);
      }
      std::sort(times.begin(), times.end());
      ASSERT_EQ(index.Count(ranks, arrivals), inside.size());
      for (uint32_t n = 0; n < times.size(); n += 7) ASSERT_EQ(index.NthArrival(ranks, n), times[n]);
      for (uint32_t n = 0; n < inside.size(); n += 5) ASSERT_EQ(index.NthRank(ranks, arrivals, n), inside[n]);
    }
  }
}

}  // namespace
}  // namespace vaquita::lab
