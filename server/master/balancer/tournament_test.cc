#include "server/master/balancer/tournament.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "server/master/balancer/dice.h"

namespace vaquita::balancer {
namespace {

TEST(Tournament, WinnerIsAlwaysTheFirstOfTheHighest) {
  Dice dice(1);
  for (size_t players = 1; players < 40; ++players) {
    std::vector<double> scores;
    for (size_t i = 0; i < players; ++i) scores.push_back(dice.Below(20));
    Tournament tournament(scores);
    for (int change = 0; change < 100; ++change) {
      EXPECT_EQ(tournament.winner(), std::max_element(scores.begin(), scores.end()) - scores.begin());
      const auto player = static_cast<int32_t>(dice.Below(players));
      scores[player] = dice.Below(20);
      tournament.SetScore(player, scores[player]);
    }
  }
}

}  // namespace
}  // namespace vaquita::balancer
